import { beforeAll, describe, expect, test } from 'vitest'
import {
  DE,
  EVERYTHING,
  IN_BOTH,
  IN_DE,
  IN_US,
  type ListingsClient,
  listingsClient,
  newShoe,
  setQuantity,
  startListings,
  US,
} from '../../support/listings.ts'
import { errorOf, NOTIFICATIONS, type TestSouk } from '../../support/souk.ts'

interface Summary {
  marketplaceId: string
  asin?: string
  fnSku?: string
  status: string[]
  createdDate: string
  lastUpdatedDate: string
}
interface Item {
  sku: string
  summaries: Summary[]
  issues: { severity: string }[]
}

let souk: TestSouk
let token: string
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, token, listings } = await startListings())
  const family = (level: string, more = {}) =>
    newShoe({ parentage_level: [{ value: level }], variation_theme: [{ name: 'COLOR' }], ...more })
  const child = family('child', { child_parent_sku_relationship: [{ parent_sku: 'FAMILY' }] })
  await listings.put('FAMILY', family('parent'))
  await listings.put('FAMILY-RED', child)
  await listings.put('FAMILY-BLUE', child)
  await listings.put('CRATE', newShoe({ package_contains_sku: [{ sku: 'BOX', quantity: 4 }] }))
  await listings.put('BOX', newShoe({ package_contains_sku: [{ sku: 'PAIR', quantity: 6 }] }))
  await listings.put('PAIR', newShoe())
  await listings.put('STOCKED', newShoe({ fulfillment_availability: [{ fulfillment_channel_code: 'AMAZON_NA' }] }))
  await souk.idle()
})

const search = async (query: string) => (await listings.search(query)).json()
/** All items that a search finds, page by page. */
async function findAll(query: string): Promise<Item[]> {
  const items: Item[] = []
  let pageToken = ''
  do {
    const page = await search(`${query}&pageSize=20${pageToken && `&pageToken=${pageToken}`}`)
    items.push(...page.items)
    pageToken = page.pagination.nextToken ?? ''
  } while (pageToken)
  return items
}
const skusOf = async (query: string) => (await findAll(query)).map(({ sku }) => sku).sort()

describe('searchListingsItems', () => {
  test('returns ten items by default, last updated first, with summaries', async () => {
    souk.clock.advance(60_000)
    await listings.patch('SOUK-SHOE-004', [setQuantity(8)])
    const page = await search(IN_US)
    expect(page.items).toHaveLength(10)
    expect(page.items[0].sku).toBe('SOUK-SHOE-004')
    const dates = page.items.map((item: Item) => item.summaries[0]?.lastUpdatedDate ?? '')
    expect(dates.filter(Boolean)).toEqual(dates.filter(Boolean).toSorted().reverse())
    expect(Object.keys(page.items[0])).toEqual(['sku', 'summaries'])
    expect(page.numberOfResults).toBeGreaterThan(190)
    expect(page.pagination).toEqual({ nextToken: expect.any(String) })
  })

  test('returns the requested data sets, as getListingsItem does', async () => {
    const [found] = (await search(`${IN_US}&identifiersType=SKU&identifiers=SOUK-SHOE-001&includedData=${EVERYTHING}`))
      .items
    expect(found).toEqual(await listings.read('SOUK-SHOE-001'))
  })

  test('finds no listing of another seller', async () => {
    const others = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const other = listingsClient(souk, others, souk.demo.otherSeller.sellerId)
    const found = (await other.search()).json()
    expect(found.numberOfResults).toBe(5)
    expect(errorOf(await listingsClient(souk, token, souk.demo.otherSeller.sellerId).search()).status).toBe(403)
  })

  test('returns the same through the older path', async () => {
    const path = `/listings/2020-09-01/items/${souk.demo.sellerId}?${IN_US}`
    expect((await souk.get(path, { token })).json()).toEqual(await search(IN_US))
  })
})

describe('a search by identifiers', () => {
  const by = (type: string, ...identifiers: string[]) =>
    skusOf(`${IN_US}&identifiersType=${type}&identifiers=${identifiers.map(encodeURIComponent).join(',')}`)
  const ofShoe3 = ['SOUK-SHOE-003', 'SOUK-SHOE-003-FBA', 'SOUK-SHOE-003-LIKE-NEW', 'SOUK-SHOE-003-USED']

  test('of SKUs finds those that exist', async () => {
    expect(await by('SKU', 'SOUK-SHOE-002', 'SOUK-SHOE-001', 'NO-SUCH')).toEqual(['SOUK-SHOE-001', 'SOUK-SHOE-002'])
    expect(await by('SKU', 'souk-shoe-001')).toEqual([])
  })

  test.each([
    ['ASIN', 'B0SOUK0003'],
    ['UPC', '476850000307'],
    ['EAN', '0476850000307'],
    ['GTIN', '00476850000307'],
  ])('of type %s finds all listings of the product', async (type, identifier) => {
    expect(await by(type, identifier)).toEqual(ofShoe3)
  })

  test.each(['ASIN', 'EAN', 'FNSKU', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'SKU', 'UPC'])(
    'of an unknown %s finds nothing',
    async (type) => {
      expect(await search(`${IN_US}&identifiersType=${type}&identifiers=0000000000`)).toMatchObject({
        numberOfResults: 0,
        pagination: {},
        items: [],
      })
    },
  )

  test('of FNSKUs finds marketplace-fulfilled listings', async () => {
    const { fnSku } = (await listings.read('STOCKED')).summaries[0]
    expect(await by('FNSKU', fnSku)).toEqual(['STOCKED'])
  })
})

