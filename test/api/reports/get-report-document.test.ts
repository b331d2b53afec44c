import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SequentialIds } from '../../../src/index.ts'
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
import { WatchedClock } from '../../support/watched-clock.ts'

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

/** Status and S3's code of a refusal. */
async function storageErrorOf(address: string) {
  const response = await fetch(address)
  expect(response.headers.get('content-type')).toMatch(/xml/)
  const [, code] = /<Error><Code>(\w+)<\/Code><Message>.+<\/Message>/.exec(await response.text()) ?? []
  return { status: response.status, code }
}

describe('getReportDocument', () => {
  test('answers where the document is to be fetched from, and that it is compressed', async () => {
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

  test('gives another address when time has passed, and the same document', async () => {
    const first = await client.address(documentId)
    souk.clock.advance(1_000)
    const second = await client.address(documentId)
    expect(second).not.toBe(first)
    expect(await download(second)).toBe(await download(first))
  })

  test.each([
    'garbage',
    'amzn1.spdoc.1.4.00000000-0000-4000-8000-000000000000.000000000000',
    '..%2F..%2Fetc%2Fpasswd',
    '%25',
    "'",
  ])('answers 400 for %s, which is no document', async (unknown) => {
    const response = await client.get(`${DOCUMENTS}/${unknown}`)
    expect(errorOf(response)).toEqual(invalidId)
    expect(reasonOf(response)).toContain(`no report document ${decodeURIComponent(unknown)}:`)
  })

  test("answers 400 for another seller's document", async () => {
    const other = new ReportsClient(souk, souk.demo.otherSeller.refreshToken)
    expect(errorOf(await other.get(`${DOCUMENTS}/${documentId}`))).toMatchObject(invalidId)
  })

  test('answers 400 for the document of a report that is not done yet, or that had no data', async () => {
    const DELAY = 7_000
    const clock = new WatchedClock('2026-06-01T12:00:00Z')
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
  test('is gzip as it is, with a type and a charset, and without a content encoding', async () => {
    const response = await fetch(await client.address(documentId))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(response.headers.has('content-encoding')).toBe(false)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
    expect(gunzipSync(bytes).toString()).toMatch(/^<\?xml [\s\S]*<\/AmazonEnvelope>\n$/)
  })

  test('says that it is encoded when that was asked for, so that HTTP clients decompress it', async () => {
    const response = await fetch(await client.address(documentId, { query: '?enableContentEncodingUrlHeader=true' }))
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(await response.text()).toBe(await download(await client.address(documentId)))
  })

  test('says no such thing when it was declined', async () => {
    const response = await fetch(await client.address(documentId, { query: '?enableContentEncodingUrlHeader=false' }))
    expect(response.headers.has('content-encoding')).toBe(false)
    await response.body?.cancel()
  })

  test('is not served when the question is neither yes nor no', async () => {
    const response = await client.get(`${DOCUMENTS}/${documentId}?enableContentEncodingUrlHeader=maybe`)
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('works for 300 seconds; after that a fresh address does', async () => {
    const address = await client.address(documentId)
    souk.clock.advance(300_000)
    expect((await fetch(address)).status).toBe(200)
    souk.clock.advance(1_000)
    expect(await storageErrorOf(address)).toEqual({ status: 403, code: 'AccessDenied' })
    expect((await fetch(await client.address(documentId))).status).toBe(200)
  })

  test('is refused when the address was changed', async () => {
    const another = (await client.finished({ reportType: FEEDBACK })).reportDocumentId as string
    const address = await client.address(documentId)
    for (const changed of [
      address.replace(/X-Amz-Signature=./, 'X-Amz-Signature=-'),
      address.replace(documentId, another),
      `${address}&response-content-encoding=gzip`,
    ]) {
      expect(changed).not.toBe(address)
      expect(await storageErrorOf(changed)).toEqual({ status: 403, code: 'SignatureDoesNotMatch' })
    }
  })

  test('is 404 when the document was removed behind the back of the service', async () => {
    const { reportDocumentId } = await client.finished()
    const address = await client.address(reportDocumentId)
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
    ['that says its contentType', '{"contentType":"application/json"}', JSON_TYPE],
    ['that says more', '{"contentType":"text/xml","x":1}', 'application/json; charset=utf-8'],
    ['that is empty', '', JSON_TYPE],
    ['that is no JSON and does not claim to be', 'contentType', 'text/plain'],
  ])('%s is served', async (_what, payload, contentType) => {
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
  ])('of %s hears that contentType is missing', async (payload) => {
    expect(errorOf(await send(payload))).toMatchObject(missing)
  })

  test.each(['{"contentType":', 'contentType=application/json', '{"contentType":"a","contentType":"b"}'])(
    'of %s hears that it is not JSON',
    async (payload) => {
      expect(errorOf(await send(payload))).toMatchObject({
        status: 400,
        code: 'InvalidInput',
        message: expect.stringContaining('JSON'),
      })
    },
  )

  test('is answered on a real connection too, which serves the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const token = await client.token()
    /** With a length, or in chunks when it is not told. */
    const ask = (body: string, length?: number) =>
      new Promise<{ status: number; answer: string }>((resolve, reject) => {
        const headers = {
          'x-amz-access-token': token,
          'content-type': JSON_TYPE,
          ...(length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
        }
        const asking = request(`${souk.url}${DOCUMENTS}/${documentId}`, { agent, headers }, async (response) =>
          resolve({ status: response.statusCode ?? 0, answer: await text(response) }),
        )
        asking.on('error', reject)
        asking.end(body)
      })
    const good = '{"contentType":"application/json"}'
    expect(await ask(good, good.length)).toMatchObject({ status: 200 })
    expect(await ask('{}', 2)).toMatchObject({ status: 400, answer: expect.stringContaining('contentType') })
    expect(await ask(good)).toMatchObject({ status: 200 })
    expect(await ask('', 0)).toMatchObject({ status: 200 })
    expect(await ask('')).toMatchObject({ status: 200 })
    agent.destroy()
  })
})
