import { beforeAll, describe, expect, test } from 'vitest'
import { buildCatalogItem as build, wholeCatalogItem } from '../../support/catalog.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'
const EVERYTHING =
  'attributes,classifications,dimensions,identifiers,images,productTypes,relationships,salesRanks,summaries,vendorDetails'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
  const numbered = (index: number) => `B0GLOBE${String(index).padStart(3, '0')}`
  const globes = Array.from({ length: 45 }, (_, index) =>
    build(numbered(index), {
      itemName: `Globe number ${index}`,
      brand: index < 30 ? 'Atlas' : `Maker ${index % 3}`,
      ...(index < 25 && {
        browseClassification: {
          classificationId: index < 20 ? '8001' : '8002',
          displayName: index < 20 ? 'Globes' : 'Toys',
          ancestors: [{ classificationId: '8000', displayName: 'Decoration' }],
        },
      }),
    }),
  )
  const catalogItems = [
    ...globes,
    wholeCatalogItem('B0WHOLE001'),
    build('B0TWINS001', { identifiers: [{ type: 'UPC', value: '036000291452' }] }),
    build('B0TWINS002', { identifiers: [{ type: 'EAN', value: '0036000291452' }] }),
    build('B0GERMAN01', { marketplaceId: DE, itemName: 'Weltkugel Globe' }),
    ...Array.from({ length: 20 }, (_, index) =>
      build(`B0CODES${String(index).padStart(3, '0')}`, {
        identifiers: [{ type: 'GTIN', value: String(10_000_000_000_000 + index) }],
      }),
    ),
  ]
  const response = await souk.put('/operator/v1/catalogItems', { headers: souk.operator, payload: { catalogItems } })
  expect(response.statusCode).toBe(200)
})

const search = (query: string, own = token) => souk.get(`/catalog/2022-04-01/items?${query}`, { token: own })
const inUs = (query: string) => search(`marketplaceIds=${US}&${query}`)
const asinsOf = (page: { items: { asin: string }[] }) => page.items.map(({ asin }) => asin)
const found = async (query: string) => asinsOf((await inUs(`pageSize=20&${query}`)).json())

describe('searchCatalogItems by keywords', () => {
  test('finds products that contain every word of every keyword, ignoring case', async () => {
    expect(await found('keywords=globe,NUMBER,7')).toEqual(['B0GLOBE007'])
    expect(await found('keywords=Number%207%20globe')).toEqual(['B0GLOBE007'])
    expect(await found('keywords=globe&keywords=17')).toEqual(['B0GLOBE017'])
    expect(await found('keywords=globe,zeppelin')).toEqual([])
  })

  test.each(['Zephyr Söhne', 'zx 81 b', 'midnight', 'Works', '42 low', 'sneakers', 'footwear', 'SHOES midnight'])(
    'also searches fields other than the name: %s',
    async (words) => {
      expect(await found(`keywords=${encodeURIComponent(words)}`)).toContain('B0WHOLE001')
    },
  )

  test('returns the summaries of ten products by default, and the total count', async () => {
    const page = (await inUs('keywords=globe')).json()
    expect(page.numberOfResults).toBe(45)
    expect(page.items).toHaveLength(10)
    expect(page.items[0]).toEqual({
      asin: 'B0GLOBE000',
      summaries: [
        {
          marketplaceId: US,
          itemName: 'Globe number 0',
          brand: 'Atlas',
          itemClassification: 'BASE_PRODUCT',
          browseClassification: { displayName: 'Globes', classificationId: '8001' },
        },
      ],
    })
  })

  test('returns each product exactly once in pages, forwards and backwards', async () => {
    const pages: string[][] = []
    let page = (await inUs('keywords=globe&pageSize=20')).json()
    expect(page.pagination).not.toHaveProperty('previousToken')
    pages.push(asinsOf(page))
    while (page.pagination.nextToken) {
      page = (await inUs(`keywords=globe&pageSize=20&pageToken=${page.pagination.nextToken}`)).json()
      pages.push(asinsOf(page))
      expect(page.numberOfResults).toBe(45)
    }
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5])
    expect(new Set(pages.flat()).size).toBe(45)
    for (const before of [pages[1], pages[0]]) {
      page = (await inUs(`keywords=globe&pageSize=20&pageToken=${page.pagination.previousToken}`)).json()
      expect(asinsOf(page)).toEqual(before)
    }
    expect(page.pagination).not.toHaveProperty('previousToken')
  })

  test('continues after the same product when earlier products are added', async () => {
    const { pagination, items } = (await inUs('keywords=globe&pageSize=5')).json()
    const catalogItems = [build('B0AAAGLOBE', { itemName: 'A globe in front' })]
    await souk.put('/operator/v1/catalogItems', { headers: souk.operator, payload: { catalogItems } })
    const next = (await inUs(`keywords=globe&pageSize=5&pageToken=${pagination.nextToken}`)).json()
    expect(asinsOf(next)[0]).toBe('B0GLOBE005')
    expect(asinsOf(next)).not.toContain(items[4].asin)
    catalogItems[0] = build('B0AAAGLOBE')
    await souk.put('/operator/v1/catalogItems', { headers: souk.operator, payload: { catalogItems } })
  })

  test('filters by brand, ignoring case, and by classification, including its descendants', async () => {
    const count = async (query: string) => (await inUs(`keywords=globe&${query}`)).json().numberOfResults
    expect(await count('brandNames=atlas')).toBe(30)
    expect(await count('brandNames=Maker%200,MAKER%201')).toBe(10)
    expect(await count('brandNames=Nobody')).toBe(0)
    expect(await count('brandNames=globe')).toBe(0)
    expect(await count('classificationIds=8002')).toBe(5)
    expect(await count('classificationIds=8001,8002')).toBe(25)
    expect(await count('classificationIds=8000')).toBe(25)
    expect(await count('classificationIds=8000&brandNames=Maker%200')).toBe(0)
  })

  test('returns refinements by brand and classification', async () => {
    const { refinements } = (await inUs('keywords=globe')).json()
    expect(refinements).toEqual({
      brands: [
        { numberOfResults: 30, brandName: 'Atlas' },
        { numberOfResults: 5, brandName: 'Maker 0' },
        { numberOfResults: 5, brandName: 'Maker 1' },
        { numberOfResults: 5, brandName: 'Maker 2' },
      ],
      classifications: [
        { numberOfResults: 20, displayName: 'Globes', classificationId: '8001' },
        { numberOfResults: 5, displayName: 'Toys', classificationId: '8002' },
      ],
    })
  })

  test('returns an empty page if nothing matches, or if the keywords contain no word', async () => {
    for (const keywords of ['zeppelin', '%2B%2B', '%22%25_%27']) {
      expect((await inUs(`keywords=${keywords}`)).json()).toEqual({
        numberOfResults: 0,
        pagination: {},
        refinements: { brands: [], classifications: [] },
        items: [],
      })
    }
  })

  test('searches only the marketplace', async () => {
    expect(asinsOf((await search(`marketplaceIds=${DE}&keywords=globe`)).json())).toEqual(['B0GERMAN01'])
  })
})

