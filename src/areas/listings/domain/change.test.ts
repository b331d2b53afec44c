import { beforeAll, describe, expect, test } from 'vitest'
import { emptyReader } from '../../../../test/support/empty-reader.ts'
import { type ProductType, ProductTypes, type Requirements } from '../../../marketplace/product-types/index.ts'
import type { Attributes, Patch } from './attributes.ts'
import { applyChange, type ChangeContext } from './change.ts'
import type { Listing } from './listing.ts'

let productType: ProductType
beforeAll(async () => {
  productType = (await new ProductTypes().find(emptyReader, 'SHOES')) as ProductType
})

const now = new Date('2026-06-01T12:00:00Z')
const setting: ChangeContext = {
  key: { sellerId: 'S', sku: 'X', marketplaceId: 'US' },
  marketplaceIds: ['US', 'DE'],
  now,
  currencyCode: 'USD',
}
const attributes: Attributes = {
  item_name: [{ value: 'Boot' }],
  brand: [{ value: 'Oasis' }],
  bullet_point: [{ value: 'Suede' }],
  product_description: [{ value: 'Dry' }],
  country_of_origin: [{ value: 'PT' }],
  main_product_image_locator: [{ media_location: 'https://images.example/1.jpg' }],
  condition_type: [{ value: 'used_good' }],
  purchasable_offer: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 80 }] }] }],
  fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 4 }],
}
const put = (given: Record<string, unknown>, before?: Listing, requirements: Requirements = 'LISTING') =>
  applyChange(before, { operation: 'PUT', productType, requirements, attributes: given }, setting)
const patch = (before: Listing | undefined, ...patches: Patch[]) =>
  applyChange(before, { operation: 'PATCH', productType, patches }, setting)
const created = () => put(attributes).listing as Listing
const live = (): Listing => ({ ...created(), state: 'LIVE', asin: 'B0', isBuyable: true, isDiscoverable: true })
const productOf = (listing?: Listing) => JSON.parse(listing?.productAttributes ?? '{}')
const offerOf = (listing?: Listing) => JSON.parse(listing?.offerAttributes ?? '{}')

describe('a put', () => {
  test('creates a listing in state NEW, with values derived from its attributes', () => {
    expect(created()).toMatchObject({
      ...setting.key,
      state: 'NEW',
      productType: 'SHOES',
      requirements: 'LISTING',
      itemName: 'Boot',
      mainImage: 'https://images.example/1.jpg',
      conditionType: 'used_good',
      channel: 'DEFAULT',
      quantity: 4,
      price: { minor: 8000, currencyCode: 'USD' },
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    })
  })

  test('separates product attributes from sale terms', () => {
    expect(Object.keys(productOf(created()))).toHaveLength(6)
    expect(Object.keys(offerOf(created()))).toEqual(['condition_type', 'purchasable_offer', 'fulfillment_availability'])
  })

  test('keeps state, ASIN and issues of a live listing', () => {
    const before: Listing = { ...live(), issues: [{ kind: 'badImage' }] }
    const { listing } = put({ ...attributes, item_name: [{ value: 'Shoe' }] }, before)
    expect(listing).toMatchObject({ state: 'LIVE', asin: 'B0', issues: [{ kind: 'badImage' }], itemName: 'Shoe' })
  })

  test('clears the issues of an unknown SKU', () => {
    const before: Listing = { ...created(), state: 'UNKNOWN', issues: [{ kind: 'unknownSku' }] }
    expect(put(attributes, before).listing).toMatchObject({ state: 'NEW', issues: [] })
  })

  test('clears a removed name and image', () => {
    const { main_product_image_locator: _, ...imageless } = attributes
    expect(put(imageless, live()).listing?.mainImage).toBeUndefined()
  })

  test('reports removed relations as touched', () => {
    const { brand: _, ...brandless } = attributes
    expect(put({ ...brandless, brand: [{ value: 'x' }] }, live()).touched).toContain('main_product_image_locator')
  })

  test.each<[Requirements, Requirements, Requirements]>([
    ['LISTING', 'LISTING_OFFER_ONLY', 'LISTING'],
    ['LISTING', 'LISTING_PRODUCT_ONLY', 'LISTING'],
    ['LISTING_PRODUCT_ONLY', 'LISTING_OFFER_ONLY', 'LISTING'],
    ['LISTING_OFFER_ONLY', 'LISTING_OFFER_ONLY', 'LISTING_OFFER_ONLY'],
  ])('of a %s, as a %s, leaves a %s', (had, given, has) => {
    expect(put(attributes, { ...created(), requirements: had }, given).listing?.requirements).toBe(has)
  })

  test('of product or offer only keeps these requirements, whatever the unknown SKU had', () => {
    const unknown: Listing = { ...created(), state: 'UNKNOWN' }
    expect(put(attributes, unknown, 'LISTING_OFFER_ONLY').listing?.requirements).toBe('LISTING_OFFER_ONLY')
  })

  test('with errors returns no listing', () => {
    const outcome = put({ ...attributes, brand: 'Oasis' })
    expect(outcome).not.toHaveProperty('listing')
    expect(outcome.issues).toMatchObject([{ kind: 'invalid', attribute: 'brand' }])
  })

  test('omits entries for another marketplace of the request, and refuses entries for others', () => {
    const names = [
      { value: 'Boot', marketplace_id: 'US' },
      { value: 'Stiefel', marketplace_id: 'DE' },
    ]
    expect(productOf(put({ ...attributes, item_name: names }).listing).item_name).toEqual([names[0]])
    const odd = put({ ...attributes, item_name: [{ value: 'x', marketplace_id: 'JP' }] })
    expect(odd.issues).toEqual([
      { kind: 'foreignMarketplace', attribute: 'item_name', place: '[0].marketplace_id', limit: 'JP' },
    ])
  })
})

