import { beforeAll, describe, expect, test } from 'vitest'
import {
  DE,
  expectNoChanges,
  IN_BOTH,
  IN_US,
  type ListingsClient,
  listingsClient,
  newShoe,
  priceOf,
  startWatchedListings,
  statusAndIssuesOf,
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

expectNoChanges(() => ({ souk, watch }))

describe('an invalid put returns 200 INVALID, and writes nothing', () => {
  test.each([
    [
      'LISTING',
      [
        'item_name',
        'brand',
        'bullet_point',
        'product_description',
        'country_of_origin',
        'condition_type',
        'purchasable_offer',
        'fulfillment_availability',
      ],
    ],
    ['LISTING_PRODUCT_ONLY', ['item_name', 'brand', 'bullet_point', 'product_description', 'country_of_origin']],
    ['LISTING_OFFER_ONLY', ['condition_type', 'purchasable_offer', 'fulfillment_availability']],
  ])('%s without attributes: one 90220 for each required attribute', async (requirements, names) => {
    const response = await listings.put('EMPTY', {}, IN_US, { requirements })
    expect(statusAndIssuesOf(response)).toEqual({ status: 'INVALID', issues: names.map((name) => `90220 ${name}`) })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown attribute', { warp_drive: [{ value: 1 }] }, '90000900 warp_drive'],
    ['the attribute constructor', { constructor: [{ value: 1 }] }, '90000900 constructor'],
    ['text for a list', { item_name: 'Boot' }, '90000900 item_name'],
    ['null for a list', { item_name: null }, '90000900 item_name'],
    ['an empty list', { brand: [] }, '99022 brand'],
    ['entries for another marketplace', { brand: [{ value: 'x', marketplace_id: DE }] }, '90000900 brand'],
    [
      'a price below the least',
      { purchasable_offer: [{ currency: 'USD', our_price: priceOf(0) }] },
      '90004114 purchasable_offer',
    ],
    ['9,000 names', { item_name: Array.from({ length: 9_000 }, () => ({ value: 'x' })) }, '90000900 item_name'],
  ])('%s', async (_, odd, issue) => {
    for (const query of [IN_US, `${IN_US}&mode=VALIDATION_PREVIEW`]) {
      for (const sku of ['BAD', 'SOUK-SHOE-001']) {
        const response = await listings.put(sku, { ...newShoe(), ...odd }, query)
        expect(statusAndIssuesOf(response)).toEqual({ status: 'INVALID', issues: [issue] })
      }
    }
  })

  test('a preview of a valid put returns VALID and writes nothing', async () => {
    const response = await listings.put(
      'PREVIEW',
      newShoe(),
      `${IN_US}&mode=VALIDATION_PREVIEW&includedData=identifiers`,
    )
    expect(response.json()).toMatchObject({ sku: 'PREVIEW', status: 'VALID', identifiers: [] })
  })
})

describe('a malformed put is refused, and writes nothing', () => {
  test.each<[string, object, string, number]>([
    ['two marketplaces', {}, IN_BOTH, 400],
    ['no marketplace', {}, '', 400],
    ['an unknown marketplace', {}, 'marketplaceIds=NOWHERE', 400],
    ["a marketplace that is not the seller's", {}, 'marketplaceIds=A1VC38T7YXB528', 403],
    ['attributes that are a list', { attributes: [] }, IN_US, 400],
    ['attributes that are null', { attributes: null }, IN_US, 400],
    ['no attributes', { attributes: undefined }, IN_US, 400],
    ['unknown requirements', { requirements: 'EVERYTHING' }, IN_US, 400],
    ['an unknown product type', { productType: 'SPACESHIP' }, IN_US, 400],
  ])('%s', async (_, more, query, status) => {
    expect(errorOf(await listings.put('REFUSED', newShoe(), query, more)).status).toBe(status)
  })

  test("another seller's SKU", async () => {
    const others = listingsClient(souk, token, souk.demo.otherSeller.sellerId)
    expect(errorOf(await others.put('REFUSED', newShoe())).status).toBe(403)
  })
})
