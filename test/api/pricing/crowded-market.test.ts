import { beforeAll, describe, expect, test } from 'vitest'
import { loadMarketOffers } from '../../../src/marketplace/market/market-offers.ts'
import { createOfferWriter } from '../../../src/marketplace/offers/offers.ts'
import type { Database } from '../../../src/platform/database/port.ts'
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
  const crowd = (asin: string, skus: number) =>
    database.transact((tx) =>
      write(
        tx,
        Array.from({ length: skus }, (_, index) =>
          buildOffer({ marketplaceId: US, asin, sellerId: 'AMIDDLE', sku: `SKU-${String(index).padStart(5, '0')}` }),
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
    await crowd(asin, skus)
    await others(asin)
    const response = await market.get(`/items/${asin}/offers?MarketplaceId=${US}&ItemCondition=New`)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().payload.Summary.TotalOfferCount).toBe(102)
  })

  test('is not read whole', async () => {
    const key = { marketplaceId: US, asin: 'B0CROWD002' }
    const offers = await database.read((reader) => loadMarketOffers(reader, [key]))
    expect(offers.length).toBeLessThanOrEqual(1_100)
    expect(new Set(offers.map(({ sellerId }) => sellerId))).toEqual(new Set(['ABEFORE', 'AMIDDLE', 'AZAFTER']))
    const read = new Set(offers.filter(({ sellerId }) => sellerId === 'AMIDDLE').map(({ sku }) => sku))
    for (let index = 0; index < 100; index++) expect(read).toContain(`SKU-${String(index).padStart(5, '0')}`)
  })
})
