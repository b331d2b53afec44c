import { beforeAll, describe, expect, test } from 'vitest'
import {
  DE,
  type MarketClient,
  marketClient,
  requestSummary,
  SUMMARY_URI,
  startMarket,
  US,
} from '../../support/market.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const GOOD = 'B0SOUK0001'
const without = (field: string) => {
  const { [field]: _, ...rest } = requestSummary(GOOD) as Record<string, unknown>
  return rest
}

describe('getCompetitiveSummary', () => {
  let souk: TestSouk
  let token: string
  let market: MarketClient
  beforeAll(async () => {
    ;({ souk, token, market } = await startMarket())
  })

  test.each<[string, unknown, string]>([
    ['no requests', [], 'requests must have at least 1 item'],
    ['21 requests', Array(21).fill(requestSummary(GOOD)), 'requests must have at most 20 items'],
    ['requests that are no list', { 0: requestSummary(GOOD) }, 'requests must be an array'],
    ['requests that are null', null, 'requests must be an array'],
    ['a request that is not an object', [GOOD], 'requests[0] must be an object'],
    ['no asin', [without('asin')], 'requests[0].asin is required'],
    ['no marketplaceId', [requestSummary(GOOD), without('marketplaceId')], 'requests[1].marketplaceId is required'],
    ['no includedData', [without('includedData')], 'requests[0].includedData is required'],
    ['no method', [without('method')], 'requests[0].method is required'],
    ['no uri', [without('uri')], 'requests[0].uri is required'],
    ['an asin that is a number', [requestSummary(GOOD, { asin: 1 })], 'requests[0].asin must be a string'],
    ['another method', [requestSummary(GOOD, { method: 'POST' })], 'requests[0].method must be GET'],
    [
      'another uri',
      [requestSummary(GOOD, { uri: '/products/pricing/v0/price' })],
      `requests[0].uri must be ${SUMMARY_URI}`,
    ],
    ['empty includedData', [requestSummary(GOOD, { includedData: [] })], 'requests[0].includedData must have at least'],
    [
      'unknown includedData',
      [requestSummary(GOOD, { includedData: ['referencePrices', 'weather'] })],
      'requests[0].includedData[1] must be one of featuredBuyingOptions',
    ],
    [
      'includedData that is not a list',
      [requestSummary(GOOD, { includedData: 'referencePrices' })],
      'must be an array',
    ],
    [
      'six inputs',
      [
        requestSummary(GOOD, {
          lowestPricedOffersInputs: Array(6).fill({ itemCondition: 'New', offerType: 'Consumer' }),
        }),
      ],
      'lowestPricedOffersInputs must have at most 5 items',
    ],
    [
      'an unknown condition',
      [requestSummary(GOOD, { lowestPricedOffersInputs: [{ itemCondition: 'Old', offerType: 'Consumer' }] })],
      'requests[0].lowestPricedOffersInputs[0].itemCondition must be one of New, Used',
    ],
    [
      'an unknown type of offer',
      [requestSummary(GOOD, { lowestPricedOffersInputs: [{ itemCondition: 'New', offerType: 'Business' }] })],
      'offerType must be one of Consumer',
    ],
    [
      'inputs for offers that are not asked for',
      [
        requestSummary(GOOD, {
          includedData: ['referencePrices'],
          lowestPricedOffersInputs: [{ itemCondition: 'New' }],
        }),
      ],
      'requests[0].lowestPricedOffersInputs requires lowestPricedOffers in includedData',
    ],
  ])('refuses %s as a whole, and names the field', async (_, requests, details) => {
    const refused = errorOf(await market.summaries(requests))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(details) })
  })

  test.each<[string, string | undefined, string]>([
    ['no body', undefined, 'The request body is missing.'],
    ['a body that is not JSON', '{"requests": [', ''],
    ['a body that is a list', '[]', 'must be an object'],
    ['a body without requests', '{}', 'requests is required.'],
  ])('refuses %s', async (_, payload, details) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await souk.post(`/batches${SUMMARY_URI}`, { token, headers, ...(payload && { payload }) })
    expect(errorOf(answer)).toMatchObject({ status: 400, details: expect.stringContaining(details) })
  })

  test('ignores unknown keys', async () => {
    const answer = await market.summaries([{ ...requestSummary(GOOD), MarketplaceIds: ['x'], headers: {} }])
    expect(answer.statusCode).toBe(200)
  })

  test.each([
    ['is not an ASIN', '11_AABB_123'],
    ['is empty', ''],
    ['is in lower case', 'b0souk0001'],
    ['is of no product', 'B0NOTHING0'],
    ['contains JSON syntax', '"},{"x":"'],
    ['is very long', 'B'.repeat(1000)],
  ])('refuses an asin that %s in its own element, and returns the others', async (_, asin) => {
    const answer = await market.summaries([requestSummary(GOOD), requestSummary(asin), requestSummary(GOOD)])
    expect(answer.statusCode).toBe(200)
    const { responses } = answer.json()
    expect(responses.map((one: { status: { statusCode: number } }) => one.status.statusCode)).toEqual([200, 400, 200])
    expect(responses[1]).toEqual({
      status: { statusCode: 400, reasonPhrase: 'Client Error' },
      body: {
        asin,
        marketplaceId: US,
        errors: [{ code: 'INVALID_ASIN', message: `${asin} is not a valid ASIN` }],
      },
    })
  })

  test('refuses an unknown marketplace and one without participation, each in its own element', async () => {
    const [unknown, foreign] = ['NOWHERE', 'A1F83G8C2ARO7P'].map((marketplaceId) =>
      requestSummary(GOOD, { marketplaceId }),
    )
    const { responses } = (await market.summaries([unknown, foreign, requestSummary(GOOD)])).json()
    expect(responses).toMatchObject([
      {
        status: { statusCode: 400 },
        body: { errors: [{ code: 'InvalidInput', details: 'Marketplace NOWHERE does not exist.' }] },
      },
      { status: { statusCode: 403 }, body: { errors: [{ code: 'Unauthorized' }] } },
      { status: { statusCode: 200 } },
    ])
    expect(JSON.stringify(responses[1])).not.toContain('sellerId')
  })

  test('returns 400 if every element fails', async () => {
    const answer = await market.summaries([
      requestSummary('11_AABB_123'),
      requestSummary('B0NOTHING0'),
      requestSummary('11_AABB_123'),
    ])
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['x-amzn-errortype']).toBe('INVALID_ASIN')
    expect(answer.json()).toEqual({
      errors: [
        { code: 'INVALID_ASIN', message: '11_AABB_123 is not a valid ASIN', details: '' },
        { code: 'INVALID_ASIN', message: 'B0NOTHING0 is not a valid ASIN', details: '' },
      ],
    })
  })

  test('returns 403 if the seller participates in none of the marketplaces', async () => {
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const answer = await marketClient(souk, other).summaries([requestSummary(GOOD, { marketplaceId: DE })])
    expect(errorOf(answer)).toMatchObject({ status: 403, code: 'Unauthorized' })
  })

  test('requires the token of a seller', async () => {
    const payload = { requests: [requestSummary(GOOD)] }
    expect(errorOf(await souk.post(`/batches${SUMMARY_URI}`, { payload }))).toMatchObject({ status: 403 })
    const grantless = await souk.grantlessToken('sellingpartnerapi::notifications')
    expect(errorOf(await souk.post(`/batches${SUMMARY_URI}`, { payload, token: grantless }))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
    })
  })
})

test('allows one batch of summaries in 30 seconds for each application and seller', async () => {
  const souk = await startTestSouk({ rates: 'documented' })
  const market = marketClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  const others = marketClient(souk, await souk.tokenFor(souk.demo.otherSeller.refreshToken))
  const ask = (client: MarketClient) => client.summaries([requestSummary(GOOD)])
  const first = await ask(market)
  expect([first.statusCode, first.headers['x-amzn-ratelimit-limit']]).toEqual([200, '0.033'])
  expect(errorOf(await ask(market))).toEqual({
    status: 429,
    code: 'QuotaExceeded',
    message: 'You exceeded your quota for the requested resource.',
    details: '',
  })
  expect((await ask(others)).statusCode).toBe(200)
  souk.clock.advance(29_000)
  expect((await ask(market)).statusCode).toBe(429)
  souk.clock.advance(2_000)
  expect((await ask(market)).statusCode).toBe(200)
})
