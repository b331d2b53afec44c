import { beforeAll, describe, expect, test } from 'vitest'
import {
  IN_US,
  type ListingsClient,
  newShoe,
  type Patch,
  priceOf,
  setPrice,
  setQuantity,
  startListings,
  statusAndIssuesOf,
  US,
} from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings())
})

let made = 0
/** A new listing for each test, so that tests are independent. */
async function createShoe(overrides: Parameters<typeof newShoe>[0] = {}): Promise<string> {
  const sku = `SHOE-${++made}`
  await listings.put(sku, newShoe(overrides))
  await souk.idle()
  return sku
}

const patch = (op: string, name: string, value?: Patch['value']): Patch => ({
  op,
  path: `/attributes/${name}`,
  ...(value && { value }),
})
const attributesOf = async (sku: string) => (await listings.read(sku)).attributes
const own = <Fields extends object>(fields: Fields) => ({ ...fields, marketplace_id: US })

describe.each(['add', 'replace'])('%s', (op) => {
  test('sets a new attribute', async () => {
    const sku = await createShoe()
    expect(statusAndIssuesOf(await listings.patch(sku, [patch(op, 'style', [{ value: 'Chukka' }])])).status).toBe(
      'ACCEPTED',
    )
    expect((await attributesOf(sku)).style).toEqual([own({ value: 'Chukka' })])
  })

  test('replaces all stored entries', async () => {
    const sku = await createShoe()
    await listings.patch(sku, [patch(op, 'bullet_point', [{ value: 'One is enough' }])])
    expect((await attributesOf(sku)).bullet_point).toEqual([own({ value: 'One is enough' })])
  })
})

describe('merge', () => {
  const names = [
    { value: 'Boot', language_tag: 'en_US' },
    { value: 'Bota', language_tag: 'es_US' },
  ]

  test('changes the entry in the same language and keeps the other', async () => {
    const sku = await createShoe({ item_name: names })
    await listings.patch(sku, [patch('merge', 'item_name', [{ value: 'Botín', language_tag: 'es_US' }])])
    expect((await attributesOf(sku)).item_name).toEqual([
      own({ value: 'Boot', language_tag: 'en_US' }),
      own({ value: 'Botín', language_tag: 'es_US' }),
    ])
  })

  test('adds an entry in a new language', async () => {
    const sku = await createShoe({ item_name: names })
    await listings.patch(sku, [patch('merge', 'item_name', [{ value: 'Botte', language_tag: 'fr_CA' }])])
    expect((await attributesOf(sku)).item_name).toHaveLength(3)
  })

  test('distinguishes offers by currency', async () => {
    const sku = await createShoe()
    await listings.patch(sku, [setPrice(60, 'CAD', 'merge'), setPrice(81, 'USD', 'merge')])
    const { purchasable_offer } = await attributesOf(sku)
    expect(purchasable_offer).toEqual([
      own({ currency: 'USD', our_price: priceOf(81) }),
      own({ currency: 'CAD', our_price: priceOf(60) }),
    ])
  })

  test('distinguishes offers by audience, and returns the business offer as B2B', async () => {
    const sku = await createShoe({ purchasable_offer: [{ currency: 'USD', audience: 'ALL', our_price: priceOf(80) }] })
    const forBusinesses = [{ currency: 'USD', audience: 'B2B', our_price: priceOf(70) }]
    await listings.patch(sku, [patch('merge', 'purchasable_offer', forBusinesses)])
    expect((await listings.read(sku)).offers).toEqual([
      expect.objectContaining({ offerType: 'B2C', price: { currencyCode: 'USD', amount: '80.00' } }),
      expect.objectContaining({ offerType: 'B2B', price: { currencyCode: 'USD', amount: '70.00' } }),
    ])
  })

  test('distinguishes stock by fulfillment channel', async () => {
    const sku = await createShoe()
    await listings.patch(sku, [setQuantity(9, 'AMAZON_NA', 'merge'), setQuantity(2, 'DEFAULT', 'merge')])
    expect((await listings.read(sku)).fulfillmentAvailability).toEqual([
      { fulfillmentChannelCode: 'DEFAULT', quantity: 2 },
      { fulfillmentChannelCode: 'AMAZON_NA', quantity: 9 },
    ])
  })

  test('keeps omitted fields of an entry, also required ones', async () => {
    const sku = await createShoe()
    const lowest = [{ currency: 'USD', minimum_seller_allowed_price: priceOf(50) }]
    expect(statusAndIssuesOf(await listings.patch(sku, [patch('merge', 'purchasable_offer', lowest)])).status).toBe(
      'ACCEPTED',
    )
    expect((await attributesOf(sku)).purchasable_offer).toEqual([
      own({ currency: 'USD', our_price: priceOf(79.5), minimum_seller_allowed_price: priceOf(50) }),
    ])
  })

  test('is refused when the merged value is invalid, and writes nothing', async () => {
    const sku = await createShoe()
    const before = await listings.read(sku)
    const halfAnOffer = [patch('merge', 'purchasable_offer', [{ currency: 'EUR' }])]
    expect(statusAndIssuesOf(await listings.patch(sku, halfAnOffer))).toEqual({
      status: 'INVALID',
      issues: ['90220 purchasable_offer'],
    })
    expect(await listings.read(sku)).toEqual(before)
  })
})

