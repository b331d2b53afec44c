import { beforeAll, describe, expect, test } from 'vitest'
import type { Restriction } from '../../../src/marketplace/catalog/index.ts'
import { buildCatalogItem as build } from '../../support/catalog.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'

let souk: TestSouk
let token: string
let other: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
  other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
  const restricted = (asin: string, restrictions: Restriction[], marketplaceId = US) =>
    build(asin, { marketplaceId, restrictions })
  const catalogItems = [
    build('B0FREE0001'),
    restricted('B0GATED001', [{ reason: 'APPROVAL_REQUIRED' }]),
    restricted('B0GATED001', [{ reason: 'APPROVAL_REQUIRED' }], DE),
    restricted('B0GATED002', [{ reason: 'APPROVAL_REQUIRED', exemptSellerIds: [souk.demo.otherSeller.sellerId] }]),
    restricted('B0GATED003', [{ reason: 'APPROVAL_REQUIRED', approvalUrl: 'https://ask.example/here?x=1' }]),
    restricted('B0MIXED001', [
      { reason: 'NOT_ELIGIBLE', conditionTypes: ['used_good', 'used_acceptable'] },
      { reason: 'APPROVAL_REQUIRED', conditionTypes: ['used_good', 'new_new'] },
    ]),
  ]
  await souk.put('/operator/v1/catalogItems', { headers: souk.operator, payload: { catalogItems } })
})

const getRestrictions = (query: string, own = token) =>
  souk.get(`/listings/2021-08-01/restrictions?${query}`, { token: own })
const about = (asin: string, more = '') =>
  getRestrictions(`asin=${asin}&sellerId=${souk.demo.sellerId}&marketplaceIds=${US}${more}`)
const restrictionsOf = async (asin: string, more = '') => (await about(asin, more)).json().restrictions

const approval = (asin: string) => ({
  message: 'You need approval to sell this product.',
  reasonCode: 'APPROVAL_REQUIRED',
  links: [
    {
      resource: `https://www.amazon.com/approvals?asin=${asin}`,
      verb: 'GET',
      title: 'Request approval',
      type: 'text/html',
    },
  ],
})
const notEligible = { message: 'You cannot sell this product.', reasonCode: 'NOT_ELIGIBLE' }

