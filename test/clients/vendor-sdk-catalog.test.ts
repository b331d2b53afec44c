import { beforeAll, describe, expect, test } from 'vitest'
import * as CatalogSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/catalogitems_v2022_04_01/index.js'
import * as RestrictionsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/listingsrestrictions_v2021_08_01/index.js'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  // A new client for each test, because the SDK enforces the quota itself and fails instead of waiting.
  const catalog = () =>
    new CatalogSpApi.CatalogApi(new CatalogSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token))
  const restrictions = () =>
    new RestrictionsSpApi.ListingsApi(new RestrictionsSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token))

  test('finds products by keywords, page by page', async () => {
    const api = catalog()
    const page = await api.searchCatalogItems([souk.demo.marketplaceId], {
      keywords: ['canvas', 'sneaker'],
      brandNames: ['Bazaar'],
      pageSize: 3,
    })
    expect(page).toMatchObject({
      numberOfResults: 5,
      refinements: { brands: [{ brandName: 'Bazaar' }], classifications: [{ displayName: 'Shoes' }] },
      items: [{ asin: 'B0SOUK0003', summaries: [{ itemName: 'Canvas sneaker, white' }] }, {}, {}],
    })
    const { nextToken } = (page as { pagination?: { nextToken?: string } }).pagination ?? {}
    const { items } = await api.searchCatalogItems([souk.demo.marketplaceId], {
      keywords: ['canvas', 'sneaker'],
      brandNames: ['Bazaar'],
      pageSize: 3,
      pageToken: nextToken as string,
    })
    expect(items).toHaveLength(2)
  })

  test("finds products by the seller's own SKUs", async () => {
    const { marketplaceId, sellerId, skus, asins } = souk.demo
    const identifiersType = 'SKU'
    const found = await catalog().searchCatalogItems([marketplaceId], {
      identifiers: [...skus],
      identifiersType,
      sellerId,
    })
    expect(found.items?.map(({ asin }) => asin)).toEqual(asins)
  })

  test('reads a product, and throws an error with status 404 for an unknown one', async () => {
    const { marketplaceId } = souk.demo
    const item = await catalog().getCatalogItem('B0SOUK0007', [marketplaceId], {
      includedData: ['images', 'identifiers', 'relationships', 'classifications'],
    })
    expect(item).toMatchObject({
      asin: 'B0SOUK0007',
      images: [{ images: [{ variant: 'MAIN' }, { variant: 'PT01' }] }],
      identifiers: [{ identifiers: [{ identifierType: 'UPC' }, { identifierType: 'EAN' }] }],
      relationships: [{ relationships: [{ type: 'VARIATION', parentAsins: ['B0SOUK0907'] }] }],
      classifications: [{ classifications: [{ displayName: 'Shirts', parent: { displayName: 'Fashion' } }] }],
    })
    await expect(catalog().getCatalogItem('B0NOTHING0', [marketplaceId])).rejects.toMatchObject({ status: 404 })
  })

  test('reads the restrictions of a product', async () => {
    const { marketplaceId, sellerId } = souk.demo
    expect(await restrictions().getListingsRestrictions('B0SOUK0012', sellerId, [marketplaceId])).toMatchObject({
      restrictions: [{ marketplaceId, reasons: [{ reasonCode: 'APPROVAL_REQUIRED', links: [{ verb: 'GET' }] }] }],
    })
    expect(await restrictions().getListingsRestrictions('B0SOUK0001', sellerId, [marketplaceId])).toMatchObject({
      restrictions: [],
    })
  })
})
