import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPostgresDatabase } from '../support/databases.ts'
import {
  type ListingsClient,
  listingsClient,
  newShoe,
  setAttribute,
  setPrice,
  setQuantity,
} from '../support/listings.ts'
import { buildCompetitorOffer, type MarketClient, marketClient } from '../support/market.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

const AT_ONCE = 12
const SKU = 'SOUK-SHOE-001'
const atOnce = <Result>(make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(index)))

// Two services with ten connections each, on one database. SQLite has one writer at a time.
describe('concurrent requests to two processes on PostgreSQL', () => {
  let services: TestSouk[]
  let databaseUrl: string
  const tokens = new Map<TestSouk, string>()
  beforeAll(async () => {
    databaseUrl = await createPostgresDatabase('schema')
    const first = await startTestSouk({ database: databaseUrl })
    services = [first, await startTestSouk({ database: databaseUrl })]
    for (const souk of services) tokens.set(souk, await souk.tokenFor(souk.demo.refreshToken))
  })

  const souk = () => services[0] as TestSouk
  const any = (index: number) => services[index % services.length] as TestSouk
  const listingsOf = (service: TestSouk): ListingsClient => listingsClient(service, tokens.get(service) as string)
  const marketOf = (service: TestSouk): MarketClient => marketClient(service, tokens.get(service) as string)
  const idle = () => Promise.all(services.map((service) => service.idle()))

  async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const { rows } = await client.query<Row>(text)
    await client.end()
    return rows
  }

  test('send one review request for an order', async () => {
    const { marketplaceId, orders } = souk().demo
    const path = `/solicitations/v1/orders/${orders.eligible[0]}/solicitations/productReviewAndSellerFeedback`
    const responses = await atOnce((index) =>
      any(index).post(`${path}?marketplaceIds=${marketplaceId}`, { token: tokens.get(any(index)), payload: {} }),
    )
    const statuses = responses.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([201, ...Array(AT_ONCE - 1).fill(403)])
  })

  test('sell the last piece once, and every other piece once', async () => {
    const pieces = 4
    await listingsOf(souk()).patch(SKU, [setQuantity(pieces)])
    await idle()
    const orders = await atOnce((index) =>
      any(index)
        .buyer.order({ sku: SKU })
        .catch((error: Error) => error),
    )
    const refused = orders.filter((order) => order instanceof Error)
    expect(refused).toHaveLength(AT_ONCE - pieces)
    const { fulfillmentAvailability } = await listingsOf(souk()).read(SKU)
    expect(fulfillmentAvailability).toMatchObject([{ quantity: 0 }])
  })

  test('count orders and patches of the same stock in one order or the other', async () => {
    const sku = 'SOUK-SHOE-002'
    await listingsOf(souk()).patch(sku, [setQuantity(100)])
    await idle()
    const orders = atOnce((index) => any(index).buyer.order({ sku }))
    const prices = atOnce((index) => listingsOf(any(index)).patch(sku, [setPrice(50 + index)]))
    await Promise.all([orders, prices])
    const { fulfillmentAvailability } = await listingsOf(souk()).read(sku)
    expect(fulfillmentAvailability).toMatchObject([{ quantity: 100 - AT_ONCE }])
  })

  test('lose no change of a listing', async () => {
    const sku = 'SOUK-SHOE-003'
    const names = ['item_name', 'brand', 'manufacturer', 'model_name', 'part_number', 'style', 'material', 'size']
    const patches = names.map((name) => setAttribute(name, { value: `new ${name}` }))
    await Promise.all(patches.map((patch, index) => listingsOf(any(index)).patch(sku, [patch])))
    await idle()
    const { attributes } = await listingsOf(souk()).read(sku)
    for (const name of names) expect(attributes[name], name).toMatchObject([{ value: `new ${name}` }])
  })

  test('leave an offer exactly where a listing is buyable, though listings are deleted, patched and put again', async () => {
    for (let round = 0; round < 3; round++) {
      await atOnce(async (index) => {
        const listings = listingsOf(any(index))
        const sku = `BESIDE-${index % 3}`
        if (index % 4 === 0) await listings.delete(sku)
        else if (index % 2 === 0) await listings.patch(sku, [setPrice(20 + index)])
        else await listings.put(sku, newShoe({ purchasable_offer: [price(30 + index)] }))
      })
      await idle()
    }
    const different = await query(`
      select listings.sku from listings full join offers
        on offers.seller_id = listings.seller_id and offers.sku = listings.sku
        and offers.marketplace_id = listings.marketplace_id and offers.asin = listings.asin
      where (offers.sku is null or offers.from_listing = 1)
        and (offers.price_minor is distinct from case when is_buyable = 1 then listings.price_minor end)`)
    expect(different).toEqual([])
  })

  test('leave the summary of a product current, with one featured offer', async () => {
    const asin = 'B0CONTEST1'
    await marketOf(souk()).addProducts(asin)
    for (let round = 0; round < 3; round++) {
      await atOnce(async (index) => {
        const market = marketOf(any(index))
        if (index % 3 === 0) await market.summary(asin)
        else await market.offer(buildCompetitorOffer(`ASELLER${index % 4}`, { asin, priceMinor: 1000 + round + index }))
      })
      const { featuredBuyingOptions, lowestPricedOffers } = await marketOf(souk()).summary(asin)
      const [lowest] = await query<{ price: number }>(
        `select min(price_minor)::int as price from offers where asin = '${asin}'`,
      )
      expect(featuredBuyingOptions).toHaveLength(1)
      expect(featuredBuyingOptions[0].segmentedFeaturedOffers).toHaveLength(1)
      expect(lowestPricedOffers[0].offers[0].listingPrice.amount * 100).toBeCloseTo(lowest?.price as number)
    }
  })

  test('relate parent and child, whichever is created first', async () => {
    const variation = { variation_theme: [{ name: 'COLOR/SIZE' }] }
    const parentShoe = newShoe({ ...variation, parentage_level: [{ value: 'parent' }] })
    const childShoe = (parent_sku: string) =>
      newShoe({
        ...variation,
        parentage_level: [{ value: 'child' }],
        child_parent_sku_relationship: [{ parent_sku }],
      })
    await atOnce((index) => {
      const parent = `PARENT-${Math.floor(index / 2)}`
      const listings = listingsOf(any(index))
      return index % 2 === 0 ? listings.put(parent, parentShoe) : listings.put(`CHILD-OF-${parent}`, childShoe(parent))
    })
    await idle()
    const unrelated = await query(
      `select sku from listings where (sku like 'PARENT-%' or sku like 'CHILD-OF-%') and has_relations = 0`,
    )
    expect(unrelated).toEqual([])
    expect(await query(`select 1 from listing_relations where parent_sku like 'PARENT-%'`)).toHaveLength(AT_ONCE / 2)
  })
})

const price = (value_with_tax: number) => ({ currency: 'USD', our_price: [{ schedule: [{ value_with_tax }] }] })
