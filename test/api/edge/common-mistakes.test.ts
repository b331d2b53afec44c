import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf, NOTIFICATIONS, reasonOf, startTestSouk, type TestRequest, type TestSouk } from '../../support/souk.ts'

const HOUR = 60 * 60 * 1000
const IN_US = 'marketplaceIds=ATVPDKIKX0DER'

let souk: TestSouk
let token: string
let grantless: string
let expired: string
beforeAll(async () => {
  souk = await startTestSouk()
  expired = await souk.tokenFor(souk.demo.refreshToken)
  souk.clock.advance(HOUR + 1)
  token = await souk.tokenFor(souk.demo.refreshToken)
  grantless = await souk.grantlessToken(NOTIFICATIONS)
})

interface Mistake {
  mistake: string
  request(): [method: InjectOptions['method'], path: string, request?: TestRequest]
  status: number
  /** The expected `details`, which clients read. */
  details?: RegExp
  /** The mistake and the fix. */
  reason: RegExp
}

describe('the error names the mistake and the fix after', () => {
  test.each<Mistake>([
    {
      mistake: 'no token',
      request: () => ['GET', '/sellers/v1/account'],
      status: 403,
      details: /access token is missing/,
      reason: /send it in the header x-amz-access-token/,
    },
    {
      mistake: 'a wrong token',
      request: () => ['GET', '/sellers/v1/account', { token: 'Atza|nonsense' }],
      status: 403,
      details: /^The access token is revoked, malformed or invalid\.$/,
      reason: /POST \/auth\/o2\/token/,
    },
    {
      mistake: 'a refresh token for an access token',
      request: () => ['GET', '/sellers/v1/account', { token: souk.demo.refreshToken }],
      status: 403,
      details: /invalid/,
      reason: /It is a refresh token\. Get a new one from POST \/auth\/o2\/token with grant_type=refresh_token/,
    },
    {
      mistake: 'an expired token',
      request: () => ['GET', '/sellers/v1/account', { token: expired }],
      status: 403,
      details: /^The access token has expired\.$/,
      reason: /valid for one hour.*POST \/auth\/o2\/token/,
    },
    {
      mistake: "a seller's token where a grantless one is needed",
      request: () => ['GET', '/notifications/v1/destinations', { token }],
      status: 403,
      details: /grantless/,
      reason: /grant_type=client_credentials and scope=sellingpartnerapi::notifications/,
    },
    {
      mistake: "a grantless token where a seller's is needed",
      request: () => ['GET', '/sellers/v1/account', { token: grantless }],
      status: 403,
      details: /seller's access token/,
      reason: /grant_type=refresh_token/,
    },
    {
      mistake: 'no marketplaceIds',
      request: () => ['GET', `/listings/2021-08-01/items/${souk.demo.sellerId}`, { token }],
      status: 400,
      details: /^marketplaceIds is required\.$/,
      reason: /marketplaceIds is required/,
    },
    {
      mistake: 'a misspelt parameter',
      request: () => ['GET', `/listings/2021-08-01/items/${souk.demo.sellerId}?marketplaceId=ATVPDKIKX0DER`, { token }],
      status: 400,
      details: /^marketplaceIds is required\. The request has marketplaceId: did you mean marketplaceIds\?$/,
      reason: /did you mean marketplaceIds\?/,
    },
    {
      mistake: 'a misspelt field of a body',
      request: () => [
        'POST',
        '/reports/2021-06-30/reports',
        { token, payload: { reporttype: 'X', marketplaceIds: ['ATVPDKIKX0DER'] } },
      ],
      status: 400,
      details: /The request has reporttype: did you mean reportType\?/,
      reason: /reportType/,
    },
    {
      mistake: 'a marketplace that does not exist',
      request: () => ['GET', `/listings/2021-08-01/items/${souk.demo.sellerId}?marketplaceIds=NOWHERE`, { token }],
      status: 400,
      details: /Marketplace NOWHERE does not exist/,
      reason: /^marketplaceIds: Marketplace NOWHERE does not exist/,
    },
    {
      mistake: 'a marketplace of another region',
      request: () => [
        'GET',
        `/listings/2021-08-01/items/${souk.demo.sellerId}?marketplaceIds=A1VC38T7YXB528`,
        { token },
      ],
      status: 403,
      details: /does not participate in marketplace A1VC38T7YXB528/,
      reason: /The seller participates in .*ATVPDKIKX0DER/,
    },
    {
      mistake: 'the id of another seller in the path',
      request: () => ['GET', `/listings/2021-08-01/items/A1ELSEWHERE?${IN_US}`, { token }],
      status: 403,
      details: /does not belong to the seller A1ELSEWHERE/,
      reason: /It belongs to the seller A/,
    },
    {
      mistake: 'a body that is not JSON',
      request: () => [
        'POST',
        '/reports/2021-06-30/reports',
        { token, headers: { 'content-type': 'application/json' }, payload: "{'reportType':1}" },
      ],
      status: 400,
      details: /JSON/,
      reason: /The request body is not valid JSON\..*position 1/,
    },
    {
      mistake: 'another content type',
      request: () => [
        'POST',
        '/reports/2021-06-30/reports',
        { token, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'reportType=X' },
      ],
      status: 415,
      details: /application\/x-www-form-urlencoded/,
      reason: /application\/x-www-form-urlencoded/,
    },
    {
      mistake: 'an unknown SKU',
      request: () => ['GET', `/listings/2021-08-01/items/${souk.demo.sellerId}/souk-shoe-001?${IN_US}`, { token }],
      status: 404,
      reason: /SKUs are case-sensitive/,
    },
  ])('$mistake', async ({ request, status, details = /^$/, reason }) => {
    const response = await souk.send(...request())
    expect(errorOf(response)).toMatchObject({ status, details: expect.stringMatching(details) })
    expect(reasonOf(response)).toMatch(reason)
  })

  test('too many requests', async () => {
    const strict = await startTestSouk({ rates: 'documented' })
    const own = await strict.tokenFor(strict.demo.refreshToken)
    const call = () => strict.get('/sellers/v1/account', { token: own })
    for (let count = 0; count < 15; count++) expect((await call()).statusCode).toBe(200)
    const refused = await call()
    expect(errorOf(refused)).toMatchObject({ status: 429, code: 'QuotaExceeded', details: '' })
    expect(reasonOf(refused)).toMatch(/^getAccount allows 0\.016 requests per second with a burst of 15/)
  })

  test.each<[string, object, number, RegExp]>([
    ['a wrong client secret', { client_secret: 'wrong' }, 401, /The client id or client secret is wrong/],
    ['a wrong client id', { client_id: 'wrong' }, 401, /The client id or client secret is wrong/],
    [
      'a wrong refresh token',
      { refresh_token: 'Atzr|wrong' },
      400,
      /unknown, revoked, or issued to another application/,
    ],
    ['an access token for a refresh token', { refresh_token: 'Atza|x' }, 400, /A refresh token begins with Atzr\.$/],
  ])('%s', async (_mistake, fields, status, reason) => {
    const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token } = souk.demo
    const payload = { grant_type: 'refresh_token', client_id, client_secret, refresh_token, ...fields }
    const response = await souk.post('/auth/o2/token', { payload })
    expect(response.statusCode).toBe(status)
    expect(reasonOf(response)).toMatch(reason)
  })
})
