import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string
let otherToken: string

beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
  otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
})

describe('getMarketplaceParticipations', () => {
  test("lists the seller's marketplaces with all fields", async () => {
    const response = await souk.get('/sellers/v1/marketplaceParticipations', { token })
    expect(response.statusCode).toBe(200)
    expect(response.json().payload).toContainEqual({
      marketplace: {
        id: 'ATVPDKIKX0DER',
        countryCode: 'US',
        name: 'Amazon.com',
        defaultCurrencyCode: 'USD',
        defaultLanguageCode: 'en_US',
        domainName: 'www.amazon.com',
      },
      storeName: 'Bazaar Shoes',
      participation: { isParticipating: true, hasSuspendedListings: false },
    })
  })

  test('returns only the stores of the seller', async () => {
    const storeNames = async (asToken: string) => {
      const response = await souk.get('/sellers/v1/marketplaceParticipations', { token: asToken })
      return response.json().payload.map((entry: { storeName: string }) => entry.storeName)
    }
    expect(await storeNames(token)).toEqual(['Basar Schuhe', 'Bazaar Shoes'])
    expect(await storeNames(otherToken)).toEqual(['The Stall Next Door'])
  })

  test('returns changes of the operator immediately', async () => {
    const seller = (
      await souk.get(`/operator/v1/sellers/${souk.demo.otherSeller.sellerId}`, { headers: souk.operator })
    ).json()
    seller.participations[0].hasSuspendedListings = true
    await souk.put('/operator/v1/sellers', { headers: souk.operator, payload: { sellers: [seller] } })
    const response = await souk.get('/sellers/v1/marketplaceParticipations', { token: otherToken })
    expect(response.json().payload[0].participation).toEqual({ isParticipating: true, hasSuspendedListings: true })
  })
})

describe('getAccount', () => {
  test('returns the business, the contact, the plan and the marketplaces', async () => {
    const { payload } = (await souk.get('/sellers/v1/account', { token })).json()
    expect(payload).toMatchObject({
      businessType: 'PRIVATE_LIMITED',
      sellingPlan: 'PROFESSIONAL',
      business: { name: 'Bazaar Shoes Ltd', registeredBusinessAddress: { countryCode: 'US' } },
      primaryContact: { name: 'Amira Haddad' },
    })
    expect(payload.marketplaceParticipationList).toHaveLength(2)
  })

  test('omits fields the seller did not provide', async () => {
    const { payload } = (await souk.get('/sellers/v1/account', { token: otherToken })).json()
    expect(payload).toMatchObject({ businessType: 'SOLE_PROPRIETORSHIP', sellingPlan: 'INDIVIDUAL' })
    expect(payload).not.toHaveProperty('business')
    expect(payload).not.toHaveProperty('primaryContact')
  })

  test('refuses a grantless token', async () => {
    const grantless = await souk.grantlessToken(NOTIFICATIONS)
    expect(errorOf(await souk.get('/sellers/v1/account', { token: grantless }))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringContaining('grantless'),
    })
  })
})
