import { beforeAll, describe, expect, test } from 'vitest'
import {
  accepted,
  DE,
  IN_BOTH,
  IN_DE,
  IN_US,
  type ListingsClient,
  setAttribute,
  setPrice,
  setQuantity,
  startListings,
  statusAndIssuesOf,
  US,
} from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

const SKU = 'SOUK-SHOE-001'

let souk: TestSouk
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings())
})

describe('the patches of the specification', () => {
  test('a new quantity alone is accepted and readable immediately', async () => {
    const before = await listings.read(SKU)
    const response = await listings.patch(SKU, [setQuantity(17)])
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(accepted(SKU))
    const after = await listings.read(SKU)
    expect(after.fulfillmentAvailability).toEqual([{ fulfillmentChannelCode: 'DEFAULT', quantity: 17 }])
    expect(after.attributes.fulfillment_availability).toEqual([
      { fulfillment_channel_code: 'DEFAULT', quantity: 17, marketplace_id: US },
    ])
    expect(after.offers).toEqual(before.offers)
    expect(after.attributes.item_name).toEqual(before.attributes.item_name)
  })

  test('a new price alone is accepted and readable immediately', async () => {
    const before = await listings.read(SKU)
    expect((await listings.patch(SKU, [setPrice(84.5)])).json()).toEqual(accepted(SKU))
    const after = await listings.read(SKU)
    expect(after.offers).toEqual([
      {
        marketplaceId: US,
        offerType: 'B2C',
        price: { currencyCode: 'USD', amount: '84.50' },
        audience: { value: 'ALL', displayName: expect.any(String) },
      },
    ])
    expect(after.attributes.purchasable_offer).toEqual([
      { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 84.5 }] }], marketplace_id: US },
    ])
    expect(after.fulfillmentAvailability).toEqual(before.fulfillmentAvailability)
  })

  test('both together are one submission', async () => {
    expect((await listings.patch(SKU, [setQuantity(3), setPrice(99)])).json()).toEqual(accepted(SKU))
    const { offers, fulfillmentAvailability } = await listings.read(SKU)
    expect(offers).toMatchObject([{ price: { amount: '99.00' } }])
    expect(fulfillmentAvailability).toMatchObject([{ quantity: 3 }])
  })

  test('when one of the two is invalid, neither is written', async () => {
    const before = await listings.read(SKU)
    const response = await listings.patch(SKU, [setQuantity(55), setPrice(-1)])
    expect(statusAndIssuesOf(response)).toEqual({ status: 'INVALID', issues: ['90004114 purchasable_offer'] })
    expect(await listings.read(SKU)).toEqual(before)
  })

  test('two submissions have different ids, and the later one dates the listing', async () => {
    const first = (await listings.patch(SKU, [setQuantity(4)])).json()
    souk.clock.advance(1000)
    const second = (await listings.patch(SKU, [setQuantity(4)])).json()
    expect(second.submissionId).not.toBe(first.submissionId)
    const [summary] = (await listings.get(SKU)).json().summaries
    expect(summary.lastUpdatedDate).toBe(souk.clock.now().toISOString())
    expect(Date.parse(summary.createdDate)).toBeLessThan(Date.parse(summary.lastUpdatedDate))
  })

  test('numbers sent as strings are stored as numbers', async () => {
    await listings.patch(SKU, [setQuantity('12'), setPrice('79.90')])
    const { attributes } = await listings.read(SKU)
    expect(attributes.fulfillment_availability[0].quantity).toBe(12)
    expect(attributes.purchasable_offer[0].our_price[0].schedule[0].value_with_tax).toBe(79.9)
  })

  test('sold out is not buyable, and back in stock is', async () => {
    const statusOf = async () => (await listings.get('SOUK-SHOE-005')).json().summaries[0].status
    await listings.patch('SOUK-SHOE-005', [setQuantity(0)])
    expect(await statusOf()).toEqual(['DISCOVERABLE'])
    await listings.patch('SOUK-SHOE-005', [setQuantity(1)])
    expect(await statusOf()).toEqual(['BUYABLE', 'DISCOVERABLE'])
  })
})

