import { beforeAll, describe, expect, test } from 'vitest'
import type { CompetitorOffer } from '../../../src/marketplace/offers/offers.ts'
import { buildCatalogItem } from '../../support/catalog.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
  const catalogItems = [ASIN, 'B0OFFER002', 'B0OFFER003'].map((asin) => buildCatalogItem(asin))
  expect((await put('catalogItems', catalogItems)).statusCode).toBe(200)
})

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'
const ASIN = 'B0OFFER001'

const put = (plural: string, resources: unknown) =>
  souk.put(`/operator/v1/${plural}`, { headers: souk.operator, payload: { [plural]: resources } })
const get = (path: string) => souk.get(`/operator/v1/offers${path}`, { headers: souk.operator })
const pathOf = ({ marketplaceId, asin, sellerId, sku = '-' }: CompetitorOffer) =>
  `/${marketplaceId}/${asin}/${sellerId}/${encodeURIComponent(sku)}`
const find = (offer: CompetitorOffer) => get(pathOf(offer))
const remove = (offer: CompetitorOffer) =>
  souk.delete(`/operator/v1/offers${pathOf(offer)}`, { headers: souk.operator })

const build = (sellerId: string, overrides: Partial<CompetitorOffer> = {}): CompetitorOffer => ({
  marketplaceId: US,
  asin: ASIN,
  sellerId,
  conditionType: 'new_new',
  fulfillmentType: 'MFN',
  priceMinor: 4990,
  currencyCode: 'USD',
  ...overrides,
})
const complete = { sku: '-', shippingMinor: 0, quantity: 1, terms: {} }

