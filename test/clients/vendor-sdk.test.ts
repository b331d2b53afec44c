import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as SellersSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/sellers_v1/index.js'
import * as SolicitationsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/solicitations_v1/index.js'
import * as TokensSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/tokens_v2021_03_01/index.js'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk()
  })
  // Not with the SDK's own helper, because it has a hard-coded URL of the token endpoint.
  beforeEach(async () => {
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  const eligible = (index: number) => souk.demo.orders.eligible[index] as string
  const sellers = (accessToken = token) =>
    new SellersSpApi.SellersApi(new SellersSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(accessToken))
  const solicitations = () =>
    new SolicitationsSpApi.SolicitationsApi(
      new SolicitationsSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token),
    )
  const tokens = () =>
    new TokensSpApi.TokensApi(new TokensSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token))

  test('reads the marketplaces in which the seller sells', async () => {
    const { payload } = (await sellers().getMarketplaceParticipations()) as { payload?: unknown[] }
    expect(payload).toHaveLength(2)
    expect(payload).toContainEqual(
      expect.objectContaining({
        marketplace: expect.objectContaining({ id: souk.demo.marketplaceId, defaultCurrencyCode: 'USD' }),
        storeName: 'Bazaar Shoes',
        participation: expect.objectContaining({ isParticipating: true, hasSuspendedListings: false }),
      }),
    )
  })

  test("reads the seller's account", async () => {
    expect(await sellers().getAccount()).toMatchObject({
      payload: {
        businessType: 'PRIVATE_LIMITED',
        sellingPlan: 'PROFESSIONAL',
        business: { name: 'Bazaar Shoes Ltd', registeredBusinessAddress: { postalCode: '98101' } },
        primaryContact: { name: 'Amira Haddad' },
        marketplaceParticipationList: [{ marketplace: { countryCode: 'DE' } }, { marketplace: { countryCode: 'US' } }],
      },
    })
  })

  test('reads the action of an eligible order, with its schema', async () => {
    const found = await solicitations().getSolicitationActionsForOrder(eligible(0), [souk.demo.marketplaceId])
    const name = 'productReviewAndSellerFeedback'
    expect(found).toMatchObject({
      links: {
        self: { href: expect.stringContaining(eligible(0)) },
        actions: [{ name, href: expect.stringContaining(name) }],
      },
      embedded: { actions: [{ payload: { name }, embedded: { schema: { payload: { name, disabled: false } } } }] },
    })
  })

  test('reads no action for an ineligible order', async () => {
    const { tooEarly } = souk.demo.orders
    const found = await solicitations().getSolicitationActionsForOrder(tooEarly, [souk.demo.marketplaceId])
    expect(found).toMatchObject({ links: { actions: [] }, embedded: { actions: [] } })
  })

  test('sends a solicitation, and throws an error with status 403 and the reason the second time', async () => {
    const send = () =>
      solicitations().createProductReviewAndSellerFeedbackSolicitationWithHttpInfo(eligible(1), [
        souk.demo.marketplaceId,
      ])
    expect(await send()).toMatchObject({ response: { status: 201 } })
    await expect(send()).rejects.toMatchObject({
      status: 403,
      response: {
        headers: { 'x-amzn-errortype': 'Unauthorized', 'x-amzn-requestid': expect.any(String) },
        body: { errors: [{ code: 'Unauthorized', details: expect.stringContaining('already sent') }] },
      },
    })
  })

  test('gets a restricted data token, which is valid for restricted operations only', async () => {
    const ask = (path: string) =>
      tokens().createRestrictedDataToken({ restrictedResources: [{ method: 'GET', path }] }) as Promise<{
        restrictedDataToken?: string
        expiresIn?: number
      }>
    const restricted = await ask('/orders/v0/orders/{orderId}/address')
    expect(restricted).toMatchObject({ restrictedDataToken: expect.stringMatching(/^Atz/), expiresIn: 3600 })
    await expect(sellers(restricted.restrictedDataToken).getAccount()).rejects.toMatchObject({ status: 403 })
    await expect(ask('/sellers/v1/account')).rejects.toMatchObject({ status: 400 })
  })

  test('throws an error with status 403 and the reason for an expired token', async () => {
    expect(await sellers().getAccount()).toHaveProperty('payload')
    souk.clock.advance(3600 * 1000)
    await expect(sellers().getAccount()).rejects.toMatchObject({
      status: 403,
      response: { body: { errors: [{ code: 'Unauthorized', details: 'The access token has expired.' }] } },
    })
  })
})
