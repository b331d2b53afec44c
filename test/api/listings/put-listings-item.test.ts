import { beforeAll, describe, expect, test } from 'vitest'
import {
  accepted,
  DE,
  IN_BOTH,
  IN_DE,
  IN_US,
  type ListingsClient,
  newOffer,
  newShoe,
  priceOf,
  setPrice,
  setQuantity,
  startListings,
  startWatchedListings,
  US,
  type Watch,
} from '../../support/listings.ts'
import { shoeAttributes } from '../../support/shoes.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string
let listings: ListingsClient
let watch: Watch
beforeAll(async () => {
  ;({ souk, token, listings, watch } = await startWatchedListings())
})

const statusOf = async (sku: string, query = IN_US) => (await listings.get(sku, query)).json().summaries[0]?.status

describe('putListingsItem', () => {
  test('creates a listing, which is buyable once processed', async () => {
    const response = await listings.put('NEW-1', newShoe())
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(accepted('NEW-1'))
    await souk.idle()
    const item = await listings.read('NEW-1')
    expect(item.summaries).toEqual([
      {
        marketplaceId: US,
        asin: expect.stringMatching(/^B0[0-9A-Z]{8}$/),
        productType: 'SHOES',
        conditionType: 'new_new',
        status: ['BUYABLE', 'DISCOVERABLE'],
        itemName: 'Desert boot, sand',
        createdDate: souk.clock.now().toISOString(),
        lastUpdatedDate: souk.clock.now().toISOString(),
        mainImage: expect.objectContaining({ link: 'https://images.example/desert-boot.jpg' }),
      },
    ])
    expect(item.issues).toEqual([])
    expect(item.offers).toMatchObject([{ price: { currencyCode: 'USD', amount: '79.50' } }])
    expect(item.fulfillmentAvailability).toEqual([{ fulfillmentChannelCode: 'DEFAULT', quantity: 4 }])
    for (const entries of Object.values<{ marketplace_id: string }[]>(item.attributes)) {
      for (const entry of entries) expect(entry.marketplace_id).toBe(US)
    }
  })

  test('returns an unprocessed listing as neither buyable nor discoverable', async () => {
    const delayed = await startListings({ delay: 1000 })
    await delayed.listings.put('SLOW', newShoe())
    await delayed.souk.idle()
    const before = await delayed.listings.read('SLOW')
    expect(before.summaries).toMatchObject([{ status: [], itemName: 'Desert boot, sand' }])
    expect(before.summaries[0]).not.toHaveProperty('asin')
    delayed.souk.clock.advance(1000)
    await delayed.souk.idle()
    expect((await delayed.listings.read('SLOW')).summaries[0].status).toEqual(['BUYABLE', 'DISCOVERABLE'])
  })

  test.each([
    ['product, then offer', 'LISTING_PRODUCT_ONLY', 'LISTING_OFFER_ONLY'],
    ['offer, then product', 'LISTING_OFFER_ONLY', 'LISTING_PRODUCT_ONLY'],
    ['the whole, then its offer again', 'LISTING', 'LISTING_OFFER_ONLY'],
  ])('accepts product and offer separately before processing: %s', async (_, first, second) => {
    const delayed = await startListings({ delay: 1000 })
    const { condition_type, purchasable_offer, fulfillment_availability, ...product } = newShoe()
    const parts = { LISTING: newShoe(), LISTING_PRODUCT_ONLY: product, LISTING_OFFER_ONLY: newOffer() }
    for (const requirements of [first, second] as (keyof typeof parts)[]) {
      await delayed.listings.put('PARTS', parts[requirements], IN_US, { requirements })
    }
    delayed.souk.clock.advance(1000)
    await delayed.souk.idle()
    const item = await delayed.listings.read('PARTS')
    expect(item.issues).toEqual([])
    expect(item.summaries).toMatchObject([{ itemName: 'Desert boot, sand', status: ['BUYABLE', 'DISCOVERABLE'] }])
  })

  test('replaces a listing, and keeps its ASIN and creation date', async () => {
    await listings.put('NEW-2', newShoe({ style: [{ value: 'Chukka' }] }))
    await souk.idle()
    const [{ asin, createdDate }] = (await listings.read('NEW-2')).summaries
    souk.clock.advance(60_000)
    const attributes = newShoe({
      main_product_image_locator: undefined,
      item_name: [{ value: 'Jungle boot' }],
      purchasable_offer: [{ currency: 'USD', our_price: priceOf(120) }],
    })
    expect((await listings.put('NEW-2', attributes)).json()).toEqual(accepted('NEW-2'))
    await souk.idle()
    const item = await listings.read('NEW-2')
    expect(Object.keys(item.attributes).sort()).toEqual(Object.keys(attributes).sort())
    expect(item.summaries).toMatchObject([
      { asin, createdDate, itemName: 'Jungle boot', lastUpdatedDate: souk.clock.now().toISOString() },
    ])
    expect(item.summaries[0]).not.toHaveProperty('mainImage')
    expect(item.offers).toMatchObject([{ price: { amount: '120.00' } }])
  })

  test('removes the relation of a child when its attribute is omitted', async () => {
    const child = {
      parentage_level: [{ value: 'child' }],
      child_parent_sku_relationship: [{ parent_sku: 'FAMILY' }],
      variation_theme: [{ name: 'COLOR' }],
    }
    await listings.put('CHILD-1', newShoe(child))
    expect((await listings.read('CHILD-1')).relationships).toMatchObject([
      { marketplaceId: US, relationships: [{ type: 'VARIATION', parentSkus: ['FAMILY'] }] },
    ])
    await listings.put('CHILD-1', newShoe())
    expect((await listings.read('CHILD-1')).relationships).toEqual([])
  })

  test('turns an unknown SKU into a listing', async () => {
    await listings.patch('HEALED', [setQuantity(1)])
    await souk.idle()
    expect((await listings.read('HEALED')).issues).toMatchObject([{ code: '13013' }])
    await listings.put('HEALED', newShoe())
    await souk.idle()
    expect(await listings.read('HEALED')).toMatchObject({
      summaries: [{ status: ['BUYABLE', 'DISCOVERABLE'] }],
      issues: [],
      offers: [{ price: { amount: '79.50' } }],
      fulfillmentAvailability: [{ quantity: 4 }],
    })
  })

  test('lists the same SKU in each marketplace independently', async () => {
    await listings.put('NEW-3', newShoe())
    const german = newShoe({ purchasable_offer: [{ currency: 'EUR', our_price: priceOf(90) }] })
    await listings.put('NEW-3', german, IN_DE)
    await souk.idle()
    const { offers, summaries } = await listings.read('NEW-3', IN_BOTH)
    expect(offers).toContainEqual(
      expect.objectContaining({ marketplaceId: US, price: { currencyCode: 'USD', amount: '79.50' } }),
    )
    expect(offers).toContainEqual(
      expect.objectContaining({ marketplaceId: DE, price: { currencyCode: 'EUR', amount: '90.00' } }),
    )
    expect(summaries).toHaveLength(2)
  })

  test('accepts the same through the older path', async () => {
    const path = `/listings/2020-09-01/items/${souk.demo.sellerId}/OLD-PATH?${IN_US}`
    const response = await souk.put(path, { token, payload: { productType: 'SHOES', attributes: newShoe() } })
    expect(response.json()).toEqual(accepted('OLD-PATH'))
  })
})

