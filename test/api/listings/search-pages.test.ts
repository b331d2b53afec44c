import { beforeAll, describe, expect, test } from 'vitest'
import { FeedsClient } from '../../support/feeds.ts'
import {
  IN_BOTH,
  IN_US,
  type ListingsClient,
  listingsClient,
  setQuantity,
  startListings,
} from '../../support/listings.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

interface Page {
  numberOfResults: number
  pagination: { nextToken?: string; previousToken?: string }
  items: { sku: string }[]
}

let souk: TestSouk
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings())
})

const search = async (query: string): Promise<Page> => (await listings.search(query)).json()
const skusOf = ({ items }: Page) => items.map(({ sku }) => sku)

/** Walks to the last page, and all the way back. */
async function walk(query: string) {
  const forward = [await search(query)]
  for (let page = forward[0]; page?.pagination.nextToken; ) {
    page = await search(`${query}&pageToken=${page.pagination.nextToken}`)
    forward.push(page)
  }
  const back = []
  for (let page = forward.at(-1); page?.pagination.previousToken; ) {
    page = await search(`${query}&pageToken=${page.pagination.previousToken}`)
    back.unshift(page)
  }
  return { forward, back }
}

describe('the pages of a search', () => {
  test.each([
    [`${IN_US}&pageSize=20`],
    [`${IN_US}&pageSize=13&sortBy=sku&sortOrder=ASC`],
    [`${IN_US}&pageSize=13&sortBy=sku&sortOrder=DESC`],
    [`${IN_US}&pageSize=17&sortBy=createdDate&sortOrder=ASC`],
    [`${IN_US}&pageSize=7&sortBy=lastUpdatedDate&withStatus=BUYABLE`],
    [`${IN_BOTH}&pageSize=19&sortBy=createdDate`],
  ])('contain each item once, forward and back: %s', async (query) => {
    const { forward, back } = await walk(query)
    const all = forward.flatMap(skusOf)
    expect(all.length).toBeGreaterThan(100)
    expect(new Set(all).size).toBe(all.length)
    for (const page of forward) expect(page.numberOfResults).toBe(all.length)
    expect([...back, forward.at(-1) as Page].map(skusOf)).toEqual(forward.map(skusOf))
    expect(forward[0]?.pagination).not.toHaveProperty('previousToken')
    expect(forward.at(-1)?.pagination).not.toHaveProperty('nextToken')
    expect(back[0]?.pagination).not.toHaveProperty('previousToken')
  })

  test('are in the requested order', async () => {
    const skus = async (order: string) =>
      (await walk(`${IN_US}&pageSize=20&sortBy=sku&sortOrder=${order}`)).forward.flatMap(skusOf)
    const ascending = await skus('ASC')
    // By code units, as both databases compare.
    expect(ascending).toEqual(ascending.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(await skus('DESC')).toEqual(ascending.toReversed())
  })

  test('contain each item once when many share a timestamp', async () => {
    for (let index = 0; index < 45; index++) await listings.patch(`TWIN-${index % 9}${index}`, [setQuantity(1)])
    const query = `${IN_US}&pageSize=4&lastUpdatedAfter=${souk.clock.now().toISOString()}`
    for (const order of ['ASC', 'DESC']) {
      const { forward, back } = await walk(`${query}&sortOrder=${order}`)
      const all = forward.flatMap(skusOf).filter((sku) => sku.startsWith('TWIN'))
      expect(all.length).toBe(45)
      expect(new Set(all).size).toBe(45)
      expect([...back, forward.at(-1) as Page].map(skusOf)).toEqual(forward.map(skusOf))
    }
  })

  test('return the same page after one step back and forward', async () => {
    const query = `${IN_US}&pageSize=5&sortBy=sku`
    const first = await search(query)
    const second = await search(`${query}&pageToken=${first.pagination.nextToken}`)
    const back = await search(`${query}&pageToken=${second.pagination.previousToken}`)
    expect(skusOf(back)).toEqual(skusOf(first))
    const again = await search(`${query}&pageToken=${back.pagination.nextToken}`)
    expect(again).toEqual(second)
  })

  test('may change their size in between', async () => {
    const first = await search(`${IN_US}&pageSize=3&sortBy=sku&sortOrder=ASC`)
    const next = await search(`${IN_US}&pageSize=20&sortBy=sku&sortOrder=ASC&pageToken=${first.pagination.nextToken}`)
    const whole = await search(`${IN_US}&pageSize=20&sortBy=sku&sortOrder=ASC`)
    expect([...skusOf(first), ...skusOf(next)].slice(0, 20)).toEqual(skusOf(whole))
  })

  test('skip no item when returned items change in between', async () => {
    const query = `${IN_US}&pageSize=5&sortBy=sku&sortOrder=ASC`
    const first = await search(query)
    await listings.delete(skusOf(first)[4] as string)
    const next = await search(`${query}&pageToken=${first.pagination.nextToken}`)
    const wanted = skusOf(await search(`${IN_US}&pageSize=20&sortBy=sku&sortOrder=ASC`)).slice(4, 9)
    expect(skusOf(next)).toEqual(wanted)
  })
})

describe('a page token', () => {
  const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')

  test.each([
    ['nonsense', 'nonsense'],
    ['empty', ''],
    ['of another shape', encode(['next', 'x'])],
    ['in no direction', encode(['sideways', 'x', 'y', '10'])],
    ['that is not a list', encode({ direction: 'next' })],
    ['with a count that is not a number', encode(['next', 'x', 'y', 'many'])],
    ['with a negative count', encode(['next', 'x', 'y', '-5'])],
    ['beyond the deepest page', encode(['next', 'x', 'y', '1000'])],
    ['with a NUL', encode(['next', '\0', 'y', '10'])],
    ['with numbers for text', encode(['next', 5, 'y', '10'])],
    ['of 3,000 characters', 'x'.repeat(3000)],
  ])('is refused: %s', async (_, token) => {
    expect(errorOf(await listings.search(`${IN_US}&pageToken=${token}`))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
  })

  test("of another seller returns only the caller's own listings", async () => {
    const others = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const first = await search(`${IN_US}&pageSize=20&sortBy=sku&sortOrder=ASC`)
    const client = listingsClient(souk, others, souk.demo.otherSeller.sellerId)
    const page = (
      await client.search(`${IN_US}&pageSize=20&sortBy=sku&sortOrder=ASC&pageToken=${first.pagination.nextToken}`)
    ).json()
    const own = (await client.search(`${IN_US}&pageSize=20`)).json()
    expect(new Set(skusOf(own))).toEqual(new Set([...skusOf(own), ...skusOf(page)]))
  })
})

test('a search pages and counts up to 1,000 results', async () => {
  const feeds = new FeedsClient(souk)
  const messages = Array.from({ length: 830 }, (_, index) => ({
    messageId: index + 1,
    sku: `MANY-${String(index).padStart(4, '0')}`,
    operationType: 'PATCH',
    productType: 'SHOES',
    patches: [setQuantity(1)],
  }))
  await feeds.finished(feeds.document(messages))
  const { forward, back } = await walk(`${IN_US}&pageSize=15&sortBy=sku&sortOrder=ASC`)
  const shown = forward.flatMap(skusOf)
  expect(forward[0]?.numberOfResults).toBe(1000)
  expect(shown).toHaveLength(1000)
  expect(new Set(shown).size).toBe(1000)
  expect(back.flatMap(skusOf).slice(0, 990)).toEqual(shown.slice(0, 990))
  for (const page of back.slice(1)) expect(page.items).toHaveLength(15)
})
