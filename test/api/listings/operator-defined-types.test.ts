import { beforeAll, describe, expect, test } from 'vitest'
import { IN_US, type ListingsClient, priceOf, setAttribute, startListings } from '../../support/listings.ts'
import { putResources } from '../../support/seller-client.ts'

const TYPE = 'ANYTHING_GOES'
const ATTRIBUTES = {
  item_name: 'product_identity',
  condition_type: 'offer',
  purchasable_offer: 'offer',
  fulfillment_availability: 'offer',
  child_parent_sku_relationship: 'variations',
  package_contains_sku: 'shipping',
}

const DISCOUNT = { value_with_tax: 1, start_at: '2026-01-01T00:00:00Z', end_at: 'soon' }

let listings: ListingsClient
beforeAll(async () => {
  const started = await startListings()
  listings = started.listings
  const attributes = Object.entries(ATTRIBUTES).map(([name, group]) => {
    return [name, { titles: { en_US: name }, group, schema: { type: 'array', items: { type: 'object' } } }]
  })
  const definition = { name: TYPE, displayNames: { en_US: 'Anything' }, attributes: Object.fromEntries(attributes) }
  await putResources(started.souk, 'productTypes', [definition])
})

const offer = (fields: object) => ({ purchasable_offer: [{ currency: 'USD', ...fields }] })
const put = (sku: string, attributes: object) => listings.put(sku, attributes, IN_US, { productType: TYPE })

describe('a type of the operator that allows anything', () => {
  test.each([
    ['part of a piece', { fulfillment_availability: [{ quantity: 1.5 }] }, 'fulfillment_availability'],
    ['more pieces than can be counted', { fulfillment_availability: [{ quantity: 1e30 }] }, 'fulfillment_availability'],
    ['fewer pieces than none', { fulfillment_availability: [{ quantity: -1 }] }, 'fulfillment_availability'],
    ['a price that is too high', offer({ our_price: priceOf(1e308) }), 'purchasable_offer'],
    ['a price that is not in a list', offer({ our_price: { schedule: {} } }), 'purchasable_offer'],
    ['prices that are not in lists', offer({ our_price: [{ schedule: 1 }] }), 'purchasable_offer'],
    ['a price that is null', offer({ our_price: [null] }), 'purchasable_offer'],
    ['a discount that ends at no time', offer({ discounted_price: [{ schedule: [DISCOUNT] }] }), 'purchasable_offer'],
    ['a long currency', { purchasable_offer: [{ currency: 'X'.repeat(5_000) }] }, 'purchasable_offer'],
    ['a long condition', { condition_type: [{ value: 'x'.repeat(5_000) }] }, 'condition_type'],
    [
      'a parent with a long SKU',
      { child_parent_sku_relationship: [{ parent_sku: 'x'.repeat(5_000) }] },
      'child_parent_sku_relationship',
    ],
    ['contents with a long SKU', { package_contains_sku: [{ sku: 'x'.repeat(5_000) }] }, 'package_contains_sku'],
  ])('gets an issue for %s', async (_what, attributes, attribute) => {
    const response = await put('ANY-1', { item_name: [{ value: 'Any' }], ...attributes })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({ status: 'INVALID', issues: [{ attributeNames: [attribute] }] })
    const [value] = (attributes as Record<string, Record<string, unknown>[]>)[attribute] as [Record<string, unknown>]
    const patched = await listings.patch('ANY-2', [setAttribute(attribute, value)], IN_US, TYPE)
    expect(patched.json()).toMatchObject({ status: 'INVALID', issues: [{ attributeNames: [attribute] }] })
  })

  test('accepts what Souk can store, and what it does not read', async () => {
    const response = await put('ANY-3', {
      item_name: [{ value: 'Any', note: { deep: [1e308] } }],
      ...offer({ our_price: priceOf(9.5), surcharge: { percent: 1e30 } }),
      condition_type: [{ value: 'operator_grade' }],
      fulfillment_availability: [{ fulfillment_channel_code: 'WAREHOUSE_9', quantity: 2, shelf: 1.5 }],
      child_parent_sku_relationship: [{ parent_sku: 'ANY-PARENT' }],
    })
    expect(response.json()).toMatchObject({ status: 'ACCEPTED', issues: [] })
    expect(await listings.read('ANY-3')).toMatchObject({
      offers: [{ price: { amount: '9.50' } }],
      fulfillmentAvailability: [{ quantity: 2 }],
      relationships: [{ relationships: [{ parentSkus: ['ANY-PARENT'] }] }],
    })
  })
})
