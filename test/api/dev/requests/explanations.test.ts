import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LoggedRequestDetail } from '../../../../src/index.ts'
import { exchange } from '../../../support/exchange.ts'
import { startTestSouk, type TestRequest, type TestSouk } from '../../../support/souk.ts'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk({ rates: 'documented' })
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

type Method = InjectOptions['method']

/** Sends a request that is refused, and returns its explanation. */
async function refused(method: Method, path: string, request: TestRequest = {}) {
  const response = await souk.send(method, path, { token, ...request })
  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  const logged = await fetch(String(response.headers['x-souk-request-url']))
  const { explanation, error } = (await logged.json()) as LoggedRequestDetail
  return { ...explanation, error, status: response.statusCode }
}

type Refused = Awaited<ReturnType<typeof refused>>

/** Sends the nearest request that the explanation names. */
async function sendNearest({ nearest }: Refused, request: TestRequest = {}) {
  const { method, url, body } = nearest ?? {}
  if (url === undefined) throw new Error('There is no nearest request')
  return souk.send(method as Method, url, { token, ...request, ...(body !== undefined && { payload: body as object }) })
}

const item = (sku: string, marketplaceId = souk.demo.marketplaceId) =>
  `/listings/2021-08-01/items/${souk.demo.sellerId}/${sku}?marketplaceIds=${marketplaceId}`