describe('getListingsRestrictions', () => {
  test('returns an empty list if the seller may sell the product', async () => {
    expect((await about('B0FREE0001')).json()).toEqual({ restrictions: [] })
    expect((await about('B0FREE0001', '&conditionType=used_good')).json()).toEqual({ restrictions: [] })
  })

  test('returns the URL at which to request an approval', async () => {
    expect(await restrictionsOf('B0GATED001')).toEqual([{ marketplaceId: US, reasons: [approval('B0GATED001')] }])
    expect((await restrictionsOf('B0GATED003'))[0].reasons[0].links[0].resource).toBe('https://ask.example/here?x=1')
  })

  test('returns no restriction to a seller with the approval', async () => {
    const query = (sellerId: string) => `asin=B0GATED002&sellerId=${sellerId}&marketplaceIds=${US}`
    expect((await getRestrictions(query(souk.demo.sellerId))).json().restrictions).toHaveLength(1)
    expect((await getRestrictions(query(souk.demo.otherSeller.sellerId), other)).json().restrictions).toEqual([])
  })

  test('returns restrictions per condition, or of the requested condition only', async () => {
    const marketplaceId = US
    expect(await restrictionsOf('B0MIXED001')).toEqual([
      { marketplaceId, conditionType: 'used_good', reasons: [notEligible, approval('B0MIXED001')] },
      { marketplaceId, conditionType: 'used_acceptable', reasons: [notEligible] },
      { marketplaceId, conditionType: 'new_new', reasons: [approval('B0MIXED001')] },
    ])
    expect(await restrictionsOf('B0MIXED001', '&conditionType=used_acceptable')).toEqual([
      { marketplaceId, conditionType: 'used_acceptable', reasons: [notEligible] },
    ])
    expect(await restrictionsOf('B0MIXED001', '&conditionType=new_oem')).toEqual([])
    expect(await restrictionsOf('B0GATED001', '&conditionType=new_oem')).toEqual([
      { marketplaceId, conditionType: 'new_oem', reasons: [approval('B0GATED001')] },
    ])
  })

  test('reports the marketplaces that do not have the product', async () => {
    expect(await restrictionsOf('B0NOTHING0')).toEqual([
      {
        marketplaceId: US,
        reasons: [{ message: 'No product in the marketplace has this ASIN.', reasonCode: 'ASIN_NOT_FOUND' }],
      },
    ])
    const [german, ...rest] = await restrictionsOf('B0FREE0001', `,${DE}`)
    expect(german).toMatchObject({ marketplaceId: DE, reasons: [{ reasonCode: 'ASIN_NOT_FOUND' }] })
    expect(rest).toEqual([])
  })

  test('returns the restrictions of each requested marketplace', async () => {
    const restrictions = await restrictionsOf('B0GATED001', `,${DE},${US}`)
    const resources = restrictions.map((one: { reasons: { links: { resource: string }[] }[] }) =>
      one.reasons.map(({ links }) => new URL(links[0]?.resource as string).host),
    )
    expect(resources).toEqual([['www.amazon.de'], ['www.amazon.com']])
  })

  test.each([
    [`marketplaceIds=${US}`, 'You need'],
    [`marketplaceIds=${DE}`, 'Sie brauchen'],
    [`marketplaceIds=${DE},${US}`, 'Sie brauchen'],
    [`marketplaceIds=${DE}&reasonLocale=en_US`, 'You need'],
    [`marketplaceIds=${US}&reasonLocale=de_DE`, 'Sie brauchen'],
    [`marketplaceIds=${DE}&reasonLocale=fr_FR`, 'You need'],
    [`marketplaceIds=${DE}&reasonLocale=%F0%9F%91%9F`, 'You need'],
  ])('uses the requested language, or that of the first marketplace: %s', async (query, beginning) => {
    const response = await getRestrictions(`asin=B0GATED001&sellerId=${souk.demo.sellerId}&${query}`)
    expect(response.json().restrictions[0].reasons[0].message).toMatch(new RegExp(`^${beginning}`))
  })

  test.each([
    ['no ASIN', () => `sellerId=${souk.demo.sellerId}&marketplaceIds=${US}`, 'asin is required'],
    ['an invalid ASIN', () => `asin=BAD_ASIN&sellerId=${souk.demo.sellerId}&marketplaceIds=${US}`, 'asin'],
    ['no seller', () => `asin=B0FREE0001&marketplaceIds=${US}`, 'sellerId is required'],
    ['no marketplace', () => `asin=B0FREE0001&sellerId=${souk.demo.sellerId}`, 'marketplaceIds is required'],
    [
      'an unknown marketplace',
      () => `asin=B0FREE0001&sellerId=${souk.demo.sellerId}&marketplaceIds=${US},NOWHERE`,
      'Marketplace NOWHERE does not exist',
    ],
    [
      'an unknown condition',
      () => `asin=B0FREE0001&sellerId=${souk.demo.sellerId}&marketplaceIds=${US}&conditionType=old`,
      'conditionType must be one of new_new',
    ],
    [
      'two ASINs',
      () => `asin=B0FREE0001&asin=B0FREE0001&sellerId=${souk.demo.sellerId}&marketplaceIds=${US}`,
      'asin must be a string',
    ],
  ])('refuses %s', async (_what, query, details) => {
    expect(errorOf(await getRestrictions(query()))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(details),
    })
  })

  test("refuses another seller's token and a grantless token, whatever the product", async () => {
    for (const asin of ['B0GATED001', 'B0NOTHING0']) {
      const query = `asin=${asin}&sellerId=${souk.demo.sellerId}&marketplaceIds=${US}`
      expect(errorOf(await getRestrictions(query, other))).toMatchObject({ status: 403, code: 'Unauthorized' })
      expect(errorOf(await getRestrictions(query, await souk.grantlessToken(NOTIFICATIONS)))).toMatchObject({
        status: 403,
      })
    }
  })

  test('refuses a marketplace in which the seller does not participate', async () => {
    const query = `asin=B0GATED001&sellerId=${souk.demo.otherSeller.sellerId}&marketplaceIds=${DE}`
    expect(errorOf(await getRestrictions(query, other))).toMatchObject({
      status: 403,
      details: expect.stringContaining(DE),
    })
  })

  test('has examples in the demo data: a rug that requires approval, a lamp that cannot be sold used', async () => {
    expect(await restrictionsOf('B0SOUK0012')).toMatchObject([{ reasons: [{ reasonCode: 'APPROVAL_REQUIRED' }] }])
    expect(await restrictionsOf('B0SOUK0011', '&conditionType=used_good')).toMatchObject([
      { reasons: [{ reasonCode: 'NOT_ELIGIBLE' }] },
    ])
    expect(await restrictionsOf('B0SOUK0001')).toEqual([])
  })
})

test.skipIf(!modelsArePresent)('getListingsRestrictions conforms to the public model', async () => {
  for (const asin of ['B0FREE0001', 'B0GATED001', 'B0MIXED001', 'B0NOTHING0']) {
    conformsTo('listingsRestrictions_2021-08-01.json', 'RestrictionList', (await about(asin)).json())
  }
})
