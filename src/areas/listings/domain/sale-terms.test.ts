import { describe, expect, test } from 'vitest'
import type { Attributes } from './attributes.ts'
import { fulfillmentTypeOf, parseTerms, renderAvailability, renderOffers } from './sale-terms.ts'

const now = new Date('2026-06-01T12:00:00Z')
const price = (value_with_tax: number, times = {}) => [{ schedule: [{ value_with_tax, ...times }] }]
const read = (attributes: Attributes, currencyCode = 'USD') => parseTerms(attributes, { now, currencyCode })
const offer = (fields: object = {}, currency = 'USD') => ({ currency, our_price: price(80), ...fields })

describe('parseTerms', () => {
  test('defaults to new and merchant-fulfilled, without price and quantity', () => {
    expect(read({})).toEqual({ conditionType: 'new_new', channel: 'DEFAULT', isOfferSkipped: false, isPlain: false })
  })

  test('reads price, condition and stock', () => {
    const terms = read({
      purchasable_offer: [offer()],
      condition_type: [{ value: 'used_good' }],
      fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 0 }],
      skip_offer: [{ value: true }],
    })
    expect(terms).toEqual({
      price: { minor: 8000, currencyCode: 'USD' },
      bounds: {},
      conditionType: 'used_good',
      channel: 'DEFAULT',
      quantity: 0,
      isOfferSkipped: true,
      isPlain: true,
    })
  })

  test.each([
    ['USD', 19.99, 1999],
    ['USD', 1.005, 101],
    ['JPY', 1980, 1980],
    ['KWD', 1.234, 1234],
  ])('uses the minor units of %s: %d is %i', (currency, value, minor) => {
    const terms = read({ purchasable_offer: [{ currency, our_price: price(value) }] }, currency)
    expect(terms.price).toEqual({ minor, currencyCode: currency })
  })

  test('uses the consumer price, not the business price', () => {
    const forBusinesses = offer({ audience: 'B2B', our_price: price(70) })
    expect(read({ purchasable_offer: [forBusinesses, offer({ audience: 'ALL' })] }).price?.minor).toBe(8000)
    expect(read({ purchasable_offer: [forBusinesses] }).price).toBeUndefined()
  })

  test("prefers the price in the marketplace's currency", () => {
    const both = [offer({ our_price: price(90) }, 'EUR'), offer()]
    expect(read({ purchasable_offer: both }).price).toEqual({ minor: 8000, currencyCode: 'USD' })
    expect(read({ purchasable_offer: both }, 'EUR').price).toEqual({ minor: 9000, currencyCode: 'EUR' })
    expect(read({ purchasable_offer: both }, 'GBP').price).toEqual({ minor: 9000, currencyCode: 'EUR' })
  })

  test.each([
    ['while it lasts', '2026-06-01T12:00:00Z', '2026-06-02', 7000],
    ['not before it begins', '2026-06-01T12:00:01Z', '2026-06-02', 8000],
    ['not once it has ended', '2026-05-01', '2026-06-01T12:00:00Z', 8000],
  ])('applies a discounted price %s', (_, start_at, end_at, minor) => {
    const reduced = offer({ discounted_price: price(70, { start_at, end_at }) })
    expect(read({ purchasable_offer: [reduced] }).price?.minor).toBe(minor)
  })

  test("reads the seller's price limits", () => {
    const bounded = offer({ minimum_seller_allowed_price: price(50), maximum_seller_allowed_price: price(100) })
    expect(read({ purchasable_offer: [bounded] }).bounds).toEqual({ lowestMinor: 5000, highestMinor: 10_000 })
  })

  test('has no quantity for marketplace-fulfilled listings', () => {
    const terms = read({ fulfillment_availability: [{ fulfillment_channel_code: 'AMAZON_NA' }] })
    expect(terms.quantity).toBeUndefined()
    expect(fulfillmentTypeOf(terms)).toBe('AFN')
    expect(fulfillmentTypeOf(read({}))).toBe('MFN')
  })
})

describe('plain terms', () => {
  const stock = { fulfillment_channel_code: 'DEFAULT', quantity: 1 }
  test.each<[string, boolean, object[], object[]]>([
    ['one price and one stock', true, [offer()], [stock]],
    ['no price', true, [], [stock]],
    ['a price for businesses', false, [offer({ audience: 'B2B' })], [stock]],
    ['two prices', false, [offer(), offer({ audience: 'B2B' })], [stock]],
    ['a reduced price', false, [offer({ discounted_price: price(70) })], [stock]],
    ['no stock', false, [offer()], []],
    ['stock in two places', false, [offer()], [stock, { fulfillment_channel_code: 'AMAZON_NA' }]],
  ])('%s: %s', (_, isPlain, purchasable_offer, fulfillment_availability) => {
    const terms = read({ purchasable_offer, fulfillment_availability } as Attributes)
    expect(terms.isPlain).toBe(isPlain)
  })
})

describe('rendering', () => {
  test('renders an offer for each audience with the current price', () => {
    const reduced = { discounted_price: price(70, { start_at: '2026-06-01', end_at: '2026-07-01' }) }
    const shown = renderOffers({ purchasable_offer: [offer(reduced), offer({ audience: 'B2B' })] }, 'US', now)
    expect(shown).toMatchObject([
      {
        marketplaceId: 'US',
        offerType: 'B2C',
        price: { currencyCode: 'USD', amount: '70.00' },
        audience: { value: 'ALL' },
      },
      {
        marketplaceId: 'US',
        offerType: 'B2B',
        price: { currencyCode: 'USD', amount: '80.00' },
        audience: { value: 'B2B' },
      },
    ])
    expect(renderOffers({}, 'US', now)).toEqual([])
  })

  test('renders each channel with its quantity, if any', () => {
    const fulfillment_availability = [
      { fulfillment_channel_code: 'DEFAULT', quantity: 0, marketplace_id: 'US' },
      { fulfillment_channel_code: 'AMAZON_NA', marketplace_id: 'US' },
    ]
    expect(renderAvailability({ fulfillment_availability })).toEqual([
      { fulfillmentChannelCode: 'DEFAULT', quantity: 0 },
      { fulfillmentChannelCode: 'AMAZON_NA' },
    ])
    expect(renderAvailability({})).toEqual([])
  })
})

describe('values that only a product type of the operator allows', () => {
  test.each([1.5, -1, 1e30, Number.MAX_SAFE_INTEGER, '5', null])('a quantity of %s is no stock', (quantity) => {
    const availability = { fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity }] }
    expect(read(availability).quantity).toBeUndefined()
    expect(renderAvailability(availability)).toEqual([{ fulfillmentChannelCode: 'DEFAULT' }])
  })

  test.each([
    ['too high', price(1e308)],
    ['negative', price(-5)],
    ['an object', { schedule: [{ value_with_tax: 5 }] }],
    ['a schedule that is not a list', [{ schedule: { value_with_tax: 5 } }]],
    ['a schedule of numbers', [{ schedule: [5] }]],
    ['null', [null]],
    ['text', '5'],
  ])('a price that is %s is none', (_, our_price) => {
    const attributes = { purchasable_offer: [offer({ our_price })] }
    expect(read(attributes).price).toBeUndefined()
    expect(renderOffers(attributes, 'US', now)).toEqual([])
  })

  test('a discount at times that do not exist never applies', () => {
    const discounted_price = price(5, { start_at: 'yesterday', end_at: '+012345-01-01T00:00:00Z' })
    const terms = read({ purchasable_offer: [offer({ discounted_price })] })
    expect([terms.price?.minor, terms.nextChangeAt]).toEqual([8000, undefined])
  })
})
