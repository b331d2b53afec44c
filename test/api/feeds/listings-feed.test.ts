import { beforeAll, describe, expect, test } from 'vitest'
import { codesOf, DE, FeedsClient, partialUpdate, patch, remove, summary, US, update } from '../../support/feeds.ts'
import {
  IN_DE,
  IN_US,
  type ListingsClient,
  newOffer,
  newShoe,
  priceOf,
  setAttribute,
  setQuantity,
  startListings,
} from '../../support/listings.ts'
import { shoeAttributes } from '../../support/shoes.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings())
  client = new FeedsClient(souk)
})

const attributesOf = async (sku: string, query = IN_US) => (await listings.read(sku, query)).attributes
const isThere = async (sku: string, query = IN_US) => (await listings.get(sku, query)).statusCode === 200

describe('the document of the specification', () => {
  /** Entries as they are read back: each with its marketplace, and with numbers where text came for them. */
  function readBack() {
    const entries = Object.entries<object[]>(shoeAttributes()).map(([name, values]) => [
      name,
      values.map((value) => ({ ...value, marketplace_id: DE })),
    ])
    return {
      ...Object.fromEntries(entries),
      purchasable_offer: [{ currency: 'EUR', our_price: priceOf(59.9), marketplace_id: DE }],
      fulfillment_availability: [
        {
          fulfillment_channel_code: 'DEFAULT',
          quantity: 12,
          lead_time_to_ship_max_days: 3,
          marketplace_id: DE,
        },
      ],
    }
  }

  test.each(['LISTING_PRODUCT_ONLY', 'LISTING'])(
    'is accepted with all its attributes and the requirements %s, and getListingsItem returns them',
    async (requirements) => {
      const sku = `SPEC-${requirements}`
      const report = await client.process(
        [update(sku, shoeAttributes(), { requirements })],
        { issueLocale: 'de_DE', includedData: ['issues', 'attributes'] },
        { marketplaceIds: [DE] },
      )
      expect(report).toMatchObject({ issues: [], summary: summary(1) })
      expect(report.items).toEqual([{ sku, issues: [], attributes: readBack() }])
      const item = await listings.read(sku, IN_DE)
      expect(item.attributes).toEqual(readBack())
      expect(item.summaries).toMatchObject([{ itemName: 'Basar sandal, women, brown' }])
      expect(item.fulfillmentAvailability).toMatchObject([{ fulfillmentChannelCode: 'DEFAULT', quantity: 12 }])
      expect(item.offers).toMatchObject([{ price: { currencyCode: 'EUR', amount: '59.90' } }])
    },
  )
})

describe('UPDATE', () => {
  test('creates a listing that is buyable immediately', async () => {
    const report = await client.process([update('UPDATE-1', newShoe())])
    expect(report).toMatchObject({ issues: [], summary: summary(1) })
    expect(report).not.toHaveProperty('items')
    expect((await listings.read('UPDATE-1')).summaries).toMatchObject([
      { status: ['BUYABLE', 'DISCOVERABLE'], itemName: 'Desert boot, sand', asin: expect.stringMatching(/^B0/) },
    ])
  })

  test('replaces a listing: omitted attributes are removed', async () => {
    await client.process([update('UPDATE-2', newShoe({ style: [{ value: 'Chukka' }] }))])
    expect(await attributesOf('UPDATE-2')).toHaveProperty('style')
    await client.process([update('UPDATE-2', newShoe())])
    expect(await attributesOf('UPDATE-2')).not.toHaveProperty('style')
  })

  test('with LISTING_OFFER_ONLY changes the sale terms and keeps the product', async () => {
    const offer = newOffer({ purchasable_offer: [{ currency: 'USD', our_price: priceOf(12) }] })
    await client.process([
      update('UPDATE-3', newShoe()),
      update('UPDATE-3', offer, { requirements: 'LISTING_OFFER_ONLY' }),
    ])
    const item = await listings.read('UPDATE-3')
    expect(item.offers).toMatchObject([{ price: { amount: '12.00' } }])
    expect(item.attributes).toHaveProperty('item_name')
  })

  test('writes nothing of a message with errors, and reports their attributes', async () => {
    const attributes = newShoe({ brand: undefined, item_name: [{ value: '' }] })
    const report = await client.process([update('UPDATE-4', attributes)])
    expect(report.summary).toEqual(summary(1, { invalid: 1, errors: 2 }))
    expect(report.issues).toEqual([
      {
        messageId: 1,
        sku: 'UPDATE-4',
        code: '90220',
        severity: 'ERROR',
        message: "'Brand' is required but was not given.",
        attributeName: 'brand',
      },
      expect.objectContaining({ messageId: 1, severity: 'ERROR', attributeName: 'item_name' }),
    ])
    expect(await isThere('UPDATE-4')).toBe(false)
  })
})

describe('PARTIAL_UPDATE', () => {
  test('replaces its attributes, and keeps all others', async () => {
    await client.process([update('PARTIAL-1', newShoe())])
    const before = await attributesOf('PARTIAL-1')
    const offer = [{ currency: 'USD', our_price: priceOf(9.5) }]
    const report = await client.process([partialUpdate('PARTIAL-1', { purchasable_offer: offer })])
    expect(report).toMatchObject({ issues: [], summary: summary(1) })
    expect(await attributesOf('PARTIAL-1')).toEqual({
      ...before,
      purchasable_offer: [{ ...offer[0], marketplace_id: US }],
    })
  })

  test('replaces all entries of an attribute', async () => {
    await client.process([update('PARTIAL-2', newShoe())])
    const channel = { fulfillment_channel_code: 'AMAZON_NA' }
    await client.process([partialUpdate('PARTIAL-2', { fulfillment_availability: [channel] })])
    expect((await attributesOf('PARTIAL-2')).fulfillment_availability).toEqual([{ ...channel, marketplace_id: US }])
  })

  test.each(['', 'item_name/0', '/attributes/item_name'])('refuses %o as the name of an attribute', async (name) => {
    const attributes = { brand: [{ value: 'Souk' }], [name]: [{ value: 'Boot' }] }
    const { issues } = await client.process([partialUpdate('SOUK-SHOE-001', attributes)])
    const message = 'Invalid path provided in patch at index of 1.'
    expect(issues).toEqual([{ messageId: 1, sku: 'SOUK-SHOE-001', code: '4002008', severity: 'ERROR', message }])
  })
})

