import { beforeAll, describe, expect, test } from 'vitest'
import {
  IN_DE,
  IN_US,
  type ListingsClient,
  listingsClient,
  newOffer,
  newShoe,
  priceOf,
  setAttribute,
  setPrice,
  setQuantity,
  startWatchedListings,
  US,
  type Watch,
} from '../../support/listings.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string
let listings: ListingsClient
let watch: Watch
beforeAll(async () => {
  ;({ souk, token, listings, watch } = await startWatchedListings())
})

let made = 0
/** Submits a listing and reads it once it has been processed. */
async function process(attributes: Parameters<typeof newShoe>[0] = {}, query = IN_US, more = {}) {
  const sku = `PROCESSED-${++made}`
  expect((await listings.put(sku, newShoe(attributes), query, more)).json()).toMatchObject({ status: 'ACCEPTED' })
  await souk.idle()
  return { ...(await listings.read(sku, query)), sku }
}
const catalogItem = (asin: string, query = IN_US) =>
  souk.get(`/catalog/2022-04-01/items/${asin}?${query}&includedData=summaries,identifiers,attributes,images`, { token })
const identifier = (type: string, value: string) => ({
  externally_assigned_product_identifier: [{ type, value }],
})
const suppressed = { actions: [{ action: 'LISTING_SUPPRESSED' }], exemption: { status: 'NOT_EXEMPT' } }

describe('the product of a listing', () => {
  test('is a new catalog item with the attributes of the listing', async () => {
    const { summaries } = await process({ ...identifier('ean', '4006381333931'), model_number: [{ value: 'DB-1' }] })
    expect((await catalogItem(summaries[0].asin)).json()).toMatchObject({
      summaries: [{ itemName: 'Desert boot, sand', brand: 'Oasis', modelNumber: 'DB-1' }],
      identifiers: [{ identifiers: [{ identifierType: 'EAN', identifier: '4006381333931' }] }],
      attributes: { brand: [{ value: 'Oasis', marketplace_id: US }] },
      images: [{ images: [{ variant: 'MAIN', link: 'https://images.example/desert-boot.jpg' }] }],
    })
  })

  test.each([
    ['UPC', 'upc', '476850000413'],
    ['EAN', 'ean', '0476850000413'],
    ['GTIN', 'gtin', '00476850000413'],
  ])('is the catalog item with the same %s', async (_, type, value) => {
    expect((await process(identifier(type, value))).summaries[0].asin).toBe('B0SOUK0104')
  })

  test('is the suggested catalog item', async () => {
    const { summaries, issues } = await process({ merchant_suggested_asin: [{ value: 'B0SOUK0104' }] })
    expect(summaries[0]).toMatchObject({ asin: 'B0SOUK0104', status: ['BUYABLE', 'DISCOVERABLE'] })
    expect(issues).toEqual([])
  })

  test('is missing when suggestion and identifier disagree', async () => {
    const both = { merchant_suggested_asin: [{ value: 'B0SOUK0103' }], ...identifier('upc', '476850000413') }
    const { summaries, issues } = await process(both)
    expect(summaries[0].status).toEqual([])
    expect(issues).toMatchObject([{ severity: 'ERROR', categories: ['DUPLICATE'], enforcements: suppressed }])
  })

  test('is matched only in the marketplace of the listing', async () => {
    // The second color of a shoe is sold in the United States only.
    const offer = { purchasable_offer: [{ currency: 'EUR', our_price: priceOf(50) }] }
    const german = await process({ ...identifier('upc', '476850000413'), ...offer }, IN_DE)
    expect(german.summaries[0].asin).not.toBe('B0SOUK0104')
    expect((await catalogItem(german.summaries[0].asin, IN_DE)).statusCode).toBe(200)
    expect(errorOf(await catalogItem(german.summaries[0].asin)).status).toBe(404)
  })

  test('stays the same when identifiers change later', async () => {
    const { sku, summaries } = await process()
    await listings.patch(sku, [setAttribute('merchant_suggested_asin', { value: 'B0SOUK0103' })])
    await souk.idle()
    expect((await listings.read(sku)).summaries[0].asin).toBe(summaries[0].asin)
  })

  test('is shared by sellers with the same identifier', async () => {
    const { summaries } = await process(identifier('ean', '5901234123457'))
    const others = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const other = listingsClient(souk, others, souk.demo.otherSeller.sellerId)
    await other.put('MINE', newShoe(identifier('ean', '5901234123457')))
    await souk.idle()
    expect((await other.read('MINE')).summaries[0].asin).toBe(summaries[0].asin)
  })
})