describe('the explanation', () => {
  test('of an expired token has both times and where to get a new one', async () => {
    const old = await souk.tokenFor(souk.demo.refreshToken)
    const expiredAt = new Date(souk.clock.now().getTime() + 3_600_000).toISOString()
    souk.clock.advance(3_700_000)
    const explained = await refused('GET', item(String(souk.demo.skus[0])), { token: old })
    token = await souk.tokenFor(souk.demo.refreshToken)
    expect(explained).toMatchObject({
      facts: { expiredAt, now: souk.clock.now().toISOString() },
      nearest: { first: 'POST /auth/o2/token with grant_type=refresh_token' },
    })
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
  })

  test('of a missing or wrong token names what was sent instead', async () => {
    const path = item(String(souk.demo.skus[0]))
    expect(await refused('GET', path, { token: '' })).toMatchObject({ facts: { 'x-amz-access-token': null } })
    expect(await refused('GET', path, { token: souk.demo.refreshToken })).toMatchObject({
      facts: { kind: 'refresh token' },
    })
    const grantless = await souk.grantlessToken('sellingpartnerapi::notifications')
    expect(await refused('GET', path, { token: grantless })).toMatchObject({
      facts: { kind: 'grantless access token', scopes: ['sellingpartnerapi::notifications'] },
    })
  })

  test('of an exceeded quota has the bucket and the time at which the request passes', async () => {
    let left = 15
    while (left-- > 0) await souk.get('/sellers/v1/account', { token })
    const explained = await refused('GET', '/sellers/v1/account')
    expect(explained).toMatchObject({ status: 429, facts: { bucketPerSecond: 0.016, bucketBurst: 15, left: 0 } })
    const notBefore = new Date(String(explained.nearest?.notBefore))
    souk.clock.advance(notBefore.getTime() - souk.clock.now().getTime())
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
  })

  test('of an unknown SKU has the nearest of this seller, and none of another', async () => {
    const explained = await refused('GET', item('SOUK-SHOE-OO1'))
    expect(explained.facts).toMatchObject({ sku: 'SOUK-SHOE-OO1', nearest: expect.stringMatching(/^SOUK-SHOE-/) })
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
    const { sellerId, refreshToken } = souk.demo.otherSeller
    const other = await souk.tokenFor(refreshToken)
    const path = item('SOUK-SHOE-OO1').replace(souk.demo.sellerId, sellerId)
    expect(await sendNearest(await refused('GET', path, { token: other }), { token: other })).toMatchObject({
      statusCode: 200,
    })
  })

  test("of another seller's order looks as if it did not exist", async () => {
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const [orderId] = souk.demo.orders.eligible
    const existing = await refused('GET', `/orders/v0/orders/${orderId}`, { token: other })
    const unknown = await refused('GET', `/orders/v0/orders/${orderId?.replace(/\d$/, 'x')}`, { token: other })
    expect(existing.facts?.nearest).toBe(unknown.facts?.nearest)
    expect(existing.rule?.replaceAll(String(orderId), '')).toBe(unknown.rule?.replaceAll(/\d[\d-]+x/g, ''))
    expect(existing.facts?.nearest).not.toBe(orderId)
  })

  test('of a wrong marketplace has those of the seller', async () => {
    const explained = await refused('GET', item(String(souk.demo.skus[0]), 'A1F83G8C2ARO7P'))
    expect(explained.facts?.participatesIn).toContain(souk.demo.marketplaceId)
    expect(explained.nearest?.url).toContain('marketplaceIds=A1PA6795UKMFR9')
  })

  test("of another seller's id in the path has that of the token", async () => {
    const explained = await refused(
      'GET',
      item(String(souk.demo.skus[0])).replace(souk.demo.sellerId, 'A2SOUKOTHERSEL'),
    )
    expect(explained.facts).toMatchObject({ sellerInPath: 'A2SOUKOTHERSEL', sellerOfCaller: souk.demo.sellerId })
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
  })

  test.each([
    ['an unknown path', 'GET', '/sellers/v2/marketplaceParticipation'],
    ['a path in the wrong case', 'GET', '/Sellers/v1/marketplaceParticipations'],
    ['a wrong method', 'POST', '/sellers/v1/marketplaceParticipations'],
  ] as const)('of %s has the nearest that exists', async (_what, method, path) => {
    const explained = await refused(method, path)
    expect(explained.nearest).toMatchObject({ method: 'GET', url: '/sellers/v1/marketplaceParticipations' })
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
  })

  test.each([
    ['a broken percent-encoding', '/orders/v0/orders/5%', { url: '/orders/v0/orders/5%25' }],
    ['a broken percent-encoding, at no operation', '/nowhere/5%zz?a=b', { url: '/nowhere/5%25zz?a=b' }],
    ['a NUL', '/orders/v0/orders/5%00?a=b', { url: '/orders/v0/orders/5?a=b' }],
    ['a NUL, at no operation', '/nowhere?a=%00b', { url: '/nowhere?a=b' }],
    ['a part that is too long', `/orders/v0/orders/${'5'.repeat(1001)}`, undefined],
  ])('of a URL with %s has it without', async (_what, path, nearest) => {
    const explained = await refused('GET', path)
    expect(explained.status).toBe(400)
    if (nearest) expect(explained.nearest).toMatchObject(nearest)
    else expect(explained.noNearest).toContain('No id is so long')
  })

  test('of a request without the header Host is in the log', async () => {
    for (const path of ['/sellers/v1/account', '/nowhere']) {
      expect(await exchange(souk.url, `GET ${path}?nohost HTTP/1.1\r\nconnection: close\r\n\r\n`)).toContain(' 400 ')
      const { requests } = await souk.requests.list({ path, q: 'nohost' })
      const { explanation } = await souk.requests.get(String(requests[0]?.id))
      expect(explanation?.nearest).toMatchObject({ headers: { host: '<the host of the URL>' } })
    }
  })

  test('of an invalid query has the corrected one', async () => {
    const query = `marketplaceId=${souk.demo.marketplaceId}&includedData=summary&pageSize=1000`
    const explained = await refused('GET', `/listings/2021-08-01/items/${souk.demo.sellerId}?${query}`)
    expect(explained.status).toBe(400)
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
    expect(explained.nearest?.url).toContain('includedData=summaries')
  })

  test('of an invalid body has all violations and the corrected body', async () => {
    const payload = {
      productType: 'SHOES',
      patches: [
        {
          op: 'replce',
          path: '/attributes/fulfillment_availability',
          value: [{ fulfillment_channel_code: 'DEFAULT', quantity: 3 }],
        },
      ],
    }
    const explained = await refused('PATCH', item(String(souk.demo.skus[0])), { payload })
    expect(explained.facts?.violations).toEqual([expect.stringContaining('patches[0].op must be one of')])
    expect(explained.nearest?.body).toMatchObject({ patches: [{ op: 'replace' }] })
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
  })

  test('of a long body has the rule, and not the body, which the log does not keep', async () => {
    const payload = { productType: 'SHOES', patches: [{ op: 'replce', path: '/'.padEnd(100_000, 'x') }] }
    const explained = await refused('PATCH', item(String(souk.demo.skus[0])), { payload })
    expect(explained.rule).toContain('patches[0].op must be one of')
    expect(explained.facts).toEqual({ code: 'InvalidInput', bodyBytes: JSON.stringify(payload).length })
    expect(explained.noNearest).toContain('long body')
  })

  test('of a solicitation has the window and the delivery of the order', async () => {
    const orderId = souk.demo.orders.tooEarly
    const path = `/solicitations/v1/orders/${orderId}/solicitations/productReviewAndSellerFeedback?marketplaceIds=${souk.demo.marketplaceId}`
    const explained = await refused('POST', path)
    expect(explained.facts).toMatchObject({ deliveredAt: expect.any(String), opensAt: explained.nearest?.notBefore })
    souk.clock.set(new Date(String(explained.nearest?.notBefore)))
    token = await souk.tokenFor(souk.demo.refreshToken)
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 201 })
  })

  test('of a request for a token has no secret', async () => {
    const { clientId, clientSecret } = souk.demo
    const payload = { grant_type: 'refresh_tokens', client_id: clientId, client_secret: clientSecret }
    const explained = await refused('POST', '/auth/o2/token', { payload })
    expect(explained.facts).toMatchObject({ sent: 'refresh_tokens' })
    expect(explained.nearest?.body).toEqual({ ...payload, grant_type: 'refresh_token', client_secret: '[redacted]' })
  })

  test.each([
    ['as a list', json, '{"grant_type":"a","grant_type":"a","client_secret":["hidden"]}', '[redacted] list'],
    ['as a placeholder in a form', form, 'grant_type=refresh&client_secret=%3Chidden%3E', '[redacted]'],
    ['as a placeholder', json, '{"grant_type":"refresh","client_secret":"\\u003chidden\\u003e"}', '[redacted]'],
  ])('of a request for a token has no secret that was sent %s', async (_how, type, payload, shown) => {
    const { nearest } = await refused('POST', '/auth/o2/token', { payload, headers: { 'content-type': type } })
    expect(nearest?.body).toMatchObject({ grant_type: expect.any(String), client_secret: shown })
  })

  test('of a request for a token that is too long has the limit, and the code of the error', async () => {
    const payload = { grant_type: 'refresh_token', client_id: 'a'.repeat(100_000) }
    const { facts, error } = await refused('POST', '/auth/o2/token', { payload })
    expect(facts).toMatchObject({ maxBytes: 65_536 })
    expect(error).toMatchObject({ code: 'invalid_request' })
  })

  test('of a request for a token that is not JSON has no secret', async () => {
    const payload = '{"client_secret": hidden}'
    const { facts } = await refused('POST', '/auth/o2/token', { payload, headers: { 'content-type': json } })
    expect(facts?.problem).toContain('_secret": [redacted]}')
    expect(JSON.stringify(await souk.requests.list({ q: 'hidden' }))).not.toContain('/auth/o2/token')
  })

  test('of any other rule has the rule and what the request has there', async () => {
    const query = `MarketplaceIds=${souk.demo.marketplaceId}&CreatedAfter=2026-05-01T00:00:00Z&CreatedBefore=2026-04-01T00:00:00Z`
    expect(await refused('GET', `/orders/v0/orders?${query}`)).toMatchObject({
      rule: 'CreatedBefore must not be before CreatedAfter.',
      facts: { CreatedBefore: '2026-04-01T00:00:00Z' },
    })
  })

  test('of two times in the wrong order has them in the order that passes', async () => {
    const query = `MarketplaceIds=${souk.demo.marketplaceId}&CreatedAfter=2026-05-01T00:00:00Z&CreatedBefore=2026-04-01T00:00:00Z`
    const explained = await refused('GET', `/orders/v0/orders?${query}`)
    expect(explained.nearest?.url).toContain('CreatedBefore=2026-05-01T00:00:00Z')
    expect(await sendNearest(explained)).toMatchObject({ statusCode: 200 })
  })

  test('of what exists already has the request that reads it', async () => {
    const grantless = await souk.grantlessToken('sellingpartnerapi::notifications')
    const path = '/notifications/v1/destinations'
    const payload = {
      name: 'twice',
      resourceSpecification: { sqs: { arn: 'arn:aws:sqs:us-east-1:000000000000:souk' } },
    }
    await souk.post(path, { token: grantless, payload })
    const explained = await refused('POST', path, { token: grantless, payload })
    expect(explained).toMatchObject({ status: 409, nearest: { method: 'GET', url: path } })
    expect(await sendNearest(explained, { token: grantless })).toMatchObject({ statusCode: 200 })
  })
})