describe('delete', () => {
  test('removes the whole attribute without a value', async () => {
    const sku = await createShoe({ style: [{ value: 'Chukka' }], color: [{ value: 'Sand' }] })
    expect(statusAndIssuesOf(await listings.patch(sku, [patch('delete', 'style')])).status).toBe('ACCEPTED')
    const attributes = await attributesOf(sku)
    expect(attributes).not.toHaveProperty('style')
    expect(attributes).toHaveProperty('color')
  })

  test('removes the entries that its value selects, and keeps the rest', async () => {
    const sku = await createShoe({
      item_name: [
        { value: 'Boot', language_tag: 'en_US' },
        { value: 'Bota', language_tag: 'es_US' },
      ],
    })
    await listings.patch(sku, [patch('delete', 'item_name', [{ language_tag: 'es_US' }])])
    expect((await attributesOf(sku)).item_name).toEqual([own({ value: 'Boot', language_tag: 'en_US' })])
  })

  test('removes the business offer and keeps the consumer offer', async () => {
    const offer = (audience: string, price: number) => ({ currency: 'USD', audience, our_price: priceOf(price) })
    const sku = await createShoe({ purchasable_offer: [offer('ALL', 80), offer('B2B', 70)] })
    await listings.patch(sku, [patch('delete', 'purchasable_offer', [{ audience: 'B2B' }])])
    expect((await listings.read(sku)).offers).toMatchObject([{ offerType: 'B2C' }])
  })

  test('of a missing attribute changes nothing', async () => {
    const sku = await createShoe()
    const before = await attributesOf(sku)
    const patches = [patch('delete', 'style'), patch('delete', 'item_name', [{ language_tag: 'ja_JP' }])]
    expect(statusAndIssuesOf(await listings.patch(sku, patches)).status).toBe('ACCEPTED')
    expect(await attributesOf(sku)).toEqual(before)
  })

  test('of a required attribute, or of its last entry, is refused and writes nothing', async () => {
    const sku = await createShoe()
    const before = await listings.read(sku)
    for (const patches of [
      [patch('delete', 'item_name')],
      [patch('delete', 'item_name', [{ marketplace_id: US }])],
      [setQuantity(77), patch('delete', 'item_name')],
    ]) {
      expect(statusAndIssuesOf(await listings.patch(sku, patches))).toEqual({
        status: 'INVALID',
        issues: ['90220 item_name'],
      })
    }
    expect(statusAndIssuesOf(await listings.patch(sku, [patch('delete', 'fulfillment_availability')])).status).toBe(
      'INVALID',
    )
    expect(await listings.read(sku)).toEqual(before)
  })

  test('of the main image removes it from the summary, and the listing from search', async () => {
    const sku = await createShoe()
    expect((await listings.read(sku)).summaries[0]).toHaveProperty('mainImage')
    await listings.patch(sku, [patch('delete', 'main_product_image_locator')])
    await souk.idle()
    const { summaries, issues } = await listings.read(sku)
    expect(summaries[0]).not.toHaveProperty('mainImage')
    expect(summaries[0].status).toEqual(['BUYABLE'])
    expect(issues).toMatchObject([{ code: '18027', categories: ['MISSING_IMAGE'] }])
  })
})

describe('several patches in one request', () => {
  test('are applied in order', async () => {
    const sku = await createShoe()
    const patches = [
      patch('replace', 'style', [{ value: 'First' }]),
      patch('delete', 'style'),
      patch('merge', 'style', [{ value: 'Second' }]),
      patch('merge', 'style', [{ value: 'Third' }]),
    ]
    expect(statusAndIssuesOf(await listings.patch(sku, patches)).status).toBe('ACCEPTED')
    expect((await attributesOf(sku)).style).toEqual([own({ value: 'Third' })])
  })

  test('may remove and set again an attribute, even a required one', async () => {
    const sku = await createShoe()
    const patches = [patch('delete', 'brand'), patch('add', 'brand', [{ value: 'Mirage' }])]
    expect(statusAndIssuesOf(await listings.patch(sku, patches)).status).toBe('ACCEPTED')
    expect((await attributesOf(sku)).brand).toEqual([own({ value: 'Mirage' })])
  })

  test('return the issues of all of them', async () => {
    const sku = await createShoe()
    const patches = [setPrice(-1), setQuantity(-1), patch('add', 'colour', [{ value: 'red' }])]
    expect(statusAndIssuesOf(await listings.patch(sku, patches))).toEqual({
      status: 'INVALID',
      issues: ['90004114 purchasable_offer', '90004114 fulfillment_availability', '90000900 colour'],
    })
  })
})

describe('the product type', () => {
  test('must have the attribute; the wildcard means the type of the listing', async () => {
    const shirtSize = [patch('add', 'shirt_size', [{ size: 'M' }])]
    for (const productType of ['SHOES', 'PRODUCT']) {
      const response = await listings.patch('SOUK-SHOE-001', shirtSize, IN_US, productType)
      expect(statusAndIssuesOf(response)).toEqual({ status: 'INVALID', issues: ['90000900 shirt_size'] })
    }
  })

  test('enforces its required attributes, also through the wildcard', async () => {
    const response = await listings.patch('SOUK-SHOE-001', [patch('delete', 'brand')], IN_US, 'PRODUCT')
    expect(statusAndIssuesOf(response)).toEqual({ status: 'INVALID', issues: ['90220 brand'] })
  })

  test('may be any existing type for an unknown SKU', async () => {
    const shirtSize = [patch('add', 'shirt_size', [{ size: 'M' }])]
    expect(statusAndIssuesOf(await listings.patch('GHOST', shirtSize, IN_US, 'PRODUCT')).status).toBe('ACCEPTED')
  })
})
