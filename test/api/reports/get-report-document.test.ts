import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock, SequentialIds } from '../../../src/index.ts'
import {
  beginProcessing,
  DOCUMENTS,
  download,
  FEEDBACK,
  NOTHING_HAPPENED,
  ReportsClient,
  reportIn,
} from '../../support/reports.ts'
import { errorOf, reasonOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const folder = join(tmpdir(), `souk-report-documents-${process.pid}-${process.env.VITEST_POOL_ID}`)

let souk: TestSouk
let client: ReportsClient
let documentId: string

beforeAll(async () => {
  souk = await startTestSouk({ documents: folder })
  client = new ReportsClient(souk)
  documentId = (await client.finished()).reportDocumentId as string
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const invalidId = {
  status: 400,
  code: 'InvalidInput',
  message: 'The request has an invalid reportDocumentId.',
  details: '',
}

/** The status and the S3 error code of a failed download. */
async function storageErrorOf(address: string) {
  const response = await fetch(address)
  expect(response.headers.get('content-type')).toMatch(/xml/)
  const [, code] = /<Error><Code>(\w+)<\/Code><Message>.+<\/Message>/.exec(await response.text()) ?? []
  return { status: response.status, code }
}

describe('getReportDocument', () => {
  test('returns a signed URL and the compression of the document', async () => {
    const response = await client.get(`${DOCUMENTS}/${documentId}`)
    expect(response.statusCode).toBe(200)
    const { url, ...rest } = response.json()
    expect(rest).toEqual({ reportDocumentId: documentId, compressionAlgorithm: 'GZIP' })
    const { origin, searchParams } = new URL(url)
    expect(origin).toBe(souk.url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Date': '20260601T120000Z',
      'X-Amz-Expires': '300',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Credential': expect.any(String),
      'X-Amz-Signature': expect.any(String),
    })
  })

  test('returns a new URL to the same document later', async () => {
    const first = await client.documentUrl(documentId)
    souk.clock.advance(1_000)
    const second = await client.documentUrl(documentId)
    expect(second).not.toBe(first)
    expect(await download(second)).toBe(await download(first))
  })

  test.each([
    'garbage',
    'amzn1.spdoc.1.4.00000000-0000-4000-8000-000000000000.000000000000',
    '..%2F..%2Fetc%2Fpasswd',
    '%25',
    "'",
  ])('returns 400 for the unknown document %s', async (unknown) => {
    const response = await client.get(`${DOCUMENTS}/${unknown}`)
    expect(errorOf(response)).toEqual(invalidId)
    expect(reasonOf(response)).toContain(`no report document ${decodeURIComponent(unknown)}:`)
  })

  test("returns 400 for another seller's document", async () => {
    const other = new ReportsClient(souk, souk.demo.otherSeller.refreshToken)
    expect(errorOf(await other.get(`${DOCUMENTS}/${documentId}`))).toMatchObject(invalidId)
  })

  test('returns 400 for a report that is not done or has no data', async () => {
    const DELAY = 7_000
    const clock = new ManualClock('2026-06-01T12:00:00Z')
    const slow = new ReportsClient(await startTestSouk({ clock, delay: DELAY, ids: new SequentialIds() }))
    const foreseen = `${DOCUMENTS}/reportDocument-0001`

    const reportId = await slow.created(NOTHING_HAPPENED)
    expect(errorOf(await slow.get(foreseen))).toMatchObject(invalidId)
    await beginProcessing(slow, clock, reportId, DELAY)
    expect(errorOf(await slow.get(foreseen))).toMatchObject(invalidId)
    clock.advance(DELAY)
    await reportIn(slow, reportId, 'CANCELLED')
    expect(errorOf(await slow.get(foreseen))).toMatchObject(invalidId)
  })
})

describe('the download of a report', () => {
  test('is a gzip file with a content type and a charset, and without a content encoding', async () => {
    const response = await fetch(await client.documentUrl(documentId))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(response.headers.has('content-encoding')).toBe(false)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
    expect(gunzipSync(bytes).toString()).toMatch(/^<\?xml [\s\S]*<\/AmazonEnvelope>\n$/)
  })

  test('has a content encoding on request, so that HTTP clients decompress it', async () => {
    const response = await fetch(
      await client.documentUrl(documentId, { query: '?enableContentEncodingUrlHeader=true' }),
    )
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(await response.text()).toBe(await download(await client.documentUrl(documentId)))
  })

  test('has no content encoding when it is declined', async () => {
    const response = await fetch(
      await client.documentUrl(documentId, { query: '?enableContentEncodingUrlHeader=false' }),
    )
    expect(response.headers.has('content-encoding')).toBe(false)
    await response.body?.cancel()
  })

  test('is refused when enableContentEncodingUrlHeader is not a boolean', async () => {
    const response = await client.get(`${DOCUMENTS}/${documentId}?enableContentEncodingUrlHeader=maybe`)
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('works for 300 seconds; after that a new URL does', async () => {
    const address = await client.documentUrl(documentId)
    souk.clock.advance(300_000)
    expect((await fetch(address)).status).toBe(200)
    souk.clock.advance(1_000)
    expect(await storageErrorOf(address)).toEqual({ status: 403, code: 'AccessDenied' })
    expect((await fetch(await client.documentUrl(documentId))).status).toBe(200)
  })

  test('is refused when the URL was changed', async () => {
    const another = (await client.finished({ reportType: FEEDBACK })).reportDocumentId as string
    const address = await client.documentUrl(documentId)
    for (const changed of [
      address.replace(/X-Amz-Signature=./, 'X-Amz-Signature=-'),
      address.replace(documentId, another),
      `${address}&response-content-encoding=gzip`,
    ]) {
      expect(changed).not.toBe(address)
      expect(await storageErrorOf(changed)).toEqual({ status: 403, code: 'SignatureDoesNotMatch' })
    }
  })

  test('returns 404 when the file of the document was deleted', async () => {
    const { reportDocumentId } = await client.finished()
    const address = await client.documentUrl(reportDocumentId)
    rmSync(join(folder, 'reports', reportDocumentId as string))
    expect(await storageErrorOf(address)).toEqual({ status: 404, code: 'NoSuchKey' })
  })
})

describe('a document request with a body', () => {
  const JSON_TYPE = 'application/json'
  const missing = {
    status: 400,
    code: 'InvalidInput',
    message: expect.stringContaining('required parameters'),
    details: expect.stringContaining('contentType'),
  }
  const send = (payload: string, contentType = JSON_TYPE) =>
    client.get(`${DOCUMENTS}/${documentId}`, { headers: { 'content-type': contentType }, payload })

  test.each([
    ['that names a contentType', '{"contentType":"application/json"}', JSON_TYPE],
    ['that has more fields', '{"contentType":"text/xml","x":1}', 'application/json; charset=utf-8'],
    ['that is empty', '', JSON_TYPE],
    ['that is plain text', 'contentType', 'text/plain'],
  ])('%s is accepted', async (_what, payload, contentType) => {
    const response = await send(payload, contentType)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ reportDocumentId: documentId })
  })

  test.each([
    '{}',
    '{"contenttype":"application/json"}',
    '{"contentType":""}',
    '{"contentType":5}',
    '[]',
    '"x"',
    'null',
  ])('%s is refused: contentType is missing', async (payload) => {
    expect(errorOf(await send(payload))).toMatchObject(missing)
  })

  test.each(['{"contentType":', 'contentType=application/json', '{"contentType":"a","contentType":"b"}'])(
    '%s is refused: it is not valid JSON',
    async (payload) => {
      expect(errorOf(await send(payload))).toMatchObject({
        status: 400,
        code: 'InvalidInput',
        message: expect.stringContaining('JSON'),
      })
    },
  )

  test('does not break the connection, which serves the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const token = await client.token()
    /** Sends the body with a content length, or chunked if no length is given. */
    const sendBody = (body: string, length?: number) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const headers = {
          'x-amz-access-token': token,
          'content-type': JSON_TYPE,
          ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
        }
        const outgoing = request(`${souk.url}${DOCUMENTS}/${documentId}`, { agent, headers }, async (response) =>
          resolve({ status: response.statusCode ?? 0, body: await text(response) }),
        )
        outgoing.on('error', reject)
        outgoing.end(body)
      })
    const good = '{"contentType":"application/json"}'
    expect(await sendBody(good, good.length)).toMatchObject({ status: 200 })
    expect(await sendBody('{}', 2)).toMatchObject({ status: 400, body: expect.stringContaining('contentType') })
    expect(await sendBody(good)).toMatchObject({ status: 200 })
    expect(await sendBody('', 0)).toMatchObject({ status: 200 })
    expect(await sendBody('')).toMatchObject({ status: 200 })
    agent.destroy()
  })
})
