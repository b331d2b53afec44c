import { beforeAll, describe, expect, test } from 'vitest'
import { DAY, DE, FEEDS, FeedsClient, LISTINGS, remove, US } from '../../support/feeds.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new FeedsClient(souk)
})

const harmless = () => client.document([remove('NOBODY-HAS-THIS')])

describe('getFeed', () => {
  test('returns the fields of the feed, and times in seconds with the offset', async () => {
    expect(await client.finished(harmless(), { marketplaceIds: [DE, US] })).toEqual({
      feedId: expect.stringMatching(/^\d{11,12}$/),
      feedType: LISTINGS,
      marketplaceIds: [DE, US],
      processingStatus: 'DONE',
      createdTime: '2026-06-01T12:00:00+00:00',
      processingStartTime: '2026-06-01T12:00:00+00:00',
      processingEndTime: '2026-06-01T12:00:00+00:00',
      resultFeedDocumentId: expect.any(String),
    })
  })

  test.each(['1', '123456789012', 'badFeedId1', "'", '%25', '%F0%9F%98%80', '-1', '1.5'])(
    'returns 404 for %s, which is not a feed',
    async (feedId) => {
      expect(errorOf(await client.get(`${FEEDS}/${feedId}`))).toMatchObject({ status: 404, code: 'NotFound' })
    },
  )

  test("returns 404 for another seller's feed", async () => {
    const other = new FeedsClient(souk, souk.demo.otherSeller)
    const { feedId } = await client.finished(harmless())
    const theirs = errorOf(await other.get(`${FEEDS}/${feedId}`))
    const nobodys = errorOf(await other.get(`${FEEDS}/123456789012`))
    expect(theirs.status).toBe(404)
    expect({ ...theirs, details: theirs.details?.replace(feedId, '') }).toEqual({
      ...nobodys,
      details: nobodys.details?.replace('123456789012', ''),
    })
  })

  test('returns a feed for ninety days, then 404', async () => {
    const { feedId } = await client.finished(harmless())
    souk.clock.advance(90 * DAY)
    expect((await client.feed(feedId)).processingStatus).toBe('DONE')
    souk.clock.advance(1)
    expect(errorOf(await client.get(`${FEEDS}/${feedId}`))).toMatchObject({ status: 404, code: 'NotFound' })
  })
})
