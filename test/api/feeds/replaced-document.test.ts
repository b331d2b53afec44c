import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import { beginProcessing, FeedsClient, FULFILLMENT, LISTINGS, update, upload } from '../../support/feeds.ts'
import { type ListingsClient, newShoe, startListings } from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

const DELAY = 300

const clock = new ManualClock('2026-06-01T12:00:00.000Z')
let souk: TestSouk
let client: FeedsClient
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings({ clock, delay: DELAY }))
  client = new FeedsClient(souk)
})

/** Creates a feed and uploads to its URL again before processing. Returns the finished feed. */
async function replaceBeforeProcessing(first: string, replacements: string[], feedType = LISTINGS) {
  const { feedDocumentId, url } = await client.createdDocument()
  expect((await upload(url, first)).status).toBe(200)
  const response = await client.createFeed({ inputFeedDocumentId: feedDocumentId, feedType })
  expect(response.statusCode, response.body).toBe(202)
  for (const content of replacements) expect((await upload(url, content)).status).toBe(200)
  const { feedId } = response.json()
  await beginProcessing(client, clock, feedId, DELAY)
  clock.advance(DELAY)
  await souk.idle()
  return client.feed(feedId)
}

const document = (sku: string) => client.document([update(sku, newShoe())])
const isThere = async (sku: string) => (await listings.get(sku)).statusCode === 200

describe('an upload to the URL of a document after its feed was created', () => {
  test('makes the feed FATAL when the content differs, with the reason in its result, and neither document is applied', async () => {
    const feed = await replaceBeforeProcessing(document('SUBMITTED'), [document('SMUGGLED')])
    expect(feed.processingStatus).toBe('FATAL')
    const { issues, summary } = await client.report(feed)
    expect(issues).toEqual([
      {
        code: 'BAD_REQUEST',
        severity: 'ERROR',
        message: 'The document was replaced after the feed was created.',
      },
    ])
    expect(summary).toMatchObject({ messagesProcessed: 0, errors: 1 })
    expect([await isThere('SUBMITTED'), await isThere('SMUGGLED')]).toEqual([false, false])
  })

  test('reports the reason in the result of an order feed too', async () => {
    const feed = await replaceBeforeProcessing('<a/>', ['<b/>'], FULFILLMENT)
    expect(feed.processingStatus).toBe('FATAL')
    expect(await client.result(feed)).toContain('replaced after the feed was created')
  })

  test('changes nothing when the content is the same', async () => {
    const feed = await replaceBeforeProcessing(document('SAME-AGAIN'), [document('SAME-AGAIN')])
    expect(feed.processingStatus).toBe('DONE')
    expect(await isThere('SAME-AGAIN')).toBe(true)
  })

  test('does not matter if the original content is uploaded again', async () => {
    const feed = await replaceBeforeProcessing(document('BACK'), [document('FORTH'), document('BACK')])
    expect(feed.processingStatus).toBe('DONE')
    expect([await isThere('BACK'), await isThere('FORTH')]).toEqual([true, false])
  })
})
