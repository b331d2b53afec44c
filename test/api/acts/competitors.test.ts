import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildCatalogItem } from '../../support/catalog.ts'
import { buildCompetitorOffer, type MarketClient, startMarket, US } from '../../support/market.ts'
import { notificationsClient, receive } from '../../support/notifications.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let market: MarketClient
let asin: string
let products = 0

beforeAll(async () => {
  ;({ souk, market } = await startMarket())
})

beforeEach(async () => {
  asin = `B0ACTS${String(++products).padStart(4, '0')}`
  await market.addProducts(asin)
})

const act = (name: string, payload: object) => souk.post(`/_souk/acts/competitor/${name}`, { payload })
const offers = async () =>
  (await souk.get(`/operator/v1/offers?marketplaceId=${US}&asin=${asin}`, { headers: souk.operator })).json().offers

describe('a competitor', () => {
  test('joins a product, changes its price and leaves, and the featured offer follows', async () => {
    await souk.competitor.join({ asin, sellerId: 'AFIRST', price: 20 })
    expect(await market.featured(asin)).toBe('AFIRST')
    await souk.competitor.join({ asin, sellerId: 'ASECOND', price: 19.99 })
    expect(await market.featured(asin)).toBe('ASECOND')
    const changed = await souk.competitor.setPrice({ asin, sellerId: 'AFIRST', price: 18.5 })
    expect(changed).toMatchObject({ sellerId: 'AFIRST', priceMinor: 1850, shippingMinor: 0, quantity: 10 })
    expect(await market.featured(asin)).toBe('AFIRST')
    await souk.competitor.leave({ asin, sellerId: 'AFIRST' })
    expect(await offers()).toMatchObject([{ sellerId: 'ASECOND' }])
  })

  test('has sensible defaults: a new id, the lowest price, and the best competitor', async () => {
    await souk.competitor.join({ asin, price: 30 })
    expect(await souk.competitor.join({ asin })).toMatchObject({ sellerId: 'ACOMPETITOR2', priceMinor: 3000 })
    await souk.competitor.setPrice({ asin, sellerId: 'ACOMPETITOR2', price: 25 })
    expect(await souk.competitor.setPrice({ asin, price: 24 })).toMatchObject({ sellerId: 'ACOMPETITOR2' })
    await souk.competitor.leave({ asin })
    expect(await offers()).toMatchObject([{ sellerId: 'ACOMPETITOR1', priceMinor: 3000 }])
  })

  test('keeps all other terms of its offer when its price changes', async () => {
    const offer = buildCompetitorOffer('AKEEPS', {
      asin,
      fulfillmentType: 'AFN',
      shippingMinor: 490,
      quantity: 7,
      terms: { prime: 'NATIONAL' },
    })
    await market.offer(offer)
    await souk.competitor.setPrice({ asin, sellerId: 'AKEEPS', price: 12.34 })
    expect(await offers()).toEqual([{ ...offer, priceMinor: 1234 }])
  })

  test('causes ANY_OFFER_CHANGED for sellers of the product', async () => {
    const [sold] = souk.demo.asins as [string]
    souk.clock.advance(1000)
    await notificationsClient(souk).listen('competitors', 'ANY_OFFER_CHANGED')
    await souk.competitor.setPrice({ asin: sold, price: 0.99 })
    await souk.idle()
    const received = await receive(souk.queueUrl, 'competitors')
    expect(received).toHaveLength(1)
    expect(JSON.stringify(received[0])).toContain('"Amount":0.99')
  })

  test.each<[string, string, object, string]>([
    ['of an unknown product', 'setPrice', { asin: 'B000000000', price: 1 }, 'asin does not exist in the marketplace.'],
    ['in an unknown marketplace', 'join', { marketplaceId: 'NONE', price: 1 }, 'marketplaceId does not exist.'],
    ['that is not there', 'setPrice', { sellerId: 'ANEW', price: 1 }, 'sellerId has no such offer for the product.'],
    ['that leaves twice', 'leave', { sellerId: 'ANEW' }, 'sellerId has no such offer for the product.'],
    ['without a price', 'setPrice', { sellerId: 'AOLD' }, 'price is required.'],
    ['with half a cent', 'setPrice', { sellerId: 'AOLD', price: 1.005 }, 'price has more decimals than USD.'],
    ['with a price below zero', 'setPrice', { sellerId: 'AOLD', price: -1 }, 'price must be at least 0.'],
    ['that joins twice', 'join', { sellerId: 'AOLD', price: 1 }, 'sellerId already has an offer for the product.'],
  ])('%s is refused, and nothing is written', async (_what, name, payload, details) => {
    const offer = buildCompetitorOffer('AOLD', { asin })
    await market.offer(offer)
    expect(errorOf(await act(name, { asin, ...payload }))).toMatchObject({ status: 400, details })
    expect(await offers()).toEqual([{ ...offer }])
  })

  test('cannot change the offer of a listing, or join a product without offers at no price', async () => {
    const [sold] = souk.demo.asins
    const { sellerId } = souk.demo
    expect(errorOf(await act('setPrice', { asin: sold, sellerId, price: 1 })).details).toBe(
      "sellerId has the offer of a seller's listing.",
    )
    expect(errorOf(await act('join', { asin })).details).toBe('price is required: the product has no offers.')
    expect(errorOf(await act('leave', { asin })).details).toBe("asin has no competitors' offers.")
  })

  test('with several offers must be asked by SKU', async () => {
    await market.put('catalogItems', [buildCatalogItem(asin)])
    for (const sku of ['ONE', 'TWO']) await souk.competitor.join({ asin, sellerId: 'AMANY', sku, price: 9 })
    expect(errorOf(await act('setPrice', { asin, sellerId: 'AMANY', price: 8 })).details).toBe(
      'sku is required: the competitor has several offers.',
    )
    await souk.competitor.setPrice({ asin, sellerId: 'AMANY', sku: 'TWO', price: 8 })
    expect(await offers()).toMatchObject([
      { sku: 'ONE', priceMinor: 900 },
      { sku: 'TWO', priceMinor: 800 },
    ])
    await souk.competitor.leave({ asin, sellerId: 'AMANY' })
    expect(await offers()).toEqual([])
  })
})
