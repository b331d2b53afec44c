import { beforeAll, describe, expect, test } from 'vitest'
import type { Feed } from '../../../src/areas/feeds/schema.ts'
import { DAY, DE, FEEDS, FeedsClient, FULFILLMENT, LISTINGS, MINUTE, RETIRED, remove, US } from '../../support/feeds.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let other: FeedsClient
/** In order of creation: one per minute from noon. */
const made: Record<'us' | 'both' | 'german' | 'retired' | 'broken', string> = {} as never

beforeAll(async () => {
  souk = await startTestSouk()
  client = new FeedsClient(souk)
  other = new FeedsClient(souk, souk.demo.otherSeller)
  const harmless = (seller: FeedsClient) => seller.document([remove('NOBODY-HAS-THIS')])
  const make = async (content: string, fields?: object) => {
    const { feedId } = await client.finished(content, { ...fields })
    souk.clock.advance(MINUTE)
    return feedId
  }
  made.us = await make(harmless(client))
  made.both = await make(harmless(client), { marketplaceIds: [US, DE] })
  made.german = await make(harmless(client), { marketplaceIds: [DE] })
  made.retired = await make('<xml/>', { feedType: RETIRED })
  made.broken = await make('{')
  await other.finished(harmless(other))
})

const idsOf = ({ feeds }: { feeds: Feed[] }) => feeds.map(({ feedId }) => feedId)
const found = async (query: string) => idsOf(await client.feeds(query))

describe('getFeeds', () => {
  test("returns the seller's feeds of the requested types, newest first, as getFeed does", async () => {
    const { feeds, ...rest } = await client.feeds(`feedTypes=${LISTINGS},${RETIRED}`)
    expect(rest).toEqual({})
    expect(feeds).toEqual(
      await Promise.all(
        [made.broken, made.retired, made.german, made.both, made.us].map((feedId) => client.feed(feedId)),
      ),
    )
  })

  test.each<[string, (keyof typeof made)[]]>([
    [`feedTypes=${LISTINGS}`, ['broken', 'german', 'both', 'us']],
    [`feedTypes=${RETIRED}`, ['retired']],
    [`feedTypes=${FULFILLMENT}`, []],
    ['feedTypes=POST_NOTHING', []],
    [`feedTypes=${LISTINGS}&feedTypes=${RETIRED}&processingStatuses=FATAL`, ['broken', 'retired']],
    [`feedTypes=${LISTINGS}&processingStatuses=DONE,FATAL`, ['broken', 'german', 'both', 'us']],
    [`feedTypes=${LISTINGS}&processingStatuses=IN_QUEUE`, []],
    [`feedTypes=${LISTINGS}&marketplaceIds=${DE}`, ['german', 'both']],
    [`feedTypes=${LISTINGS}%2C${RETIRED}&marketplaceIds=${DE},${US}`, ['broken', 'retired', 'german', 'both', 'us']],
    [`feedTypes=${LISTINGS}&createdSince=2026-06-01T12:01:00Z`, ['broken', 'german', 'both']],
    [`feedTypes=${LISTINGS}&createdUntil=2026-06-01T12:01:00Z`, ['both', 'us']],
    [
      `feedTypes=${LISTINGS}&createdSince=2026-06-01T12:01:00Z&createdUntil=2026-06-01T14:02:00%2B02:00`,
      ['german', 'both'],
    ],
  ])('filters by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected.map((name) => made[name]))
  })

  test.each([
    ['', 'feedTypes'],
    ['processingStatuses=DONE', 'feedTypes'],
    ['feedTypes=', 'feedTypes'],
    [`feedTypes=${Array.from({ length: 11 }, (_, index) => `T${index}`)}`, 'feedTypes'],
    [`feedTypes=${LISTINGS}&processingStatuses=EXCELLENT`, 'processingStatuses'],
    [`feedTypes=${LISTINGS}&marketplaceIds=a%20b`, 'marketplaceIds'],
    [`feedTypes=${LISTINGS}&pageSize=0`, 'pageSize'],
    [`feedTypes=${LISTINGS}&pageSize=101`, 'pageSize'],
    [`feedTypes=${LISTINGS}&createdSince=yesterday`, 'createdSince'],
    [`feedTypes=${LISTINGS}&createdSince=2026-06-02&createdUntil=2026-06-01`, 'createdSince'],
  ])('refuses %o, and names the parameter', async (query, parameter) => {
    expect(errorOf(await client.get(`${FEEDS}?${query}`))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(parameter),
    })
  })
})