describe('a SKU that was never created', () => {
  test('is accepted, and later has issue 13013 and only the sent attributes, as in the specification', async () => {
    const sku = 'NEVER-CREATED'
    const image = (media_location: string) => ({ media_location })
    const patches = [
      setPrice(10),
      setQuantity(1),
      setAttribute('main_product_image_locator', image('https://images.example/1.jpg')),
      setAttribute('other_product_image_locator_1', image('https://images.example/2.jpg')),
    ]
    expect((await listings.patch(sku, patches)).json()).toEqual(accepted(sku))
    await souk.idle()
    const sets = 'summaries,attributes,issues,offers,fulfillmentAvailability'
    expect((await listings.get(sku, `${IN_US}&includedData=${sets}`)).json()).toEqual({
      sku,
      summaries: [],
      attributes: {
        purchasable_offer: [
          { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 10 }] }], marketplace_id: US },
        ],
        fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 1, marketplace_id: US }],
        main_product_image_locator: [{ media_location: 'https://images.example/1.jpg', marketplace_id: US }],
        other_product_image_locator_1: [{ media_location: 'https://images.example/2.jpg', marketplace_id: US }],
      },
      issues: [expect.objectContaining({ code: '13013', severity: 'ERROR', message: expect.stringContaining('SKU') })],
      offers: [],
      fulfillmentAvailability: [],
    })
  })

  test('still has the issue after another patch', async () => {
    await listings.patch('SOUK-GHOST-001', [setQuantity(9)])
    await souk.idle()
    const item = await listings.read('SOUK-GHOST-001')
    expect(item).toMatchObject({ summaries: [], offers: [], issues: [{ code: '13013' }] })
    expect(item.attributes.fulfillment_availability[0].quantity).toBe(9)
  })
})

describe('a SKU in two marketplaces', () => {
  const names = async (query: string) => (await listings.read('SOUK-SHOE-003', query)).attributes.item_name

  test('has separate attributes in each', async () => {
    const [american, german] = [await names(IN_US), await names(IN_DE)]
    await listings.patch('SOUK-SHOE-003', [setAttribute('item_name', { value: 'Nur hier' })], IN_DE)
    expect(await names(IN_US)).toEqual(american)
    expect(await names(IN_DE)).toEqual([{ value: 'Nur hier', marketplace_id: DE }])
    expect(american).not.toEqual(german)
  })

  test('is changed in both by one patch: an entry with a marketplace_id applies to that one, others to both', async () => {
    const patches = [
      setAttribute('item_name', { value: 'Sneaker', marketplace_id: US }, { value: 'Turnschuh', marketplace_id: DE }),
      setAttribute('model_number', { value: 'M-3' }),
    ]
    const response = await listings.patch('SOUK-SHOE-003', patches, IN_BOTH)
    expect(response.json()).toEqual(accepted('SOUK-SHOE-003'))
    expect(await names(IN_US)).toEqual([{ value: 'Sneaker', marketplace_id: US }])
    expect(await names(IN_DE)).toEqual([{ value: 'Turnschuh', marketplace_id: DE }])
    const { attributes } = await listings.read('SOUK-SHOE-003', IN_BOTH)
    expect(attributes.model_number).toHaveLength(2)
    expect(attributes.model_number).toContainEqual({ value: 'M-3', marketplace_id: US })
    expect(attributes.model_number).toContainEqual({ value: 'M-3', marketplace_id: DE })
  })

  test('is not changed where a patch for both has entries only for the other', async () => {
    const german = await names(IN_DE)
    const patches = [setAttribute('item_name', { value: 'Plimsoll', marketplace_id: US })]
    expect(statusAndIssuesOf(await listings.patch('SOUK-SHOE-003', patches, IN_BOTH)).status).toBe('ACCEPTED')
    expect(await names(IN_US)).toEqual([{ value: 'Plimsoll', marketplace_id: US }])
    expect(await names(IN_DE)).toEqual(german)
  })

  test('is changed in neither when an entry refers to a third', async () => {
    const [american, german] = [await names(IN_US), await names(IN_DE)]
    const patches = [setAttribute('item_name', { value: 'x', marketplace_id: 'A1VC38T7YXB528' })]
    for (const query of [IN_US, IN_BOTH]) {
      expect(statusAndIssuesOf(await listings.patch('SOUK-SHOE-003', patches, query)).status).toBe('INVALID')
    }
    const forOther = [setAttribute('item_name', { value: 'x', marketplace_id: DE })]
    expect(statusAndIssuesOf(await listings.patch('SOUK-SHOE-003', forOther, IN_US))).toEqual({
      status: 'INVALID',
      issues: ['90000900 item_name'],
    })
    expect([await names(IN_US), await names(IN_DE)]).toEqual([american, german])
  })
})