describe('images', () => {
  const main = (media_location: string) => ({ main_product_image_locator: [{ media_location }] })

  test('a listing without a main image does not appear in search', async () => {
    const { summaries, issues } = await process({ main_product_image_locator: undefined })
    expect(summaries[0].status).toEqual(['BUYABLE'])
    expect(issues).toEqual([
      {
        code: '18027',
        message: expect.stringContaining('no main image'),
        severity: 'WARNING',
        attributeNames: ['main_product_image_locator'],
        categories: ['MISSING_IMAGE'],
        enforcements: { actions: [{ action: 'SEARCH_SUPPRESSED' }], exemption: { status: 'NOT_EXEMPT' } },
        marketplaceIds: [US],
      },
    ])
  })

  test.each(['nowhere', 'ftp://images.example/1.jpg', 'https://images.example/1.svg', 'javascript:alert(1)//.jpg'])(
    'the main image "%s" is invalid and not in the catalog item',
    async (location) => {
      const { summaries, issues } = await process(main(location))
      expect(summaries[0].status).toEqual(['BUYABLE'])
      expect(issues).toMatchObject([
        { code: '18027', categories: ['INVALID_IMAGE'], attributeNames: ['main_product_image_locator'] },
        { code: '18027', categories: ['MISSING_IMAGE'] },
      ])
      expect((await catalogItem(summaries[0].asin)).json().images).toEqual([{ marketplaceId: US, images: [] }])
      const path = `/operator/v1/catalogItems/${US}/${summaries[0].asin}`
      expect((await souk.get(path, { headers: souk.operator })).statusCode).toBe(200)
    },
  )

  test('another invalid image is suppressed alone', async () => {
    const { summaries, issues } = await process({ other_product_image_locator_1: [{ media_location: 'nowhere' }] })
    expect(summaries[0].status).toEqual(['BUYABLE', 'DISCOVERABLE'])
    expect(issues).toMatchObject([
      {
        code: '18027',
        attributeNames: ['other_product_image_locator_1'],
        enforcements: { actions: [{ action: 'ATTRIBUTE_SUPPRESSED' }] },
      },
    ])
  })

  test('a valid image resolves the issue', async () => {
    const { sku } = await process({ main_product_image_locator: undefined })
    await listings.patch(sku, [
      setAttribute('main_product_image_locator', { media_location: 'https://i.example/a.PNG' }),
    ])
    await souk.idle()
    expect(await listings.read(sku)).toMatchObject({
      summaries: [{ status: ['BUYABLE', 'DISCOVERABLE'], mainImage: { link: 'https://i.example/a.PNG' } }],
      issues: [],
    })
  })
})

describe('the sale terms', () => {
  const offer = (fields: object) => ({ purchasable_offer: [{ currency: 'USD', our_price: priceOf(80), ...fields }] })

  test.each([
    ['below the least that the seller allows', offer({ minimum_seller_allowed_price: priceOf(80.01) })],
    ['above the most that the seller allows', offer({ maximum_seller_allowed_price: priceOf(79.99) })],
  ])('a price %s suppresses the listing until it is fixed', async (_, attributes) => {
    const { sku, summaries, issues } = await process(attributes)
    expect(summaries[0].status).toEqual([])
    expect(issues).toMatchObject([
      {
        severity: 'ERROR',
        categories: ['INVALID_PRICE'],
        attributeNames: ['purchasable_offer'],
        enforcements: suppressed,
        marketplaceIds: [US],
      },
    ])
    expect(await watch.offers(sku)).toEqual([])
    await listings.patch(sku, [setPrice(80)])
    expect(await listings.read(sku)).toMatchObject({ issues: [], summaries: [{ status: ['BUYABLE', 'DISCOVERABLE'] }] })
    expect(await watch.offers(sku)).toMatchObject([{ price_minor: 8000 }])
  })

  test('a price at the limit is valid', async () => {
    const bounds = { minimum_seller_allowed_price: priceOf(80), maximum_seller_allowed_price: priceOf(80) }
    expect((await process(offer(bounds))).issues).toEqual([])
  })

  test('a price in another currency suppresses the listing', async () => {
    const { summaries, issues } = await process({ purchasable_offer: [{ currency: 'EUR', our_price: priceOf(80) }] })
    expect(summaries[0].status).toEqual([])
    expect(issues).toMatchObject([{ severity: 'ERROR', categories: ['INVALID_PRICE'], enforcements: suppressed }])
  })

  test('the price in the currency of the marketplace applies, whatever the order of the currencies', async () => {
    const { sku, summaries } = await process({
      purchasable_offer: [
        { currency: 'EUR', our_price: priceOf(80) },
        { currency: 'USD', our_price: priceOf(90) },
      ],
    })
    expect(summaries[0].status).toEqual(['BUYABLE', 'DISCOVERABLE'])
    expect(await watch.offers(sku)).toMatchObject([{ price_minor: 9000 }])
  })

  test('a listing without stock is discoverable but not buyable', async () => {
    const availability = [{ fulfillment_channel_code: 'DEFAULT', quantity: 0 }]
    expect((await process({ fulfillment_availability: availability })).summaries[0].status).toEqual(['DISCOVERABLE'])
  })

  test('a listing that skips its offer is discoverable but not buyable', async () => {
    const { sku, summaries, issues } = await process({ skip_offer: [{ value: true }] })
    expect(summaries[0].status).toEqual(['DISCOVERABLE'])
    expect(issues).toEqual([])
    expect(await watch.offers(sku)).toEqual([])
  })

  test('a marketplace-fulfilled listing gets an FNSKU and keeps it', async () => {
    const stocked = { fulfillment_availability: [{ fulfillment_channel_code: 'AMAZON_NA' }] }
    const { sku, summaries } = await process(stocked)
    expect(summaries[0]).toMatchObject({ fnSku: expect.stringMatching(/^X00/), status: ['BUYABLE', 'DISCOVERABLE'] })
    await listings.patch(sku, [setAttribute('style', { value: 'Low' })])
    await souk.idle()
    expect((await listings.read(sku)).summaries[0].fnSku).toBe(summaries[0].fnSku)
    expect((await process()).summaries[0]).not.toHaveProperty('fnSku')
  })

  test('a listing that becomes marketplace-fulfilled gets an FNSKU', async () => {
    const { sku } = await process()
    await listings.patch(sku, [setAttribute('fulfillment_availability', { fulfillment_channel_code: 'AMAZON_NA' })])
    await souk.idle()
    expect((await listings.read(sku)).summaries[0].fnSku).toMatch(/^X00/)
  })
})

