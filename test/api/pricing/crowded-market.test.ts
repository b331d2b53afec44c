import { beforeAll, describe, expect, test } from 'vitest'
import { loadMarketOffers } from '../../../src/marketplace/market/market-offers.ts'
import { createOfferWriter } from '../../../src/marketplace/offers/offers.ts'
import type { Database, Reader } from '../../../src/platform/database/port.ts'
import type { PreparedQuery } from '../../../src/platform/database/query.ts'
import { startWatchedListings } from '../../support/listings.ts'
import { buildOffer, type MarketClient, marketClient, US } from '../../support/market.ts'

describe('a product that one seller offers under very many SKUs', () => {
  let market: MarketClient
  let database: Database
  beforeAll(async () => {
    const started = await startWatchedListings()
    database = started.database
    market = marketClient(started.souk, started.token)
  })

  const { write } = createOfferWriter(async () => {})
  const skuOf = (prefix: string, index: number) => `${prefix}${String(index).padStart(5, '0')}`
  const crowd = (asin: string, skus: number, prefix: string) =>
    database.transact((tx) =>
      write(
        tx,
        Array.from({ length: skus }, (_, index) =>
          buildOffer({ marketplaceId: US, asin, sellerId: 'AMIDDLE', sku: skuOf(prefix, index) }),
        ),
      ),
    )
  const others = (asin: string) =>
    database.transact((tx) =>
      write(
        tx,
        ['ABEFORE', 'AZAFTER'].map((sellerId) => buildOffer({ marketplaceId: US, asin, sellerId, sku: 'ONLY' })),
      ),
    )

  test.each([
    ['B0CROWD001', 150],
    ['B0CROWD002', 6_000],
  ])('has a hundred of their offers in its market, and all offers of other sellers: %s', async (asin, skus) => {
    await market.addProducts(asin)
    await crowd(asin, skus, 'SKU-')
    await others(asin)
    const response = await market.get(`/items/${asin}/offers?MarketplaceId=${US}&ItemCondition=New`)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().payload.Summary.TotalOfferCount).toBe(102)
  })

  test('has a summary, and so have products that are asked for at the same time', async () => {
    const [crowded, ...few] = ['B0CROWD005', 'B0CROWD006', 'B0CROWD007'] as const
    for (const asin of [crowded, ...few]) {
      await market.addProducts(asin)
      await others(asin)
    }
    await crowd(crowded, 6_000, 'SKU-')
    const summaries = await Promise.all([...few, crowded].map((asin) => market.summary(asin)))
    expect(summaries.map(({ asin }) => asin)).toEqual([...few, crowded])
  })

  test.each([
    ['B0CROWD003', 'SKU-'],
    // No text is greater than all others: this one with a suffix is greater than alone.
    ['B0CROWD004', '\u{10FFFF}'],
  ])('is not read whole, whatever the SKUs are: %s', async (asin, prefix) => {
    await crowd(asin, 6_000, prefix)
    await others(asin)
    const offers = await database.read((reader) =>
      loadMarketOffers(limitReads(reader, 5), [{ marketplaceId: US, asin }]),
    )
    expect(offers.length).toBeLessThanOrEqual(1_100)
    expect(new Set(offers.map(({ sellerId }) => sellerId))).toEqual(new Set(['ABEFORE', 'AMIDDLE', 'AZAFTER']))
    const read = new Set(offers.filter(({ sellerId }) => sellerId === 'AMIDDLE').map(({ sku }) => sku))
    for (let index = 0; index < 100; index++) expect(read).toContain(skuOf(prefix, index))
  })
})

/** Fails a caller that reads on and on. On SQLite, no timer would end it. */
function limitReads(reader: Reader, limit: number): Reader {
  let reads = 0
  const all = async (query: PreparedQuery<unknown, unknown>, params: unknown) => {
    if (++reads > limit) throw new Error(`More than ${limit} reads`)
    return reader.all(query, params)
  }
  return { dialect: reader.dialect, all: all as Reader['all'], first: reader.first.bind(reader) }
}
