import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const search = (query: Record<string, string>, asToken = token) =>
  souk.get(`/definitions/2020-09-01/productTypes?${new URLSearchParams({ marketplaceIds: US, ...query })}`, {
    token: asToken,
  })
const found = async (query: Record<string, string>) => {
  const response = await search(query)
  expect(response.statusCode).toBe(200)
  return response.json().productTypes.map(({ name }: { name: string }) => name)
}

describe('searchDefinitionsProductTypes', () => {
  test('lists all product types by default', async () => {
    const { productTypes, productTypeVersion } = (await search({})).json()
    expect(productTypes.map(({ name }: { name: string }) => name)).toEqual([
      'HOME',
      'LUGGAGE',
      'PRODUCT',
      'SHIRT',
      'SHOES',
    ])
    expect(productTypes[1]).toEqual({ name: 'LUGGAGE', displayName: 'Luggage', marketplaceIds: [US] })
    expect(productTypeVersion).toMatch(/.{10,}/)
  })

  test('finds product types by keywords, ignoring case', async () => {
    expect(await found({ keywords: 'luggage' })).toEqual(['LUGGAGE'])
    expect(await found({ keywords: 'SNEAKER,Suitcase' })).toEqual(['LUGGAGE', 'SHOES'])
    expect(await found({ keywords: 'spaceship' })).toEqual([])
  })

  test("suggests product types for a product's title", async () => {
    expect(await found({ itemName: 'Running shoes, size 9' })).toEqual(['SHOES'])
  })

  test('returns names in the requested language, or that of the marketplace', async () => {
    const nameIn = async (query: Record<string, string>) =>
      (await search({ keywords: 'SHOES', ...query })).json().productTypes[0].displayName
    expect(await nameIn({ marketplaceIds: DE })).toBe('Schuhe')
    expect(await nameIn({ marketplaceIds: DE, locale: 'en_US' })).toBe('Shoes')
    expect(await nameIn({ marketplaceIds: `${US},${DE}` })).toBe('Shoes')
    expect(await nameIn({ locale: 'de' })).toBe('Schuhe')
    expect(await nameIn({ marketplaceIds: DE, locale: 'DEFAULT' })).toBe('Schuhe')
    expect(await nameIn({ locale: 'ja_JP' })).toBe('Shoes')
  })

  test('searches in the requested language, or that of the marketplace', async () => {
    expect(await found({ keywords: 'koffer', marketplaceIds: DE })).toEqual(['LUGGAGE'])
    expect(await found({ keywords: 'koffer' })).toEqual([])
    expect(await found({ keywords: 'koffer', searchLocale: 'de_DE' })).toEqual(['LUGGAGE'])
  })

  test('returns product types that the operator adds, with a new version of the list', async () => {
    const before = (await search({})).json().productTypeVersion
    expect((await search({})).json().productTypeVersion).toBe(before)
    const schema = { type: 'array', items: { type: 'object' } }
    const lamp = {
      name: 'DESK_LAMP',
      displayNames: { en_US: 'Desk lamp', de_DE: 'Schreibtischlampe' },
      attributes: { shade: { titles: { en_US: 'Shade' }, group: 'product_details', schema } },
    }
    await souk.put('/operator/v1/productTypes', { headers: souk.operator, payload: { productTypes: [lamp] } })
    expect(await found({ keywords: 'desk' })).toEqual(['DESK_LAMP'])
    expect((await search({})).json().productTypeVersion).not.toBe(before)
  })

  test.each([
    ['no marketplace', { marketplaceIds: '' }, 'marketplaceIds'],
    ['keywords and a title', { keywords: 'shoes', itemName: 'Shoes' }, 'keywords and itemName'],
    ['an empty list of keywords', { keywords: ',' }, 'keywords'],
    ['an empty title', { itemName: '' }, 'itemName'],
    ['an invalid locale', { locale: 'german' }, 'locale'],
    ['an invalid search locale', { searchLocale: 'DE_de' }, 'searchLocale'],
    ['a marketplace that does not exist', { marketplaceIds: 'NOWHERE' }, 'marketplaceIds'],
  ])('refuses %s', async (_, query, named) => {
    expect(errorOf(await search(query))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(named),
    })
  })

  test('refuses a marketplace in which the seller does not participate, and a grantless token', async () => {
    const otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect(errorOf(await search({ marketplaceIds: DE }, otherToken))).toMatchObject({ status: 403 })
    const grantless = await souk.grantlessToken(NOTIFICATIONS)
    expect(errorOf(await search({}, grantless))).toMatchObject({ status: 403, code: 'Unauthorized' })
  })
})