describe('searchCatalogItems by identifiers', () => {
  test.each([
    ['ASIN', 'B0WHOLE001,B0NOTHING0,B0TWINS001', ['B0TWINS001', 'B0WHOLE001']],
    ['EAN', '4006381333931', ['B0WHOLE001']],
    ['GTIN', '04006381333931', ['B0WHOLE001']],
    ['ISBN', '3-16-148410-X', ['B0WHOLE001']],
    ['MINSAN', '012345678', ['B0WHOLE001']],
    ['UPC', '036000291452', ['B0TWINS001', 'B0TWINS002']],
    ['JAN', '0036000291452', ['B0TWINS001', 'B0TWINS002']],
    ['EAN', 'nonsense,%27,4006381333932', []],
    ['MINSAN', '4006381333931', ['B0WHOLE001']],
  ])('finds products by type %s: %s', async (type, identifiers, asins) => {
    expect(await found(`identifiersType=${type}&identifiers=${identifiers}`)).toEqual(asins)
  })

  test('returns the products of twenty identifiers in pages, without refinements', async () => {
    const identifiers = Array.from({ length: 20 }, (_, index) => 10_000_000_000_000 + index)
    const query = `identifiersType=GTIN&identifiers=${identifiers}`
    const first = (await inUs(query)).json()
    expect(first).toMatchObject({ numberOfResults: 20 })
    expect(first).not.toHaveProperty('refinements')
    const second = (await inUs(`${query}&pageToken=${first.pagination.nextToken}`)).json()
    expect(new Set([...asinsOf(first), ...asinsOf(second)]).size).toBe(20)
    expect(second.pagination).not.toHaveProperty('nextToken')
  })

  test("finds products by the seller's own SKUs, and not by another seller's", async () => {
    const { skus, asins, sellerId } = souk.demo
    const query = `identifiersType=SKU&identifiers=${skus[1]},${skus[0]},UNKNOWN,SOUK-GHOST-001&sellerId=${sellerId}`
    expect(await found(query)).toEqual(asins.slice(0, 2))
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect(errorOf(await search(`marketplaceIds=${US}&${query}`, other))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
    })
  })

  test('finds a product once, however many of its SKUs are requested', async () => {
    const { skus, asins, sellerId } = souk.demo
    const query = `identifiersType=SKU&identifiers=${skus[0]},${skus[0]}-FBA&sellerId=${sellerId}`
    expect((await inUs(query)).json()).toMatchObject({ numberOfResults: 1, items: [{ asin: asins[0] }] })
  })
})