describe('a product that the seller may not sell', () => {
  const listed = (asin: string, conditionType: string) =>
    newOffer({ merchant_suggested_asin: [{ value: asin }], condition_type: [{ value: conditionType }] })
  const requirements = 'LISTING_OFFER_ONLY'
  const restricted = {
    severity: 'ERROR',
    categories: ['QUALIFICATION_REQUIRED'],
    enforcements: suppressed,
    marketplaceIds: [US],
  }
  // In the demo catalog, rugs require approval and lamps cannot be sold used.
  const [RUG, LAMP] = ['B0SOUK0012', 'B0SOUK0011']

  test('is listed with an issue, and neither discoverable nor buyable', async () => {
    await listings.put('RUG', listed(RUG, 'new_new'), IN_US, { requirements, productType: 'HOME' })
    await souk.idle()
    const item = await listings.read('RUG')
    expect(item.summaries).toMatchObject([{ asin: RUG, status: [] }])
    expect(item.issues).toMatchObject([restricted])
    expect(await watch.offers('RUG')).toEqual([])
  })

  test('can be sold by an approved seller', async () => {
    const others = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const other = listingsClient(souk, others, souk.demo.otherSeller.sellerId)
    await other.put('RUG', listed(RUG, 'new_new'), IN_US, { requirements, productType: 'HOME' })
    await souk.idle()
    expect(await other.read('RUG')).toMatchObject({ summaries: [{ status: ['BUYABLE', 'DISCOVERABLE'] }], issues: [] })
  })

  test('in one condition can be sold in another, and becomes restricted with its condition', async () => {
    await listings.put('LAMP', listed(LAMP, 'new_new'), IN_US, { requirements, productType: 'HOME' })
    await souk.idle()
    expect(await listings.read('LAMP')).toMatchObject({ summaries: [{ status: ['BUYABLE', 'DISCOVERABLE'] }] })
    await listings.patch(
      'LAMP',
      [setAttribute('condition_type', { value: 'used_good' }), setQuantity(1)],
      IN_US,
      'HOME',
    )
    await souk.idle()
    expect(await listings.read('LAMP')).toMatchObject({ summaries: [{ status: [] }], issues: [restricted] })
    expect(await watch.offers('LAMP')).toEqual([])
  })
})

describe('a discounted price', () => {
  test('applies from its start to its end without a submission', async () => {
    const HOUR = 60 * 60 * 1000
    const inHours = (hours: number) => new Date(souk.clock.now().getTime() + hours * HOUR).toISOString()
    const reduced = { value_with_tax: 70, start_at: inHours(1), end_at: inHours(2) }
    const offer = { currency: 'USD', our_price: priceOf(80), discounted_price: [{ schedule: [reduced] }] }
    const { sku } = await process({ purchasable_offer: [offer] })
    const price = async () => (await watch.offers(sku)).map((one) => Number(one.price_minor))
    expect(await price()).toEqual([8000])
    for (const minor of [7000, 8000]) {
      souk.clock.advance(HOUR)
      await souk.idle()
      expect(await price()).toEqual([minor])
    }
    token = await souk.tokenFor(souk.demo.refreshToken)
    listings = listingsClient(souk, token)
    expect(await listings.read(sku)).toMatchObject({ offers: [{ price: { amount: '80.00' } }] })
  })
})