describe('a search by relation', () => {
  test('finds the variations of a parent', async () => {
    expect(await skusOf(`${IN_US}&variationParentSku=FAMILY`)).toEqual(['FAMILY-BLUE', 'FAMILY-RED'])
    expect(await skusOf(`${IN_US}&variationParentSku=FAMILY-RED`)).toEqual([])
    expect(await skusOf(`${IN_DE}&variationParentSku=FAMILY`)).toEqual([])
  })

  test('finds the contents of a package and the packages of an item', async () => {
    expect(await skusOf(`${IN_US}&packageHierarchySku=CRATE`)).toEqual(['BOX'])
    expect(await skusOf(`${IN_US}&packageHierarchySku=BOX`)).toEqual(['CRATE', 'PAIR'])
    expect(await skusOf(`${IN_US}&packageHierarchySku=PAIR`)).toEqual(['BOX'])
  })

  test('agrees with the relationships of the items', async () => {
    const relations = async (sku: string) => (await listings.read(sku)).relationships[0]?.relationships
    expect(await relations('BOX')).toEqual([{ type: 'PACKAGE_HIERARCHY', childSkus: ['PAIR'], parentSkus: ['CRATE'] }])
    const [{ childSkus }] = await relations('FAMILY')
    expect(childSkus.sort()).toEqual(['FAMILY-BLUE', 'FAMILY-RED'])
    expect(await relations('FAMILY-RED')).toEqual([{ type: 'VARIATION', parentSkus: ['FAMILY'] }])
  })
})

test('a page returns the same relationships as getListingsItem', async () => {
  const skus = ['FAMILY', 'FAMILY-RED', 'FAMILY-BLUE', 'CRATE', 'BOX', 'PAIR', 'STOCKED']
  const query = `${IN_US}&identifiersType=SKU&identifiers=${skus}&includedData=relationships&pageSize=20`
  const { items } = (await search(query)) as { items: { sku: string; relationships: unknown[] }[] }
  expect(items.map(({ sku }) => sku).sort()).toEqual([...skus].sort())
  for (const { sku, relationships } of items) {
    expect(relationships, sku).toEqual((await listings.read(sku)).relationships)
    expect(relationships.length, sku).toBe(sku === 'STOCKED' ? 0 : 1)
  }
})

describe('a search by time', () => {
  test('includes listings created or updated at the given time', async () => {
    const all = await findAll(IN_US)
    const dated = all.filter(({ summaries }) => summaries.length > 0)
    for (const [after, before, field] of [
      ['createdAfter', 'createdBefore', 'createdDate'],
      ['lastUpdatedAfter', 'lastUpdatedBefore', 'lastUpdatedDate'],
    ] as const) {
      const middle = dated.map(({ summaries }) => summaries[0]?.[field] ?? '').sort()[100] as string
      const later = await findAll(`${IN_US}&${after}=${middle}`)
      const earlier = await findAll(`${IN_US}&${before}=${middle}`)
      const both = await findAll(`${IN_US}&${after}=${middle}&${before}=${middle}`)
      expect(both.length).toBeGreaterThan(0)
      expect(later.length + earlier.length).toBe(all.length + both.length)
      for (const { summaries } of both) expect(summaries[0]?.[field]).toBe(middle)
    }
  })

  test('accepts any ISO 8601 format', async () => {
    const found = await Promise.all(
      ['2026-06-01T12:00:00Z', '2026-06-01T14:00:00%2B02:00', '2026-06-01T12:00:00.000Z'].map((time) =>
        skusOf(`${IN_US}&createdAfter=${time}`),
      ),
    )
    expect(found[0]).toContain('FAMILY')
    expect(found[1]).toEqual(found[0])
    expect(found[2]).toEqual(found[0])
  })
})