describe('searchCatalogItems refuses', () => {
  test.each([
    ['no marketplace', 'keywords=globe', 'marketplaceIds is required'],
    ['two marketplaces', `marketplaceIds=${US},${DE}&keywords=globe`, 'marketplaceIds'],
    ['an unknown marketplace', 'marketplaceIds=NOWHERE&keywords=globe', 'Marketplace NOWHERE does not exist'],
    ['neither identifiers nor keywords', `marketplaceIds=${US}`, 'identifiers or keywords is required'],
    ['no keyword', `marketplaceIds=${US}&keywords=`, 'keywords'],
    [
      'both identifiers and keywords',
      `marketplaceIds=${US}&keywords=a&identifiers=b&identifiersType=ASIN`,
      'keywords cannot be combined with identifiers',
    ],
    ['identifiers without a type', `marketplaceIds=${US}&identifiers=a`, 'identifiersType is required'],
    [
      'an unknown type',
      `marketplaceIds=${US}&identifiers=a&identifiersType=ISSN`,
      'identifiersType must be one of ASIN',
    ],
    ['SKUs without a seller', `marketplaceIds=${US}&identifiers=a&identifiersType=SKU`, 'sellerId is required'],
    [
      'identifiers with brands',
      `marketplaceIds=${US}&identifiers=a&identifiersType=EAN&brandNames=b`,
      'brandNames cannot be combined',
    ],
    [
      'identifiers with classifications',
      `marketplaceIds=${US}&identifiers=a&identifiersType=EAN&classificationIds=1`,
      'classificationIds cannot be combined',
    ],
    [
      '21 keywords',
      `marketplaceIds=${US}&keywords=${Array.from({ length: 21 }, (_, index) => `w${index}`)}`,
      'keywords',
    ],
    ['21 identifiers', `marketplaceIds=${US}&identifiersType=EAN&identifiers=${'1,'.repeat(21)}`, 'identifiers'],
    [
      'a keyword of 41 words',
      `marketplaceIds=${US}&keywords=${Array.from({ length: 41 }, (_, i) => i).join('%20')}`,
      '40 words',
    ],
    ['an unknown data set', `marketplaceIds=${US}&keywords=globe&includedData=summaries,prices`, 'includedData'],
    ['a page size of 0', `marketplaceIds=${US}&keywords=globe&pageSize=0`, 'pageSize must be at least 1'],
    ['a page size of 21', `marketplaceIds=${US}&keywords=globe&pageSize=21`, 'pageSize must be at most 20'],
    ['a page size that is not a number', `marketplaceIds=${US}&keywords=globe&pageSize=some`, 'pageSize'],
  ])('%s', async (_what, query, details) => {
    expect(errorOf(await search(query))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(details),
    })
  })

  test.each(['nonsense', 'W10', 'WyJhZnRlciJd', 'WyJ1cCIsIkIwIl0', 'WzEsMl0', ''])(
    'the invalid page token %j',
    async (token) => {
      expect(errorOf(await inUs(`keywords=globe&pageToken=${token}`))).toMatchObject({
        status: 400,
        code: 'InvalidInput',
      })
    },
  )

  test("a marketplace in which the seller does not participate, and a token that is not a seller's", async () => {
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect(errorOf(await search(`marketplaceIds=${DE}&keywords=globe`, other))).toMatchObject({ status: 403 })
    const grantless = await souk.grantlessToken(NOTIFICATIONS)
    expect(errorOf(await search(`marketplaceIds=${US}&keywords=globe`, grantless))).toMatchObject({ status: 403 })
  })

  test.each([
    `keywords=${'%F0%9F%91%9F'.repeat(300)}`,
    `keywords=${'a'.repeat(5000)}`,
    `keywords=${encodeURIComponent("'; drop table catalog_items; --")}`,
    `keywords=a&brandNames=${encodeURIComponent('ﷺ'.repeat(200))}`,
    `keywords=a&classificationIds=${encodeURIComponent('"\\ %')}`,
    'keywords[]=a&keywords=b',
    'identifiers=a&identifiersType=EAN&identifiersType=UPC',
    'keywords=%00',
    'keywords=a&sellerId=__proto__&constructor=1&__proto__=2',
  ])('hostile input or accepts it, without an internal error: %s', async (query) => {
    expect((await inUs(query)).statusCode).toBeLessThan(500)
  })
})

test.skipIf(!modelsArePresent)('searchCatalogItems conforms to the public model', async () => {
  for (const query of [
    'keywords=globe',
    'keywords=midnight',
    'keywords=nothing',
    'identifiersType=ASIN&identifiers=B0WHOLE001',
  ]) {
    const results = (await inUs(`${query}&includedData=${EVERYTHING}`)).json()
    conformsTo('catalogItems_2022-04-01.json', 'ItemSearchResults', results)
  }
  conformsTo('catalogItems_2022-04-01.json', 'ErrorList', (await inUs('')).json())
})
