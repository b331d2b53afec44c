import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import {
  beginProcessing,
  DAY,
  DE,
  FEEDS,
  FeedsClient,
  feedIn,
  JP,
  LISTINGS,
  RETIRED,
  remove,
  US,
  update,
} from '../../support/feeds.ts'
import { newShoe } from '../../support/listings.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let other: FeedsClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new FeedsClient(souk)
  other = new FeedsClient(souk, souk.demo.otherSeller)
})

/** A document that does no harm. */
const harmless = (seller = client) => seller.document([remove('NOBODY-HAS-THIS')])
const written = () => client.feeds(`feedTypes=${LISTINGS},${RETIRED}&pageSize=100`)

/** Sends a request that must fail without creating a feed, and returns its error. */
async function errorOfCreate(payload: object, seller = client) {
  await souk.idle() // feeds that other lines made have ended, so that nothing but this request can change the list
  const before = await written()
  const error = errorOf(await seller.post(FEEDS, payload))
  expect(await written()).toEqual(before)
  return error
}
const badDocument = (reason: string) => ({
  status: 400,
  code: 'InvalidInput',
  message: 'Invalid request parameters',
  details: expect.stringMatching(new RegExp(`inputFeedDocumentId.*${reason}`)),
})

describe('createFeed', () => {
  test('returns 202 with the id of the feed, a string of eleven or twelve digits', async () => {
    const inputFeedDocumentId = await client.uploaded(harmless())
    const response = await client.createFeed({ inputFeedDocumentId })
    expect(response.statusCode).toBe(202)
    expect(response.json()).toEqual({ feedId: expect.stringMatching(/^\d{11,12}$/) })
  })

  test('accepts several marketplaces, and a duplicate', async () => {
    const feed = await client.finished(harmless(), { marketplaceIds: [US, DE, US] })
    expect(feed).toMatchObject({ marketplaceIds: [US, DE], processingStatus: 'DONE' })
  })

  test('accepts options, and ignores unknown keys', async () => {
    const feed = await client.finished(harmless(), { feedOptions: { custom: 'true', 'a b': '' }, MarketplaceId: 7 })
    expect(feed.processingStatus).toBe('DONE')
  })

  test('starts processing immediately, without waiting for the next poll', async () => {
    await feedIn(client, await client.submitted(harmless()), 'DONE')
  })
})

