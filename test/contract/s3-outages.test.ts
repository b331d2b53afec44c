import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { defaultDeadlines } from '../../src/platform/aws/deadlines.ts'
import { S3DocumentStore } from '../../src/platform/documents/s3-document-store.ts'
import { UnavailableError } from '../../src/platform/errors/unavailable-error.ts'

/** Responds as S3 does: without a body to HEAD, so that a client sees the status only. */
function s3Error(status: number, code: string, headers: Record<string, string> = {}) {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Message of ${code}</Message></Error>`
  return (request: IncomingMessage, response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/xml', ...headers })
      .end(request.method === 'HEAD' ? '' : body)
}

const OUTAGES: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
  'expired session credentials': s3Error(400, 'ExpiredToken'),
  'a malformed session token': s3Error(400, 'InvalidToken'),
  'a signature for another region': s3Error(400, 'AuthorizationHeaderMalformed'),
  'a bucket in another region': s3Error(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1' }),
  'a bucket that does not exist': s3Error(404, 'NoSuchBucket'),
  'a disabled encryption key': s3Error(400, 'KMS.DisabledException'),
  'a conflicting operation on the bucket': s3Error(409, 'OperationAborted'),
  'a proxy that responds with a page': (_, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not here</body></html>'),
  'a server that is not one of HTTP': (request) => request.socket.end('220 mail.example.com ESMTP\r\n\r\n'),
  'a success without metadata': (_, response) => response.writeHead(200).end(),
}

let server: Server
let respond: (request: IncomingMessage, response: ServerResponse) => unknown
let store: S3DocumentStore
/** Waits for jobs longer than a test may take, and for requests briefly. */
let forRequests: S3DocumentStore

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST').stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
  server = createServer((request, response) => {
    request.resume()
    respond(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const address = { bucket: 'documents', prefix: '', endpoint, region: 'us-east-1', forcePathStyle: true }
  store = new S3DocumentStore(address)
  const deadlines = { ...defaultDeadlines, callMilliseconds: 3_600_000, requestMilliseconds: 200 }
  forRequests = new S3DocumentStore({ ...address, deadlines })
})
afterAll(() => {
  vi.unstubAllEnvs()
  store.close()
  forRequests.close()
  server.close()
})

async function* source() {
  yield Buffer.from('content')
}

describe.each(Object.entries(OUTAGES))('%s is an outage of S3, not an error of the document', (name, outage) => {
  const calls: Record<string, () => Promise<unknown>> = {
    'version, which createFeed needs': () => store.version('x'),
    head: () => store.head('x'),
    get: () => store.get('x'),
    'get of a version': () => store.get('x', undefined, '"a-version"'),
    put: () => store.put('x', source()),
    delete: () => store.delete('x'),
  }
  // A write needs nothing of the response.
  const inapplicable = name === 'a success without metadata' ? ['put', 'delete'] : []
  test.each(Object.keys(calls).filter((call) => !inapplicable.includes(call)))('for %s', async (call) => {
    respond = outage
    await expect(calls[call]?.()).rejects.toThrow(UnavailableError)
  })
})

test('a document that does not exist is not an outage', async () => {
  respond = s3Error(404, 'NoSuchKey')
  expect([await store.version('x'), await store.head('x'), await store.get('x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a request waits no longer for two calls than for one', async () => {
  const isNotFound = s3Error(404, 'NotFound')
  respond = (request, response) => (request.method === 'HEAD' ? isNotFound(request, response) : undefined)
  await expect(forRequests.version('x')).rejects.toThrow(/^S3 is not usable: .* 200 ms$/)
  server.closeAllConnections()
})

test('the connection of a document without a date is closed, however long the document is', async () => {
  server.closeAllConnections()
  respond = (_, response) => response.writeHead(200, { 'content-length': 10_000_000 }).write('x'.repeat(1_000_000))
  for (let call = 0; call < 5; call++) await expect(store.get('x')).rejects.toThrow('no size or date')
  const count = () => new Promise((resolve) => server.getConnections((_error, connections) => resolve(connections)))
  await expect.poll(count).toBe(0)
})