describe('offers', () => {
  test('of unknown sellers are created and returned unchanged', async () => {
    const whole = build('AWHOLE', {
      sku: 'Their own / 1 ä',
      conditionType: 'used_very_good',
      fulfillmentType: 'AFN',
      shippingMinor: 499,
      quantity: 7,
      terms: {
        prime: 'REGIONAL',
        points: { number: 10, valueMinor: 10 },
        promotions: [
          { type: 'COUPON', percentOff: 12.5 },
          { type: 'DEAL', amountOffMinor: 100 },
        ],
        sellerFeedbackRating: { percentPositive: 98.5, count: 1234 },
        shipsFrom: { countryCode: 'US', stateOrRegion: 'OR' },
      },
    })
    const { marketplaceId, asin, sellerId, sku } = whole
    expect((await put('offers', [whole])).json()).toEqual({ offers: [{ marketplaceId, asin, sellerId, sku }] })
    expect((await find(whole)).json()).toEqual(whole)
  })

  test('have few required fields, and the SKU defaults to a dash', async () => {
    const response = await put('offers', [build('ALITTLE')])
    expect(response.json()).toEqual({ offers: [{ marketplaceId: US, asin: ASIN, sellerId: 'ALITTLE', sku: '-' }] })
    expect((await get(`/${US}/${ASIN}/ALITTLE/-`)).json()).toEqual({ ...build('ALITTLE'), ...complete })
  })

  test('are replaced entirely', async () => {
    await put('offers', [build('AREPLACED', { shippingMinor: 499, quantity: 9, terms: { prime: 'NATIONAL' } })])
    await put('offers', [build('AREPLACED', { priceMinor: 1 })])
    expect((await find(build('AREPLACED'))).json()).toEqual({ ...build('AREPLACED'), ...complete, priceMinor: 1 })
  })

  test('of one seller for one product can be several', async () => {
    const [first, second] = ['A', 'B'].map((sku) => build('ASEVERAL', { sku, priceMinor: sku === 'A' ? 1 : 2 }))
    await put('offers', [first, second])
    expect((await find(first as CompetitorOffer)).json()).toMatchObject({ priceMinor: 1 })
    expect((await find(second as CompetitorOffer)).json()).toMatchObject({ priceMinor: 2 })
  })

  test('can be deleted once', async () => {
    await put('offers', [build('AGOING'), build('ASTAYING')])
    expect((await remove(build('AGOING'))).json()).toEqual({})
    expect((await find(build('AGOING'))).statusCode).toBe(404)
    expect(errorOf(await remove(build('AGOING')))).toMatchObject({ status: 404, message: 'The offer was not found.' })
    expect((await find(build('ASTAYING'))).statusCode).toBe(200)
  })

  test('are listed in pages, each exactly once', async () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      build(`ARIVAL${index % 500}`, { asin: index < 500 ? 'B0OFFER002' : 'B0OFFER003' }),
    )
    expect((await put('offers', many)).json().offers).toHaveLength(1000)
    const seen: string[] = []
    let pageToken = ''
    do {
      const page = (await get(`?pageSize=170${pageToken}`)).json()
      seen.push(...page.offers.map((offer: CompetitorOffer) => pathOf(offer)))
      pageToken = page.nextToken ? `&pageToken=${page.nextToken}` : ''
    } while (pageToken)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(many.map((offer) => pathOf(offer))))
  })

  test('can be listed per marketplace or product', async () => {
    const inGermany = (await get(`?marketplaceId=${DE}`)).json().offers
    expect(inGermany.length).toBeGreaterThan(10)
    for (const offer of inGermany) expect(offer).toMatchObject({ marketplaceId: DE, currencyCode: 'EUR' })
    const ofShoe = (await get(`?marketplaceId=${US}&asin=B0SOUK0001`)).json().offers
    expect(ofShoe.length).toBeGreaterThan(1)
    for (const offer of ofShoe) expect(offer).toMatchObject({ marketplaceId: US, asin: 'B0SOUK0001' })
    expect(errorOf(await get('?asin=B0SOUK0001'))).toMatchObject({
      status: 400,
      details: expect.stringContaining('marketplaceId'),
    })
  })

  test.each<[string, () => unknown, string]>([
    [
      'an unknown marketplace',
      () => [build('AGOOD'), build('ABAD', { marketplaceId: 'NOWHERE' })],
      'offers[1].marketplaceId',
    ],
    [
      'an unknown product',
      () => [build('AGOOD'), build('ABAD', { asin: 'B0NOTHING0' })],
      'offers[1].asin does not exist in the marketplace',
    ],
    [
      'a product of another marketplace',
      () => [build('ABAD', { marketplaceId: DE, currencyCode: 'EUR' })],
      'offers[0].asin',
    ],
    [
      'another currency',
      () => [build('AGOOD'), build('ABAD', { currencyCode: 'EUR' })],
      'offers[1].currencyCode must be the currency of the marketplace: USD',
    ],
    [
      'an unknown condition',
      () => [{ ...build('ABAD'), conditionType: 'old' }],
      'conditionType must be one of new_new',
    ],
    [
      'an unknown channel',
      () => [{ ...build('ABAD'), fulfillmentType: 'FBA' }],
      'fulfillmentType must be one of AFN, MFN',
    ],
    ['a negative price', () => [build('ABAD', { priceMinor: -1 })], 'offers[0].priceMinor'],
    ['a price with a fraction', () => [build('ABAD', { priceMinor: 49.9 })], 'offers[0].priceMinor'],
    ['a quantity of zero', () => [build('ABAD', { quantity: 0 })], 'offers[0].quantity'],
    ['an unknown value of prime', () => [{ ...build('ABAD'), terms: { prime: 'YES' } }], 'terms.prime must be one of'],
    [
      'more than 100 percent positive ratings',
      () => [build('ABAD', { terms: { sellerFeedbackRating: { percentPositive: 101, count: 1 } } })],
      'percentPositive',
    ],
    ['an empty SKU', () => [build('ABAD', { sku: '' })], 'offers[0].sku'],
    ['an unknown key', () => [{ ...build('ABAD'), color: 'red' }], 'offers[0].color is not allowed'],
    ['a NUL character', () => [build('ABAD', { sku: 'a\0b' })], 'NUL'],
    ['the same offer twice', () => [build('ABAD'), build('ABAD')], 'offers[1] is the same as offers[0]'],
    [
      'the same offer twice, once with the default SKU',
      () => [build('ABAD'), build('ABAD', { sku: '-' })],
      'offers[1] is the same',
    ],
  ])('refuse a batch with %s, name the field, and write nothing', async (_what, offers, details) => {
    const refused = errorOf(await put('offers', offers()))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(details) })
    for (const sellerId of ['AGOOD', 'ABAD']) expect((await find(build(sellerId))).statusCode).toBe(404)
  })

  test("of a seller's own listing can be read, but neither changed nor deleted", async () => {
    const { sellerId, asins, skus } = souk.demo
    const own = build(sellerId, { asin: asins[0] as string, sku: skus[0] as string })
    const before = (await find(own)).json()
    expect(before).toMatchObject({ sellerId, priceMinor: 8990 })
    expect(errorOf(await put('offers', [build('AGOOD'), { ...own, priceMinor: 1 }]))).toMatchObject({
      status: 400,
      details: "offers[1] is the offer of a seller's listing.",
    })
    expect(errorOf(await remove(own))).toMatchObject({
      status: 400,
      details: expect.stringContaining("a seller's listing"),
    })
    expect((await find(own)).json()).toEqual(before)
    expect((await find(build('AGOOD'))).statusCode).toBe(404)
  })

  test('can be written and deleted by the operator but not by sellers', async () => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    expect((await souk.put('/operator/v1/offers', { token, payload: { offers: [build('ABAD')] } })).statusCode).toBe(
      403,
    )
    expect((await souk.delete(`/operator/v1/offers${pathOf(build('ALITTLE'))}`, { token })).statusCode).toBe(403)
  })
})
