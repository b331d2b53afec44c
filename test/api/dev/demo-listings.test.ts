import { beforeAll, describe, expect, test } from 'vitest'
import { demoListings } from '../../../src/dev/demo/listings.ts'
import { type ProductType, ProductTypes } from '../../../src/marketplace/product-types/index.ts'
import { emptyReader } from '../../support/empty-reader.ts'
import { type ListingsClient, setAttribute, setQuantity, startListings, US } from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let listings: ListingsClient
let token: string
beforeAll(async () => {
  ;({ souk, listings, token } = await startListings())
})

/** The demo seller's listings, except the unknown SKU. */
const known = () =>
  demoListings(souk.clock.now()).filter(({ sellerId, asin }) => sellerId === souk.demo.sellerId && asin)

describe("the demo's listings", () => {
  test('are more than 200 of the demo seller with distinct SKUs, and a few of the other seller', () => {
    const keys = known().map(({ sku, marketplaceId }) => `${sku} ${marketplaceId}`)
    expect(keys.length).toBeGreaterThan(200)
    expect(new Set(keys).size).toBe(keys.length)
    const others = demoListings(souk.clock.now()).filter(({ sellerId }) => sellerId === souk.demo.otherSeller.sellerId)
    expect(others.length).toBeGreaterThan(2)
  })

  test('are valid for their product types', async () => {
    const types = new ProductTypes()
    for (const { sku, productType, product, offer } of known()) {
      const type = (await types.find(emptyReader, productType)) as ProductType
      expect(type.checkAll({ ...product, ...offer }, 'LISTING'), sku).toEqual([])
      for (const name of Object.keys(product)) expect(type.isOffer(name), `${sku} ${name}`).toBe(false)
      for (const name of Object.keys(offer)) expect(type.isOffer(name), `${sku} ${name}`).toBe(true)
    }
  })

  test('are for products in the catalog', async () => {
    for (const { asin, marketplaceId } of known()) {
      const path = `/catalog/2022-04-01/items/${asin}?marketplaceIds=${marketplaceId}`
      expect((await souk.get(path, { token })).statusCode, asin).toBe(200)
    }
  })

  test('are realistic: some inactive, some not found, some with issues, most buyable', async () => {
    const count = async (query: string) =>
      (await listings.search(`marketplaceIds=${US}&${query}`)).json().numberOfResults
    expect(await count('withStatus=BUYABLE,DISCOVERABLE')).toBeGreaterThan(100)
    expect(await count('withoutStatus=BUYABLE')).toBeGreaterThan(20)
    expect(await count('withoutStatus=DISCOVERABLE')).toBeGreaterThan(10)
    expect(await count('withIssueSeverity=ERROR')).toBeGreaterThan(5)
    expect(await count('withIssueSeverity=WARNING')).toBeGreaterThan(10)
  })

  test('can all be changed without new issues', async () => {
    for (const { sku, marketplaceId, productType } of known().filter((_, index) => index % 9 === 0)) {
      const response = await listings.patch(sku, [setQuantity(2)], `marketplaceIds=${marketplaceId}`, productType)
      expect(response.json(), sku).toMatchObject({ status: 'ACCEPTED', issues: [] })
    }
  })

  test('do not change when processed', async () => {
    const sample = known().filter((_, index) => index % 5 === 0)
    for (const { sku, marketplaceId, productType } of sample) {
      const query = `marketplaceIds=${marketplaceId}`
      const before = await listings.read(sku, query)
      await listings.patch(sku, [setAttribute('style', { value: 'Looked at again' })], query, productType)
      await souk.idle()
      const after = await listings.read(sku, query)
      expect(after.issues, sku).toEqual(before.issues)
      expect(after.summaries[0].status, sku).toEqual(before.summaries[0].status)
    }
  })

  test('in the marketplace warehouse have an FNSKU and are found by it', async () => {
    const { fnSku } = (await listings.read('SOUK-SHOE-001-FBA')).summaries[0]
    expect(fnSku).toMatch(/^X00/)
    const query = `marketplaceIds=${US}&identifiersType=FNSKU&identifiers=${fnSku}`
    expect((await listings.search(query)).json().items).toMatchObject([{ sku: 'SOUK-SHOE-001-FBA' }])
  })
})