describe('the response contains', () => {
  test('the ASIN when identifiers are requested', async () => {
    const response = await listings.patch(
      'SOUK-SHOE-004',
      [setQuantity(5)],
      `${IN_BOTH}&includedData=identifiers,issues`,
    )
    expect(response.json().identifiers).toEqual([
      { marketplaceId: US, asin: 'B0SOUK0004' },
      { marketplaceId: DE, asin: 'B0SOUK0004' },
    ])
    expect((await listings.patch('SOUK-SHOE-004', [setQuantity(5)])).json()).not.toHaveProperty('identifiers')
  })

  test.each([
    [IN_US, /^'Offer' is too small/],
    [IN_DE, /^„Angebot“ ist/],
    [`${IN_US}&issueLocale=de_DE`, /^„Angebot“ ist/],
    [`${IN_DE}&issueLocale=en_US`, /^'Offer' is too small/],
    [`${IN_US}&issueLocale=fr_FR`, /^'Offer' is too small/],
  ])('issues in the requested locale or that of the marketplace: %s', async (query, message) => {
    const response = await listings.patch('SOUK-SHOE-004', [setPrice(-1)], query)
    expect(response.json().issues[0].message).toMatch(message)
    expect(response.json().issues[0]).toMatchObject({
      code: '90004114',
      severity: 'ERROR',
      categories: ['INVALID_ATTRIBUTE'],
      attributeNames: ['purchasable_offer'],
    })
  })

  test('each issue once, however many marketplaces the request has', async () => {
    const response = await listings.patch('SOUK-SHOE-004', [setPrice(-1)], IN_BOTH)
    expect(statusAndIssuesOf(response).issues).toEqual(['90004114 purchasable_offer'])
  })
})

describe('the wildcard product type', () => {
  test('changes a listing of any type, which keeps its type', async () => {
    const patches = [setQuantity(21), setAttribute('sole_material', { value: 'rubber' })]
    expect(statusAndIssuesOf(await listings.patch('SOUK-SHOE-005', patches, IN_US, 'PRODUCT')).status).toBe('ACCEPTED')
    const item = await listings.read('SOUK-SHOE-005')
    expect(item.productTypes).toEqual([{ marketplaceId: US, productType: 'SHOES' }])
    expect(item.attributes.sole_material).toEqual([{ value: 'rubber', marketplace_id: US }])
    expect(item.fulfillmentAvailability).toMatchObject([{ quantity: 21 }])
  })
})

test('the older path accepts the same patch', async () => {
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const path = `/listings/2020-09-01/items/${souk.demo.sellerId}/SOUK-SHOE-006?${IN_US}`
  const payload = { productType: 'SHOES', patches: [setQuantity(31)] }
  expect((await souk.send('PATCH', path, { token, payload })).json()).toEqual(accepted('SOUK-SHOE-006'))
  expect((await listings.read('SOUK-SHOE-006')).fulfillmentAvailability).toMatchObject([{ quantity: 31 }])
})