describe('a patch', () => {
  const quantity = (value: unknown): Patch => ({
    op: 'replace',
    attribute: 'fulfillment_availability',
    value: [{ fulfillment_channel_code: 'DEFAULT', quantity: value }],
  })

  test('keeps the product when it changes the sale terms', () => {
    const before = live()
    const { listing, touched } = patch(before, quantity(9))
    expect(listing?.productAttributes).toBe(before.productAttributes)
    expect(listing).toMatchObject({ quantity: 9, state: 'LIVE', asin: 'B0' })
    expect([...touched]).toEqual(['fulfillment_availability'])
  })

  test('converts numeric strings to numbers', () => {
    expect(patch(live(), quantity('12')).listing?.quantity).toBe(12)
  })

  test('creates a listing in state UNKNOWN for an unknown SKU, without required attributes', () => {
    expect(patch(undefined, quantity(1)).listing).toMatchObject({ state: 'UNKNOWN', productType: 'SHOES', quantity: 1 })
    expect(patch(undefined, { op: 'delete', attribute: 'brand' }).issues).toEqual([])
  })

  test('that removes price and quantity clears both', () => {
    const before: Listing = { ...live(), requirements: 'LISTING_PRODUCT_ONLY' }
    const { listing } = patch(
      before,
      { op: 'delete', attribute: 'purchasable_offer' },
      { op: 'delete', attribute: 'fulfillment_availability' },
    )
    expect(listing).toMatchObject({ price: undefined, quantity: undefined })
  })

  test('that removes a required attribute is refused unless it sets it again', () => {
    const remove: Patch = { op: 'delete', attribute: 'brand' }
    expect(patch(live(), remove)).toMatchObject({ issues: [{ kind: 'required', attribute: 'brand' }] })
    expect(patch(live(), remove)).not.toHaveProperty('listing')
    const set: Patch = { op: 'add', attribute: 'brand', value: [{ value: 'Mirage' }] }
    expect(productOf(patch(live(), remove, set).listing).brand).toEqual([{ value: 'Mirage', marketplace_id: 'US' }])
    expect(patch(live(), set, remove).issues).toHaveLength(1)
  })

  test('enforces only the requirements of the listing', () => {
    const productOnly: Listing = { ...live(), requirements: 'LISTING_PRODUCT_ONLY' }
    expect(patch(productOnly, { op: 'delete', attribute: 'condition_type' }).issues).toEqual([])
    expect(patch(productOnly, { op: 'delete', attribute: 'brand' }).issues).toHaveLength(1)
  })

  test('for another marketplace of the request changes nothing here', () => {
    const before = live()
    const { listing } = patch(before, {
      op: 'replace',
      attribute: 'brand',
      value: [{ value: 'Oase', marketplace_id: 'DE' }],
    })
    expect(listing?.productAttributes).toBe(before.productAttributes)
  })

  test('does not modify its arguments', () => {
    const before = live()
    const copy = structuredClone(before)
    patch(before, quantity(9), { op: 'merge', attribute: 'brand', value: [{ value: 'Mirage' }] })
    expect(before).toEqual(copy)
  })

  test.each([[[null]], [['x']], [[[]]], [[5]]])('with the invalid entries %j is an issue for every op', (value) => {
    for (const op of ['add', 'replace', 'merge', 'delete'] as const) {
      const { issues } = patch(live(), { op, attribute: 'style', value: value as never })
      expect(issues).toMatchObject([{ kind: 'invalid', attribute: 'style', place: '[0]', limit: 'object' }])
    }
  })

  test.each([{ toString: 1 }, [], null, 7, ''])('with the invalid marketplace %j is an issue for every op', (id) => {
    for (const op of ['add', 'replace', 'merge', 'delete'] as const) {
      const { issues } = patch(live(), { op, attribute: 'style', value: [{ value: 'x', marketplace_id: id }] })
      expect(issues).toMatchObject([{ attribute: 'style' }])
    }
  })

  test.each<Patch['op']>(['merge', 'delete'])('with more entries than any listing has to %s is refused', (op) => {
    const bullets = Array.from({ length: 450 }, (_, index) => ({ value: 'x', language_tag: `l${index % 45}` }))
    const before = put({ ...attributes, bullet_point: bullets }).listing as Listing
    const step: Patch = { op, attribute: 'bullet_point', value: [{ value: 'x', language_tag: 'other' }] }
    expect(patch(before, ...Array(10).fill(step)).issues).toEqual([])
    const { issues, listing } = patch(before, ...Array(500).fill(step))
    expect(issues).toMatchObject([
      { kind: 'aboveMaximum', attribute: 'bullet_point', limit: expect.stringMatching(/^10000 entries/) },
    ])
    expect(listing).toBeUndefined()
  })

  test('updates the date of the listing and keeps its creation date', () => {
    const longAgo = '1970-01-01T00:00:00.000Z'
    const before: Listing = { ...live(), createdAt: longAgo, updatedAt: longAgo }
    expect(patch(before, quantity(1)).listing).toMatchObject({ createdAt: longAgo, updatedAt: now.toISOString() })
  })
})
