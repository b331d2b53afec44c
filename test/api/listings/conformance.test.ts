import { beforeAll, describe, expect, test } from 'vitest'
import {
  EVERYTHING,
  IN_BOTH,
  IN_US,
  type ListingsClient,
  newShoe,
  priceOf,
  setPrice,
  setQuantity,
  startListings,
} from '../../support/listings.ts'
import { conformsTo, modelsArePresent, readModel } from '../../support/public-models.ts'
import type { TestSouk } from '../../support/souk.ts'

const MODEL = 'listingsItems_2021-08-01.json'

describe.skipIf(!modelsArePresent)('listings conform to the public model', () => {
  let souk: TestSouk
  let listings: ListingsClient
  beforeAll(async () => {
    ;({ souk, listings } = await startListings())
  })

  test('submissions, accepted and invalid', async () => {
    const answers = [
      await listings.put('MODEL-1', newShoe(), `${IN_US}&includedData=identifiers,issues`),
      await listings.put('MODEL-2', {}),
      await listings.patch('SOUK-SHOE-001', [setQuantity(1)], `${IN_BOTH}&includedData=identifiers`),
      await listings.patch('SOUK-SHOE-001', [setPrice(-1)]),
      await listings.patch('SOUK-SHOE-001', [setPrice(1)], `${IN_US}&mode=VALIDATION_PREVIEW`),
      await listings.delete('SOUK-SHOE-006'),
    ]
    const statuses = answers.map((answer) => answer.json().status)
    expect(statuses).toEqual(['ACCEPTED', 'INVALID', 'ACCEPTED', 'INVALID', 'VALID', 'ACCEPTED'])
    for (const answer of answers) conformsTo(MODEL, 'ListingsItemSubmissionResponse', answer.json())
  })

  test('items: complete, new, unknown, in two marketplaces, with issues and with relations', async () => {
    const family = { parentage_level: [{ value: 'child' }], variation_theme: [{ name: 'COLOR' }] }
    await listings.put('MODEL-3', newShoe({ ...family, child_parent_sku_relationship: [{ parent_sku: 'MODEL-4' }] }))
    const offer = { currency: 'USD', our_price: priceOf(5) }
    const trouble = {
      main_product_image_locator: [{ media_location: 'nowhere' }],
      purchasable_offer: [
        { ...offer, minimum_seller_allowed_price: priceOf(6) },
        { ...offer, audience: 'B2B' },
      ],
      fulfillment_availability: [{ fulfillment_channel_code: 'AMAZON_NA' }],
    }
    await listings.put('MODEL-5', newShoe(trouble))
    await souk.idle()
    for (const sku of ['SOUK-SHOE-001', 'MODEL-3', 'MODEL-5', 'SOUK-GHOST-001', 'SOUK-SHOE-001-FBA']) {
      conformsTo(MODEL, 'Item', await listings.read(sku, IN_BOTH))
    }
    expect((await listings.read('MODEL-5')).issues.length).toBeGreaterThan(2)
  })

  test('pages of a search', async () => {
    const first = (await listings.search(`${IN_BOTH}&includedData=${EVERYTHING}&pageSize=20`)).json()
    conformsTo(MODEL, 'ItemSearchResults', first)
    const next = await listings.search(`${IN_BOTH}&pageSize=20&pageToken=${first.pagination.nextToken}`)
    conformsTo(MODEL, 'ItemSearchResults', next.json())
    conformsTo(MODEL, 'ItemSearchResults', (await listings.search(`${IN_US}&variationParentSku=NONE`)).json())
  })

  test('errors', async () => {
    for (const response of [
      await listings.get('NO-SUCH-SKU'),
      await listings.patch('X', {}),
      await listings.search(''),
    ]) {
      conformsTo(MODEL, 'ErrorList', response.json())
    }
  })

  test('the search accepts every parameter value of the model', async () => {
    const operations = Object.values(readModel(MODEL).paths).flatMap((path) => Object.values(path as object))
    const search = operations.find((operation) => operation.operationId === 'searchListingsItems')
    for (const { name, items, enum: values = items?.enum } of search.parameters) {
      for (const value of values ?? []) {
        const more = name === 'identifiersType' ? '&identifiers=1' : ''
        const response = await listings.search(`${IN_US}&${name}=${value}${more}`)
        expect(response.statusCode, `${name}=${value}`).toBe(200)
      }
    }
  })
})
