import { beforeAll, describe, expect, test } from 'vitest'
import { buildCatalogItem as build, wholeCatalogItem } from '../../support/catalog.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'
const ASIN = 'B0WHOLE001'
const SETS = [
  'attributes',
  'classifications',
  'dimensions',
  'identifiers',
  'images',
  'productTypes',
  'relationships',
  'salesRanks',
  'summaries',
  'vendorDetails',
]

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
  const attributes = { item_name: [{ value: 'Zephir', marketplace_id: DE }], only_here: [{ value: 1 }] }
  const catalogItems = [
    wholeCatalogItem(ASIN),
    build(ASIN, { marketplaceId: DE, itemName: 'Zephir', attributes }),
    build('B0PLAIN001'),
  ]
  await souk.put('/operator/v1/catalogItems', { headers: souk.operator, payload: { catalogItems } })
})

const get = (asin: string, query = `marketplaceIds=${US}`, own = token) =>
  souk.get(`/catalog/2022-04-01/items/${asin}?${query}`, { token: own })
const part = async (set: string, asin = ASIN) => {
  const { asin: _, ...sets } = (await get(asin, `marketplaceIds=${US}&includedData=${set}`)).json()
  expect(Object.keys(sets)).toEqual([set])
  return sets[set]
}

describe('getCatalogItem', () => {
  const whole = wholeCatalogItem(ASIN)

  test('returns the summary of a product by default', async () => {
    const { productType, identifiers, images, dimensions, salesRanks, relationships, ...rest } = whole
    const { asin, attributes, restrictions, ...summary } = rest
    expect((await get(ASIN)).json()).toEqual({
      asin: ASIN,
      summaries: [{ ...summary, browseClassification: { displayName: 'Sneakers', classificationId: '7003' } }],
    })
  })

  test('returns each data set as the operator supplied it, and no other set', async () => {
    expect(await part('attributes')).toEqual(whole.attributes)
    expect(await part('dimensions')).toEqual([{ marketplaceId: US, ...whole.dimensions }])
    expect(await part('images')).toEqual([{ marketplaceId: US, images: whole.images }])
    expect(await part('productTypes')).toEqual([{ marketplaceId: US, productType: 'SHOES' }])
    expect(await part('relationships')).toEqual([{ marketplaceId: US, relationships: whole.relationships }])
    expect(await part('salesRanks')).toEqual([{ marketplaceId: US, ...whole.salesRanks }])
    expect(await part('vendorDetails')).toEqual([])
    expect((await part('identifiers'))[0].identifiers[0]).toEqual({
      identifierType: 'EAN',
      identifier: '4006381333931',
    })
    expect((await part('classifications'))[0].classifications).toEqual([
      {
        displayName: 'Sneakers',
        classificationId: '7003',
        parent: {
          displayName: 'Footwear',
          classificationId: '7002',
          parent: { displayName: 'Clothing', classificationId: '7001' },
        },
      },
    ])
  })

  test('returns several data sets for any list notation, and never the restrictions', async () => {
    for (const spelling of [SETS.join(','), SETS.join('%2C'), SETS.join('&includedData=')]) {
      const response = await get(ASIN, `marketplaceIds=${US}&includedData=${spelling}`)
      expect(Object.keys(response.json()).sort()).toEqual(['asin', ...SETS])
      expect(response.body).not.toContain('NOT_ELIGIBLE')
    }
  })

  test('returns every data set of a minimal product', async () => {
    expect((await get('B0PLAIN001', `marketplaceIds=${US}&includedData=${SETS}`)).json()).toEqual({
      asin: 'B0PLAIN001',
      attributes: {},
      classifications: [{ marketplaceId: US, classifications: [] }],
      dimensions: [{ marketplaceId: US }],
      identifiers: [{ marketplaceId: US, identifiers: [] }],
      images: [{ marketplaceId: US, images: [] }],
      productTypes: [{ marketplaceId: US, productType: 'SHOES' }],
      relationships: [{ marketplaceId: US, relationships: [] }],
      salesRanks: [{ marketplaceId: US }],
      summaries: [{ marketplaceId: US, itemName: 'Product B0PLAIN001', itemClassification: 'BASE_PRODUCT' }],
      vendorDetails: [],
    })
  })

  test('returns a product in several marketplaces, without those that do not have it', async () => {
    const both = (await get(ASIN, `marketplaceIds=${US},${DE}&includedData=summaries,attributes`)).json()
    expect(both.summaries.map((one: { marketplaceId: string }) => one.marketplaceId).sort()).toEqual([DE, US])
    expect(both.attributes.item_name).toHaveLength(2)
    expect(both.attributes.only_here).toEqual([{ value: 1 }])
    const one = (await get('B0PLAIN001', `marketplaceIds=${DE},${US},${US}`)).json()
    expect(one.summaries).toHaveLength(1)
  })

  test('accepts a locale, which has no effect', async () => {
    expect((await get(ASIN, `marketplaceIds=${US}&locale=de_DE`)).json()).toEqual((await get(ASIN)).json())
  })

  test.each(['B0NOTHING0', 'b0whole001', '1', encodeURIComponent('../x'), encodeURIComponent("'")])(
    'returns 404 for %s, and names the item and the marketplace',
    async (asin) => {
      expect(errorOf(await get(asin))).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
        message: expect.stringMatching(new RegExp(`${decodeURIComponent(asin)}.*${US}`)),
      })
    },
  )

  test('returns 404 for a product of another marketplace', async () => {
    expect(errorOf(await get('B0PLAIN001', `marketplaceIds=${DE}`)).message).toContain(DE)
  })

  test.each([
    ['no marketplace', '', 'marketplaceIds is required'],
    ['an unknown marketplace', 'marketplaceIds=NOWHERE', 'Marketplace NOWHERE does not exist'],
    ['an unknown marketplace after a known one', `marketplaceIds=${US},NOWHERE`, 'Marketplace NOWHERE does not exist'],
    ['an invalid marketplace', 'marketplaceIds=a-b', 'marketplaceIds[0]'],
    ['an unknown data set', `marketplaceIds=${US}&includedData=offers`, 'includedData[0] must be one of attributes'],
    ['no data set', `marketplaceIds=${US}&includedData=`, 'includedData'],
  ])('refuses %s', async (_what, query, details) => {
    expect(errorOf(await get(ASIN, query))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(details),
    })
  })

  test("refuses a marketplace in which the seller does not participate, and a token that is not a seller's", async () => {
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect((await get(ASIN, `marketplaceIds=${US}`, other)).statusCode).toBe(200)
    expect(errorOf(await get(ASIN, `marketplaceIds=${US},${DE}`, other))).toMatchObject({ status: 403 })
    const grantless = await souk.grantlessToken(NOTIFICATIONS)
    expect(errorOf(await get(ASIN, `marketplaceIds=${US}`, grantless))).toMatchObject({ status: 403 })
  })
})

test.skipIf(!modelsArePresent)('getCatalogItem conforms to the public model', async () => {
  for (const asin of [ASIN, 'B0PLAIN001', 'B0SOUK0001', 'B0SOUK0007', 'B0SOUK0907']) {
    const item = (await get(asin, `marketplaceIds=${US},${DE}&includedData=${SETS}`)).json()
    expect(item.asin).toBe(asin)
    conformsTo('catalogItems_2022-04-01.json', 'Item', item)
  }
  conformsTo('catalogItems_2022-04-01.json', 'ErrorList', (await get('B0NOTHING0')).json())
})