describe('LISTING_PRODUCT_ONLY', () => {
  const requirements = 'LISTING_PRODUCT_ONLY'

  test("accepts the specification's document, with numbers as strings", async () => {
    const response = await listings.put('SANDAL', shoeAttributes(), IN_DE, { requirements })
    expect(response.json()).toEqual(accepted('SANDAL'))
    await souk.idle()
    const item = await listings.read('SANDAL', IN_DE)
    expect(item.issues).toEqual([])
    expect(item.summaries).toMatchObject([{ status: ['BUYABLE', 'DISCOVERABLE'] }])
    expect(item.offers).toMatchObject([{ price: { currencyCode: 'EUR', amount: '59.90' } }])
    expect(item.fulfillmentAvailability).toMatchObject([{ quantity: 12 }])
    expect(item.attributes.fulfillment_availability[0].lead_time_to_ship_max_days).toBe(3)
    expect(Object.keys(item.attributes).sort()).toEqual(Object.keys(shoeAttributes()).sort())
  })

  test('makes a product discoverable, and buyable once it has sale terms', async () => {
    const { condition_type, purchasable_offer, fulfillment_availability, ...product } = newShoe()
    await listings.put('FACTS', product, IN_US, { requirements })
    await souk.idle()
    expect(await listings.read('FACTS')).toMatchObject({ summaries: [{ status: ['DISCOVERABLE'] }], issues: [] })
    await listings.patch('FACTS', [setPrice(50), setQuantity(2)])
    expect(await statusOf('FACTS')).toEqual(['BUYABLE', 'DISCOVERABLE'])
  })

  test('keeps the sale terms of a listing', async () => {
    await listings.put('KEEPS-PRICE', newShoe())
    const { condition_type, purchasable_offer, fulfillment_availability, ...product } = newShoe()
    await listings.put('KEEPS-PRICE', { ...product, item_name: [{ value: 'Renamed' }] }, IN_US, { requirements })
    await souk.idle()
    const item = await listings.read('KEEPS-PRICE')
    expect(item.offers).toMatchObject([{ price: { amount: '79.50' } }])
    expect(item.summaries).toMatchObject([{ itemName: 'Renamed', status: ['BUYABLE', 'DISCOVERABLE'] }])
  })
})