describe('a search by status and issues', () => {
  let all: Item[]
  beforeAll(async () => {
    all = await findAll(`${IN_US}&includedData=summaries,issues`)
  })
  const where = (holds: (status: string[], item: Item) => boolean) =>
    all
      .filter((item) => holds(item.summaries[0]?.status ?? [], item))
      .map(({ sku }) => sku)
      .sort()

  test.each<[string, (status: string[]) => boolean]>([
    ['withStatus=BUYABLE', (status) => status.includes('BUYABLE')],
    ['withStatus=DISCOVERABLE', (status) => status.includes('DISCOVERABLE')],
    ['withStatus=BUYABLE,DISCOVERABLE', (status) => status.length === 2],
    ['withoutStatus=BUYABLE', (status) => !status.includes('BUYABLE')],
    ['withoutStatus=BUYABLE,DISCOVERABLE', (status) => status.length === 0],
    ['withStatus=BUYABLE&withoutStatus=DISCOVERABLE', (status) => String(status) === 'BUYABLE'],
  ])('%s', async (query, holds) => {
    const expected = where(holds)
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(all.length)
    expect(await skusOf(`${IN_US}&${query}`)).toEqual(expected)
  })

  test.each([['ERROR'], ['WARNING'], ['ERROR', 'WARNING']])('withIssueSeverity %s %s', async (...severities) => {
    const expected = where((_, { issues }) => issues.some(({ severity }) => severities.includes(severity)))
    expect(expected.length).toBeGreaterThan(3)
    expect(await skusOf(`${IN_US}&withIssueSeverity=${severities.join(',')}`)).toEqual(expected)
  })
})

describe('a search in several marketplaces', () => {
  test('finds each SKU once, with a summary for each marketplace', async () => {
    const [both, american, german] = await Promise.all([IN_BOTH, IN_US, IN_DE].map(skusOf))
    expect(new Set(both).size).toBe(both?.length)
    expect(new Set(both)).toEqual(new Set([...(american ?? []), ...(german ?? [])]))
    const [item] = (await search(`${IN_BOTH}&identifiersType=SKU&identifiers=SOUK-SHOE-001`)).items
    expect(item.summaries.map((one: Summary) => one.marketplaceId).sort()).toEqual([DE, US])
    expect((await search(IN_BOTH)).numberOfResults).toBe(both?.length)
  })

  test.each(['withStatus=BUYABLE', 'withoutStatus=BUYABLE', 'withIssueSeverity=WARNING', 'createdAfter=2026-01-01'])(
    'finds a SKU when one of its listings matches: %s',
    async (query) => {
      const [both, american, german] = await Promise.all(
        [IN_BOTH, IN_US, IN_DE].map((places) => skusOf(`${places}&${query}`)),
      )
      expect(both).toEqual([...new Set([...(american ?? []), ...(german ?? [])])].sort())
    },
  )
})

describe('searchListingsItems refuses', () => {
  test.each([
    ['', 'marketplaceIds'],
    ['marketplaceIds=NOWHERE', 'marketplaceIds'],
    [`${IN_US}&pageSize=0`, 'pageSize'],
    [`${IN_US}&pageSize=21`, 'pageSize'],
    [`${IN_US}&pageSize=ten`, 'pageSize'],
    [`${IN_US}&sortBy=price`, 'sortBy'],
    [`${IN_US}&sortOrder=UP`, 'sortOrder'],
    [`${IN_US}&identifiers=X`, 'identifiersType'],
    [`${IN_US}&identifiersType=SKU`, 'identifiers'],
    [`${IN_US}&identifiersType=ISSN&identifiers=X`, 'identifiersType'],
    [`${IN_US}&identifiersType=SKU&identifiers=${Array(21).fill('X')}`, 'identifiers'],
    [`${IN_US}&identifiersType=SKU&identifiers=X&variationParentSku=X`, 'variationParentSku'],
    [`${IN_US}&identifiersType=SKU&identifiers=X&packageHierarchySku=X`, 'packageHierarchySku'],
    [`${IN_US}&variationParentSku=X&packageHierarchySku=X`, 'packageHierarchySku'],
    [`${IN_US}&createdAfter=yesterday`, 'createdAfter'],
    [`${IN_US}&lastUpdatedBefore=2026-02-30`, 'lastUpdatedBefore'],
    [`${IN_US}&withStatus=SOLD`, 'withStatus[0]'],
    [`${IN_US}&withIssueSeverity=INFO`, 'withIssueSeverity[0]'],
    [`${IN_US}&includedData=everything`, 'includedData[0]'],
  ])('the query "%s"', async (query, place) => {
    expect(errorOf(await listings.search(query))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: `The request has missing or invalid parameters: [${place}]`,
    })
  })

  test('a marketplace without participation, a token without a seller, and a missing token', async () => {
    expect(errorOf(await listings.search('marketplaceIds=A1VC38T7YXB528')).status).toBe(403)
    expect(errorOf(await listings.search(`${IN_US},A1VC38T7YXB528`)).status).toBe(403)
    const grantless = await souk.grantlessToken(NOTIFICATIONS)
    expect(errorOf(await listingsClient(souk, grantless).search()).status).toBe(403)
    expect(errorOf(await souk.get(`/listings/2021-08-01/items/${souk.demo.sellerId}?${IN_US}`)).status).toBe(403)
  })
})
