import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock, SequentialIds } from '../../../src/index.ts'
import {
  beginProcessing,
  DAY,
  DOCUMENTS,
  download,
  FeedsClient,
  feedIn,
  RETIRED,
  remove,
  SECOND,
  update,
} from '../../support/feeds.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let resultId: string
beforeAll(async () => {
  souk = await startTestSouk()
  client = new FeedsClient(souk)
  resultId = (await client.finished(harmless())).resultFeedDocumentId as string
})

const harmless = (seller = client) => seller.document([remove('NOBODY-HAS-THIS')])
const invalidId = { status: 400, code: 'InvalidInput', message: expect.stringContaining('feedDocumentId') }

describe('getFeedDocument', () => {
  test('returns the download URL of the result and its compression', async () => {
    const response = await client.get(`${DOCUMENTS}/${resultId}`)
    expect(response.statusCode).toBe(200)
    const { url, ...rest } = response.json()
    expect(rest).toEqual({ feedDocumentId: resultId, compressionAlgorithm: 'GZIP' })
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('300')
  })

  test('returns a new URL later, for the same document', async () => {
    const first = await client.documentUrl(resultId)
    souk.clock.advance(SECOND)
    const second = await client.documentUrl(resultId)
    expect(second).not.toBe(first)
    expect(await download(second)).toBe(await download(first))
  })

  test.each(['garbage', '..%2F..%2Fetc%2Fpasswd', '%25', "'", 'amzn1.tortuga.4.na.1.T1'])(
    'returns 400 for %s, which is not a document',
    async (unknown) => {
      expect(errorOf(await client.get(`${DOCUMENTS}/${unknown}`))).toMatchObject(invalidId)
    },
  )

  test('returns 400 for an uploaded document: only results can be downloaded', async () => {
    const documentId = await client.uploaded(harmless())
    expect(errorOf(await client.get(`${DOCUMENTS}/${documentId}`))).toMatchObject(invalidId)
    await client.createFeed({ inputFeedDocumentId: documentId })
    await souk.idle()
    expect(errorOf(await client.get(`${DOCUMENTS}/${documentId}`))).toMatchObject(invalidId)
  })

  test("returns 400 for another seller's result", async () => {
    const other = new FeedsClient(souk, souk.demo.otherSeller)
    expect(errorOf(await other.get(`${DOCUMENTS}/${resultId}`))).toMatchObject(invalidId)
  })

  test('returns 400 for the result of an unfinished feed', async () => {
    const DELAY = 7_000
    const clock = new ManualClock('2026-06-01T12:00:00Z')
    const slow = new FeedsClient(await startTestSouk({ clock, delay: DELAY, ids: new SequentialIds() }))
    const feedId = await slow.submitted(harmless(slow))
    await beginProcessing(slow, clock, feedId, DELAY)
    const foreseen = `${DOCUMENTS}/feedDocument-0002`
    expect(errorOf(await slow.get(foreseen))).toMatchObject(invalidId)
    clock.advance(DELAY)
    expect(await feedIn(slow, feedId, 'DONE')).toMatchObject({ resultFeedDocumentId: 'feedDocument-0002' })
    expect((await slow.get(foreseen)).statusCode).toBe(200)
  })

  test('returns a result until its feed expires', async () => {
    const own = await startTestSouk()
    const seller = new FeedsClient(own)
    const { resultFeedDocumentId } = await seller.finished(harmless(seller))
    own.clock.advance(90 * DAY)
    await seller.documentUrl(resultFeedDocumentId)
    own.clock.advance(1)
    expect(errorOf(await seller.get(`${DOCUMENTS}/${resultFeedDocumentId}`))).toMatchObject(invalidId)
  })
})

describe('the download of a result', () => {
  test('is gzip without a content encoding, of JSON for a JSON feed', async () => {
    const response = await fetch(await client.documentUrl(resultId))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(response.headers.has('content-encoding')).toBe(false)
    expect(JSON.parse(gunzipSync(await response.arrayBuffer()).toString())).toHaveProperty('summary')
  })

  test('is XML for other feeds', async () => {
    const { resultFeedDocumentId } = await client.finished('x', { feedType: RETIRED })
    const response = await fetch(await client.documentUrl(resultFeedDocumentId))
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8')
    expect(gunzipSync(await response.arrayBuffer()).toString()).toMatch(/^<\?xml /)
  })

  test('has a content encoding on request, so that HTTP clients decompress it', async () => {
    const answer = await client.get(`${DOCUMENTS}/${resultId}?enableContentEncodingUrlHeader=true`)
    const response = await fetch(answer.json().url)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toHaveProperty('summary')
  })

  test('is allowed for 300 seconds', async () => {
    const address = await client.documentUrl(resultId)
    souk.clock.advance(300 * SECOND)
    expect((await fetch(address)).status).toBe(200)
    souk.clock.advance(SECOND)
    expect((await fetch(address)).status).toBe(403)
  })

  test('contains texts in any language', async () => {
    const sku = 'SKU "☕" \\ \u2028 𝄞'
    const report = await client.process([update(sku, { item_name: [{ value: 'Ö' }], 'Größe "42"': [{ value: 1 }] })])
    expect(report.issues.every((issue) => issue.sku === sku)).toBe(true)
    expect(report.issues.map(({ attributeName }) => attributeName)).toContain('Größe "42"')
  })
})