describe('pages of feeds', () => {
  let own: TestSouk
  let seller: FeedsClient
  let other: FeedsClient
  const created: string[] = []
  beforeAll(async () => {
    own = await startTestSouk()
    seller = new FeedsClient(own)
    other = new FeedsClient(own, own.demo.otherSeller)
    for (let index = 0; index < 12; index++) {
      // Four feeds share each timestamp.
      if (index % 4 === 0) own.clock.advance(MINUTE)
      created.push(await seller.submitted('x', { feedType: RETIRED }))
    }
    for (let index = 0; index < 3; index++) await other.submitted('x', { feedType: RETIRED })
    await own.idle()
  })

  const tokenOf = async (query: string) => (await seller.feeds(query)).nextToken ?? ''
  const useToken = (by: FeedsClient, token: string, more = '') =>
    by.get(`${FEEDS}?nextToken=${encodeURIComponent(token)}${more}`)

  async function walk(query: string): Promise<string[][]> {
    const pages: string[][] = []
    for (let next: string | undefined = query; next !== undefined; ) {
      const page = await seller.feeds(next)
      pages.push(idsOf(page))
      next = page.nextToken === undefined ? undefined : `nextToken=${encodeURIComponent(page.nextToken)}`
    }
    return pages
  }

  test.each<[string, number[]]>([
    ['', [10, 2]],
    ['&pageSize=1', Array(12).fill(1)],
    ['&pageSize=5', [5, 5, 2]],
    ['&pageSize=12', [12]],
    [`&pageSize=3&processingStatuses=FATAL&marketplaceIds=${US}&createdSince=2026-06-01T12:02:00Z`, [3, 3, 2]],
  ])('with %o contain every feed once, though many share a time', async (query, sizes) => {
    const pages = await walk(`feedTypes=${RETIRED}${query}`)
    expect(pages.map((page) => page.length)).toEqual(sizes)
    const shown = pages.flat()
    expect(new Set(shown)).toEqual(new Set(created.slice(-shown.length)))
    expect(new Set(shown).size).toBe(shown.length)
  })

  test.each([
    `feedTypes=${RETIRED}`,
    'processingStatuses=DONE',
    `marketplaceIds=${US}`,
    'pageSize=10',
    'createdSince=2026-06-01',
  ])('are refused when %s is sent with the token', async (parameter) => {
    const token = await tokenOf(`feedTypes=${RETIRED}`)
    expect(errorOf(await useToken(seller, token, `&${parameter}`))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(parameter.split('=')[0] as string),
    })
  })

  test("contain only the caller's feeds, even with the token of another seller", async () => {
    const { feeds } = (await useToken(other, await tokenOf(`feedTypes=${RETIRED}&pageSize=1`))).json()
    for (const { feedId } of feeds) expect(created).not.toContain(feedId)
  })

  test('contain no feed older than ninety days, however old the token is', async () => {
    const token = await tokenOf(`feedTypes=${RETIRED}&pageSize=1`)
    // Feeds of one moment have creation times a millisecond apart.
    own.clock.advance(90 * DAY + MINUTE)
    expect((await useToken(seller, token)).json()).toEqual({ feeds: [] })
  })

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  test.each<[string, string]>([
    ['garbage', 'garbage'],
    ['of another alphabet', '€ + / ='],
    ['an object', encode({ feedTypes: [LISTINGS] })],
    ['a list of too few', encode([LISTINGS])],
    ['a list of numbers', encode(Array(8).fill(1))],
    ['a list of empty texts', encode(Array(8).fill(''))],
    ['very long', 'A'.repeat(4001)],
  ])('are refused for a token that the service did not issue: %s', async (_what, token) => {
    expect(errorOf(await useToken(seller, token))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })
})