describe('PATCH', () => {
  test('adds, replaces, merges and deletes', async () => {
    await client.process([update('PATCH-1', newShoe())])
    const report = await client.process([
      patch(
        'PATCH-1',
        setAttribute('item_name', { value: 'Desert boot, stone' }),
        { op: 'add', path: '/attributes/style', value: [{ value: 'Chukka' }] },
        {
          op: 'merge',
          path: '/attributes/fulfillment_availability',
          value: [{ fulfillment_channel_code: 'DEFAULT', lead_time_to_ship_max_days: '4' }],
        },
        { op: 'delete', path: '/attributes/country_of_origin' },
      ),
    ])
    // Country of origin is required: the message is refused as one.
    expect(codesOf(report)).toEqual(['1 90220 country_of_origin'])
    await client.process([
      patch(
        'PATCH-1',
        setAttribute('item_name', { value: 'Desert boot, stone' }),
        { op: 'add', path: '/attributes/style', value: [{ value: 'Chukka' }] },
        {
          op: 'merge',
          path: '/attributes/fulfillment_availability',
          value: [{ fulfillment_channel_code: 'DEFAULT', lead_time_to_ship_max_days: '4' }],
        },
        { op: 'delete', path: '/attributes/main_product_image_locator' },
      ),
    ])
    const attributes = await attributesOf('PATCH-1')
    expect(attributes).toMatchObject({
      item_name: [{ value: 'Desert boot, stone' }],
      style: [{ value: 'Chukka' }],
      fulfillment_availability: [{ quantity: 4, lead_time_to_ship_max_days: 4 }],
    })
    expect(attributes).not.toHaveProperty('main_product_image_locator')
  })

  test('of an unknown SKU is accepted, and the item has issue 13013, as with the listings API', async () => {
    const report = await client.process([patch('PATCH-GHOST', setQuantity('3'))], { includedData: ['issues'] })
    expect(report).toMatchObject({
      issues: [],
      summary: { ...summary(1), itemSummary: { items: 1, errors: 1, warnings: 0 } },
      items: [{ sku: 'PATCH-GHOST', issues: [{ code: '13013', severity: 'ERROR' }] }],
    })
  })

  test.each([
    [
      'an invalid path',
      { op: 'replace', path: '/item_name', value: [{}] },
      'Invalid path provided in patch at index of 0.',
    ],
    ['no value', { op: 'replace', path: '/attributes/item_name' }, 'Value is missing for patch at index of 0.'],
  ])('with %s is rejected with the message of the listings API', async (_what, wrong, message) => {
    const response = await listings.patch('SOUK-SHOE-001', [wrong])
    expect(response.json().errors).toMatchObject([{ message }])
    const { issues } = await client.process([patch('SOUK-SHOE-001', wrong)])
    expect(issues).toEqual([{ messageId: 1, sku: 'SOUK-SHOE-001', code: '4002008', severity: 'ERROR', message }])
  })
})

describe('DELETE', () => {
  test('deletes a listing, and accepts an unknown SKU', async () => {
    await client.process([update('DELETE-1', newShoe())])
    const report = await client.process([remove('DELETE-1'), remove('DELETE-2')], { includedData: ['summaries'] })
    expect(report).toMatchObject({
      issues: [],
      items: [],
      summary: { ...summary(2), itemSummary: { items: 0, errors: 0, warnings: 0 } },
    })
    expect(await isThere('DELETE-1')).toBe(false)
  })

  test('lets the same feed create the listing again, with a new date and no old data', async () => {
    const family = {
      child_parent_sku_relationship: [{ child_relationship_type: 'variation', parent_sku: 'SOUK-SHOE-001' }],
    }
    await client.process([update('DELETE-3', newShoe({ style: [{ value: 'Chukka' }], ...family }))])
    const before = await listings.read('DELETE-3')
    expect(before.relationships).toHaveLength(1)
    souk.clock.advance(1000)
    // A new listing first: the rows of both are written together.
    await client.process([update('DELETE-4', newShoe()), remove('DELETE-3'), update('DELETE-3', newShoe())])
    const { summaries, attributes, relationships } = await listings.read('DELETE-3')
    expect(summaries[0].createdDate).toBe(souk.clock.now().toISOString())
    expect(summaries[0].createdDate).not.toBe(before.summaries[0].createdDate)
    expect(summaries[0].status).toEqual(['BUYABLE', 'DISCOVERABLE'])
    expect(attributes).not.toHaveProperty('style')
    expect(relationships).toEqual([])
    expect(await isThere('DELETE-4')).toBe(true)
  })

  test('after an UPDATE in the same feed deletes the listing, whether or not it existed before', async () => {
    await client.process([update('DELETE-5', newShoe())])
    const messages = ['DELETE-5', 'DELETE-6'].flatMap((sku) => [update(sku, newShoe()), remove(sku), remove(sku)])
    expect(await client.process(messages)).toMatchObject({ issues: [], summary: summary(6) })
    expect([await isThere('DELETE-5'), await isThere('DELETE-6')]).toEqual([false, false])
  })
})
