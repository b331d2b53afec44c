import { beforeAll, expect, test } from 'vitest'
import { type CatalogItem, isValidGtin } from '../../../src/marketplace/catalog/index.ts'
import type { CompetitorOffer } from '../../../src/marketplace/offers/offers.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const DE = 'A1PA6795UKMFR9'
const US = 'ATVPDKIKX0DER'

let souk: TestSouk
let items: CatalogItem[]
let offers: CompetitorOffer[]
beforeAll(async () => {
  souk = await startTestSouk()
  const list = async (plural: string, filter = '') =>
    (await souk.get(`/operator/v1/${plural}?pageSize=1000${filter}`, { headers: souk.operator })).json()[plural]
  items = await list('catalogItems')
  offers = [...(await list('offers', `&marketplaceId=${US}`)), ...(await list('offers', `&marketplaceId=${DE}`))]
})

const isSold = ({ itemClassification }: CatalogItem) => itemClassification !== 'VARIATION_PARENT'

test('the demo catalog has 60 items of four types in two marketplaces, including those of the orders', () => {
  expect(items.length).toBeGreaterThanOrEqual(60)
  expect(new Set(items.map(({ productType }) => productType))).toEqual(new Set(['SHOES', 'SHIRT', 'LUGGAGE', 'HOME']))
  expect(items.filter(({ marketplaceId }) => marketplaceId === DE).length).toBeGreaterThanOrEqual(10)
  const asins = items.map(({ asin }) => asin)
  expect(asins).toEqual(expect.arrayContaining(souk.demo.asins))
})

test('every demo product has a brand, a main image and valid unique identifiers', () => {
  const sold = items.filter(isSold)
  const numbers = sold.map(({ marketplaceId, identifiers = [] }) => {
    expect(identifiers.map(({ type }) => type)).toEqual(['UPC', 'EAN'])
    for (const { value } of identifiers) expect(isValidGtin(value), value).toBe(true)
    return `${marketplaceId} ${identifiers[0]?.value}`
  })
  expect(new Set(numbers).size).toBe(sold.length)
  for (const { brand, images = [] } of sold) {
    expect(brand).toBeTruthy()
    expect(images[0]?.variant).toBe('MAIN')
  }
})

test('demo variations reference their parent and vice versa', () => {
  const parents = items.filter((item) => !isSold(item))
  expect(parents.length).toBeGreaterThan(0)
  for (const { asin, relationships } of parents) {
    const children = relationships?.[0]?.childAsins ?? []
    expect(children.length).toBeGreaterThan(1)
    for (const child of children) {
      const item = items.find((one) => one.asin === child && one.marketplaceId !== DE)
      expect(item?.relationships?.[0]?.parentAsins).toEqual([asin])
    }
  }
})

test('60 demo products have two to thirty offers each, in the currency of the marketplace, from sellers of all kinds', () => {
  const competitors = offers.filter(({ sellerId }) => sellerId.includes('RIVAL'))
  for (const { marketplaceId, asin } of items.filter(isSold)) {
    const ofItem = competitors.filter((offer) => offer.asin === asin && offer.marketplaceId === marketplaceId)
    const all = offers.filter((offer) => offer.asin === asin && offer.marketplaceId === marketplaceId)
    expect(ofItem.length).toBeGreaterThanOrEqual(2)
    expect(all.length).toBeLessThanOrEqual(30)
    expect(new Set(ofItem.map(({ sellerId }) => sellerId)).size).toBe(ofItem.length)
    for (const { currencyCode } of ofItem) expect(currencyCode).toBe(marketplaceId === DE ? 'EUR' : 'USD')
  }
  expect(new Set(items.filter(isSold).map(({ asin }) => asin)).size).toBe(60)
  expect(new Set(competitors.map(({ fulfillmentType }) => fulfillmentType))).toEqual(new Set(['AFN', 'MFN']))
  expect(new Set(competitors.map(({ conditionType }) => conditionType)).size).toBeGreaterThan(1)
})