describe('LISTING_OFFER_ONLY', () => {
  const requirements = 'LISTING_OFFER_ONLY'
  const ean = (value: string) => [{ type: 'ean', value }]

  test.each([
    ['the suggested ASIN', { merchant_suggested_asin: [{ value: 'B0SOUK0103' }] }],
    ['its EAN', { externally_assigned_product_identifier: ean('0476850000314') }],
    ['its UPC', { externally_assigned_product_identifier: [{ type: 'upc', value: '476850000314' }] }],
  ])('sells a catalog item, matched by %s', async (by, identity) => {
    const sku = `OFFER by ${by}`
    expect((await listings.put(sku, newOffer(identity), IN_US, { requirements })).json()).toEqual(accepted(sku))
    await souk.idle()
    const item = await listings.read(sku)
    expect(item.summaries).toMatchObject([{ asin: 'B0SOUK0103', status: ['BUYABLE', 'DISCOVERABLE'] }])
    expect(item.issues).toEqual([])
    expect(await watch.offers(sku)).toMatchObject([{ asin: 'B0SOUK0103', price_minor: 7950, quantity: 4 }])
  })

  test.each([
    ['an unknown ASIN', { merchant_suggested_asin: [{ value: 'B0NOTHING0' }] }],
    ['an unknown EAN', { externally_assigned_product_identifier: ean('4006381333931') }],
    ['nothing', {}],
  ])('with %s has an issue and is not buyable', async (what, identity) => {
    const sku = `NO MATCH for ${what}`
    expect((await listings.put(sku, newOffer(identity), IN_US, { requirements })).json()).toEqual(accepted(sku))
    await souk.idle()
    const item = await listings.read(sku)
    expect(item.summaries).toMatchObject([{ status: [] }])
    expect(item.issues).toMatchObject([
      { severity: 'ERROR', enforcements: { actions: [{ action: 'LISTING_SUPPRESSED' }] } },
    ])
    expect(await watch.offers(sku)).toEqual([])
  })

  test('replaces the sale terms and keeps the product', async () => {
    await listings.put('KEEPS-NAME', newShoe({ condition_note: [{ value: 'Boxed' }] }))
    const cheaper = newOffer({ purchasable_offer: [{ currency: 'USD', our_price: priceOf(60) }] })
    await listings.put('KEEPS-NAME', cheaper, IN_US, { requirements })
    await souk.idle()
    const { attributes, summaries, offers } = await listings.read('KEEPS-NAME')
    expect(attributes).not.toHaveProperty('condition_note')
    expect(summaries).toMatchObject([{ itemName: 'Desert boot, sand', status: ['BUYABLE', 'DISCOVERABLE'] }])
    expect(offers).toMatchObject([{ price: { amount: '60.00' } }])
  })
})
