import { beforeAll, describe, expect, test } from 'vitest'
import type { CatalogItem } from '../../../src/marketplace/catalog/index.ts'
import { buildCatalogItem as build, wholeCatalogItem } from '../../support/catalog.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'
const put = (catalogItems: unknown) =>
  souk.put('/operator/v1/catalogItems', { headers: souk.operator, payload: { catalogItems } })
const get = (path: string) => souk.get(`/operator/v1/catalogItems${path}`, { headers: souk.operator })
const find = (asin: string, marketplaceId = US) => get(`/${marketplaceId}/${asin}`)
const numbered = (index: number) => `B0BULK${String(index).padStart(4, '0')}`
const foundBy = async (query: string) => {
  const path = `/catalog/2022-04-01/items?marketplaceIds=${US}&pageSize=20&${query}`
  const { items } = (await souk.get(path, { token })).json()
  return items.map(({ asin }: { asin: string }) => asin)
}

describe('catalog items', () => {
  test('are created and returned unchanged', async () => {
    const whole = wholeCatalogItem('B0OPERAT01')
    const response = await put([whole])
    expect(response.json()).toEqual({ catalogItems: [{ marketplaceId: US, asin: 'B0OPERAT01' }] })
    expect((await find('B0OPERAT01')).json()).toEqual(whole)
  })

  test('have few required fields', async () => {
    await put([build('B0OPERAT02')])
    expect((await find('B0OPERAT02')).json()).toEqual({ ...build('B0OPERAT02'), itemClassification: 'BASE_PRODUCT' })
  })

  test('are replaced entirely, and are then found only by their new content', async () => {
    await put([
      { ...wholeCatalogItem('B0OPERAT03'), itemName: 'Xylophone', identifiers: [{ type: 'EAN', value: '96385074' }] },
    ])
    expect(await foundBy('keywords=xylophone')).toEqual(['B0OPERAT03'])
    expect(await foundBy('identifiers=96385074&identifiersType=EAN')).toEqual(['B0OPERAT03'])
    await put([build('B0OPERAT03', { itemName: 'Marimba' })])
    expect((await find('B0OPERAT03')).json()).toEqual({
      ...build('B0OPERAT03', { itemName: 'Marimba' }),
      itemClassification: 'BASE_PRODUCT',
    })
    expect(await foundBy('keywords=xylophone')).toEqual([])
    expect(await foundBy('identifiers=96385074&identifiersType=EAN')).toEqual([])
    expect(await foundBy('keywords=marimba')).toEqual(['B0OPERAT03'])
  })

  test('can be written back as returned, without a change', async () => {
    await put([wholeCatalogItem('B0OPERAT04')])
    const read = (await find('B0OPERAT04')).json()
    expect((await put([read])).statusCode).toBe(200)
    expect((await find('B0OPERAT04')).json()).toEqual(read)
  })

  test('with the same ASIN can differ between marketplaces', async () => {
    const german = build('B0OPERAT05', { marketplaceId: DE, itemName: 'Schuh', brand: 'Anders' })
    await put([build('B0OPERAT05', { itemName: 'Shoe' }), german])
    expect((await find('B0OPERAT05')).json()).toMatchObject({ itemName: 'Shoe' })
    expect((await find('B0OPERAT05', DE)).json()).toMatchObject({ itemName: 'Schuh', brand: 'Anders' })
  })

  test('written concurrently end as one of the versions, never a mixture', async () => {
    const versions = ['ocarina', 'bassoon'].map((word) => build('B0OPERAT06', { itemName: word, brand: word }))
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(versions.map((version) => put([version])))
      expect(responses.map((response) => response.statusCode)).toEqual([200, 200])
      const { itemName, brand } = (await find('B0OPERAT06')).json()
      expect(brand).toBe(itemName)
      expect(await foundBy(`keywords=${itemName}&brandNames=${brand}`)).toEqual(['B0OPERAT06'])
      expect(await foundBy(`keywords=${itemName === 'ocarina' ? 'bassoon' : 'ocarina'}`)).toEqual([])
    }
  })

  test('are accepted in batches of 1,000, and pages list each exactly once', async () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      build(numbered(index), { itemName: `Bulk ${index} of a thousand things`, brand: `Brand ${index % 7}` }),
    )
    expect((await put(many)).json().catalogItems).toHaveLength(1000)
    const seen: CatalogItem[] = []
    let pageToken = ''
    do {
      const page = (await get(`?marketplaceId=${US}&pageSize=170${pageToken}`)).json()
      seen.push(...page.catalogItems)
      pageToken = page.nextToken ? `&pageToken=${page.nextToken}` : ''
    } while (pageToken)
    const asins = seen.map(({ asin }) => asin)
    expect(asins).toEqual([...new Set(asins)].sort())
    expect(asins.filter((asin) => asin.startsWith('B0BULK'))).toEqual(many.map(({ asin }) => asin))
  })

  test('can be listed per marketplace', async () => {
    const { catalogItems } = (await get(`?marketplaceId=${DE}`)).json()
    expect(catalogItems.length).toBeGreaterThan(5)
    for (const item of catalogItems) expect(item.marketplaceId).toBe(DE)
  })

  test('return 404 if they do not exist', async () => {
    expect(errorOf(await find('B0NOTHING0'))).toMatchObject({ status: 404, message: 'The catalog item was not found.' })
    expect(errorOf(await find('B0SOUK0101', DE)).status).toBe(404)
  })

  test('accept names in any script', async () => {
    const strange = { itemName: `'"; drop table -- \u202e 靴 👟`, brand: 'ﷺ'.repeat(500), color: '𐐨'.repeat(500) }
    expect((await put([build('B0OPERAT07', strange)])).statusCode).toBe(200)
    expect((await find('B0OPERAT07')).json()).toMatchObject(strange)
    expect(await foundBy(`keywords=${encodeURIComponent('靴')}`)).toEqual(['B0OPERAT07'])
  })

  const bad = (overrides: object) => () => [build('B0GOOD0001'), build('B0BAD00001', overrides)]
  test.each<[string, () => unknown, string]>([
    ['an unknown marketplace', bad({ marketplaceId: 'NOWHERE' }), 'catalogItems[1].marketplaceId does not exist'],
    ['an invalid ASIN', () => [build('B0')], 'catalogItems[0].asin'],
    ['an invalid product type', bad({ productType: 'shoes' }), 'catalogItems[1].productType'],
    ['no name', bad({ itemName: '' }), 'catalogItems[1].itemName'],
    [
      'an unknown classification',
      bad({ itemClassification: 'THING' }),
      'itemClassification must be one of BASE_PRODUCT',
    ],
    ['an unknown identifier type', bad({ identifiers: [{ type: 'SKU', value: '12345678' }] }), 'type must be one of'],
    ['an invalid identifier', bad({ identifiers: [{ type: 'EAN', value: '12-34' }] }), 'identifiers[0].value'],
    [
      'an unknown image variant',
      bad({ images: [{ variant: 'PT09', link: 'https://a/b', height: 1, width: 1 }] }),
      'variant',
    ],
    [
      'an image without a height',
      bad({ images: [{ variant: 'MAIN', link: 'https://a/b', width: 1 }] }),
      'height is required',
    ],
    [
      'an image with a script URL',
      bad({ images: [{ variant: 'MAIN', link: 'javascript:1', height: 1, width: 1 }] }),
      'link',
    ],
    ['a negative dimension', bad({ dimensions: { item: { height: { unit: 'cm', value: -1 } } } }), 'height.value'],
    ['a day that does not exist', bad({ releaseDate: '2026-02-30' }), 'catalogItems[1].releaseDate'],
    ['a time instead of a date', bad({ releaseDate: '2026-02-20T10:00:00Z' }), 'catalogItems[1].releaseDate'],
    [
      'a rank of zero',
      bad({ salesRanks: { classificationRanks: [{ classificationId: '1', title: 'a', rank: 0 }] } }),
      'rank',
    ],
    [
      'an unknown reason',
      bad({ restrictions: [{ reason: 'ASIN_NOT_FOUND' }] }),
      'reason must be one of APPROVAL_REQUIRED',
    ],
    [
      'an unknown condition',
      bad({ restrictions: [{ reason: 'NOT_ELIGIBLE', conditionTypes: ['old'] }] }),
      'conditionTypes[0]',
    ],
    ['an unknown key', bad({ hue: 'red' }), 'catalogItems[1].hue is not allowed'],
    ['attributes that are a list', bad({ attributes: [] }), 'catalogItems[1].attributes'],
    [
      'attributes that are too large',
      bad({ attributes: { a: 'x'.repeat(70_000) } }),
      'attributes takes more than 65536 bytes',
    ],
    ['a NUL character', bad({ attributes: { a: ['b\0c'] } }), 'NUL'],
    [
      'an unpaired surrogate',
      bad({ brand: '\ud83d' }),
      'catalogItems[1].brand contains a NUL character or an unpaired',
    ],
    ['the same item twice', () => [build('B0BAD00001'), build('B0BAD00001')], 'is the same as catalogItems[0]'],
  ])('refuse a batch with %s, name the field, and write nothing', async (_what, items, details) => {
    const refused = errorOf(await put(items()))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(details) })
    for (const asin of ['B0GOOD0001', 'B0BAD00001']) expect((await find(asin)).statusCode).toBe(404)
  })

  test('can be written by the operator but not by sellers', async () => {
    const payload = { catalogItems: [build('B0BAD00001')] }
    expect((await souk.put('/operator/v1/catalogItems', { token, payload })).statusCode).toBe(403)
  })
})