describe('createFeed refuses, and creates no feed for,', () => {
  let uploaded: string
  beforeAll(async () => {
    uploaded = await client.uploaded(harmless())
  })
  const good = () => ({ feedType: LISTINGS, marketplaceIds: [US], inputFeedDocumentId: uploaded })

  test.each(['POST_NOTHING', 'json_listings_feed', `${LISTINGS} `, 'toString', '__proto__'])(
    'the feed type %o, and lists the valid types',
    async (feedType) => {
      expect(await errorOfCreate({ ...good(), feedType })).toMatchObject({
        status: 400,
        code: 'InvalidInput',
        message: expect.stringContaining('invalid feed type'),
        details: expect.stringContaining(LISTINGS),
      })
    },
  )

  test.each<[string, object, string]>([
    ['no feed type', { feedType: undefined }, 'feedType'],
    ['a feed type that is a number', { feedType: 1 }, 'feedType'],
    ['an empty feed type', { feedType: '' }, 'feedType'],
    ['no marketplaces', { marketplaceIds: undefined }, 'marketplaceIds'],
    ['an empty list of marketplaces', { marketplaceIds: [] }, 'marketplaceIds'],
    ['26 marketplaces', { marketplaceIds: Array(26).fill(US) }, 'marketplaceIds'],
    ['marketplaces that are no list', { marketplaceIds: US }, 'marketplaceIds'],
    ['an invalid marketplace id', { marketplaceIds: [US, 'a b'] }, 'marketplaceIds[1]'],
    ['a marketplace that does not exist', { marketplaceIds: [US, 'A1NOWHERE'] }, 'marketplaceIds'],
    ['no document', { inputFeedDocumentId: undefined }, 'inputFeedDocumentId'],
    ['a document that is a number', { inputFeedDocumentId: 1 }, 'inputFeedDocumentId'],
    ['an empty document id', { inputFeedDocumentId: '' }, 'inputFeedDocumentId'],
    ['options that are text', { feedOptions: 'a=b' }, 'feedOptions'],
    ['an option that is not a string', { feedOptions: { a: 1 } }, 'feedOptions.a'],
    ['51 options', { feedOptions: Object.fromEntries(Array(51).fill('').entries()) }, 'feedOptions'],
  ])('%s, and names the field', async (_what, fields, place) => {
    expect(await errorOfCreate({ ...good(), ...fields })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(`[${place}]`),
    })
  })

  test.each<[string, string[]]>([
    ['alone', [JP]],
    ["beside the seller's own", [US, JP]],
  ])('a marketplace without participation, %s, with 403', async (_how, marketplaceIds) => {
    expect(await errorOfCreate({ ...good(), marketplaceIds })).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringContaining(JP),
    })
  })

  test.each([
    'garbage',
    'amzn1.tortuga.4.na.00000000-0000-4000-8000-000000000000.T0',
    '../../etc/passwd',
    '%00',
    '\ud83d',
  ])('the unknown document %o', async (inputFeedDocumentId) => {
    expect(await errorOfCreate({ ...good(), inputFeedDocumentId })).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('a document without an upload', async () => {
    const { feedDocumentId } = await client.createdDocument()
    expect(await errorOfCreate({ ...good(), inputFeedDocumentId: feedDocumentId })).toMatchObject(
      badDocument('uploaded'),
    )
  })

  test("another seller's document, as if it were unknown", async () => {
    const theirs = await other.uploaded(harmless(other))
    const body = { ...good(), inputFeedDocumentId: theirs }
    expect(await errorOfCreate(body)).toMatchObject(badDocument('The document was not found'))
    expect(await errorOfCreate(body)).toEqual(await errorOfCreate({ ...good(), inputFeedDocumentId: 'no-document' }))
    expect((await other.createFeed({ inputFeedDocumentId: theirs })).statusCode).toBe(202)
  })

  test('a document that another feed already uses', async () => {
    const inputFeedDocumentId = await client.uploaded(harmless())
    expect((await client.createFeed({ inputFeedDocumentId })).statusCode).toBe(202)
    const atOnce = errorOf(await client.post(FEEDS, { ...good(), inputFeedDocumentId }))
    expect(atOnce).toMatchObject(badDocument('already used'))
    await souk.idle()
    expect(await errorOfCreate({ ...good(), inputFeedDocumentId })).toMatchObject(badDocument('already used'))
  })

  test('the result of a feed as a document', async () => {
    const { resultFeedDocumentId } = await client.finished(harmless())
    expect(await errorOfCreate({ ...good(), inputFeedDocumentId: resultFeedDocumentId })).toMatchObject(
      badDocument('The document was not found'),
    )
  })

  test('all but one of many concurrent feeds of one document', async () => {
    const inputFeedDocumentId = await client.uploaded(harmless())
    const before = (await written()).feeds.length
    const responses = await Promise.all(Array.from({ length: 8 }, () => client.createFeed({ inputFeedDocumentId })))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([202, ...Array(7).fill(400)])
    await souk.idle()
    expect((await written()).feeds.length).toBe(before + 1)
  })

  test('a document that was unused for two days', async () => {
    const [first, second] = [await client.uploaded(harmless()), await client.uploaded(harmless())]
    souk.clock.advance(2 * DAY)
    expect((await client.createFeed({ inputFeedDocumentId: first })).statusCode).toBe(202)
    souk.clock.advance(1)
    expect(await errorOfCreate({ ...good(), inputFeedDocumentId: second })).toMatchObject(
      badDocument('The document was not found'),
    )
  })
})

describe('the states of a feed', () => {
  const DELAY = 7_000
  let clock: ManualClock
  let slow: FeedsClient
  beforeAll(async () => {
    clock = new ManualClock('2026-06-01T12:00:00.999Z')
    slow = new FeedsClient(await startTestSouk({ clock, delay: DELAY }))
  })

  test('are IN_QUEUE, IN_PROGRESS and DONE, each with its times', async () => {
    const feedId = await slow.submitted(slow.document([update('STATES', newShoe())]))
    const queued = {
      feedId,
      feedType: LISTINGS,
      marketplaceIds: [US],
      processingStatus: 'IN_QUEUE',
      createdTime: '2026-06-01T12:00:00+00:00',
    }
    expect(await slow.feed(feedId)).toEqual(queued)

    const begun = { ...queued, processingStatus: 'IN_PROGRESS', processingStartTime: '2026-06-01T12:00:07+00:00' }
    expect(await beginProcessing(slow, clock, feedId, DELAY)).toEqual(begun)

    clock.advance(DELAY)
    expect(await feedIn(slow, feedId, 'DONE')).toEqual({
      ...begun,
      processingStatus: 'DONE',
      processingEndTime: '2026-06-01T12:00:14+00:00',
      resultFeedDocumentId: expect.stringMatching(/^amzn1\.tortuga\./),
    })
  })

  test('end with FATAL if the document cannot be processed, with times and a result', async () => {
    const feedId = await slow.submitted('not JSON')
    await beginProcessing(slow, clock, feedId, DELAY)
    clock.advance(DELAY)
    expect(await feedIn(slow, feedId, 'FATAL')).toMatchObject({
      processingStartTime: expect.any(String),
      processingEndTime: expect.any(String),
      resultFeedDocumentId: expect.any(String),
    })
  })
})
