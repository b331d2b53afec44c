import { beforeAll, describe, expect, test } from 'vitest'
import { probeRoutes } from '../../support/probe-routes.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string

beforeAll(async () => {
  souk = await startTestSouk({ extraRoutes: [probeRoutes] })
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const denied = (details: string | RegExp) => ({
  status: 403,
  code: 'Unauthorized',
  message: expect.stringContaining('denied'),
  details: expect.stringMatching(details),
})

describe("an operation that requires a seller's token", () => {
  const get = (asToken?: string) => souk.get('/probe/seller', asToken === undefined ? {} : { token: asToken })

  test("accepts a seller's token with either header prefix", async () => {
    expect((await get(token)).statusCode).toBe(200)
    expect((await souk.get('/probe/seller', { headers: { 'x-svc-access-token': token } })).statusCode).toBe(200)
  })

  test('reports a missing token if there is none or it is empty', async () => {
    expect(errorOf(await get())).toMatchObject(denied('missing'))
    expect(errorOf(await get(''))).toMatchObject(denied('missing'))
  })

  test.each(['garbage', 'Atza|garbage', `Atza|${'x'.repeat(3000)}`])(
    'reports the invalid token %.20s',
    async (garbage) => {
      expect(errorOf(await get(garbage))).toMatchObject(denied('revoked, malformed or invalid'))
    },
  )

  test('refuses a refresh token instead of an access token', async () => {
    expect(errorOf(await get(souk.demo.refreshToken))).toMatchObject(denied('invalid'))
  })

  test('accepts a token for one hour, then reports that it expired with the message that clients match', async () => {
    const own = await startTestSouk({ extraRoutes: [probeRoutes] })
    const hourly = await own.tokenFor(own.demo.refreshToken)
    own.clock.advance(3_599_000)
    expect((await own.get('/probe/seller', { token: hourly })).statusCode).toBe(200)
    own.clock.advance(1_000)
    expect(errorOf(await own.get('/probe/seller', { token: hourly }))).toMatchObject(denied(/access token.*expired/))
  })

  test('refuses a grantless token', async () => {
    expect(errorOf(await get(await souk.grantlessToken(NOTIFICATIONS)))).toMatchObject(denied('grantless'))
  })

  test('refuses a user agent of more than 500 characters, as the live service does', async () => {
    const withUserAgent = (length: number) =>
      souk.get('/probe/seller', { token, headers: { 'user-agent': 'x'.repeat(length) } })
    expect((await withUserAgent(500)).statusCode).toBe(200)
    expect(errorOf(await withUserAgent(501))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('returns its quota only to authenticated callers', async () => {
    const response = await get()
    expect(response.headers).not.toHaveProperty('x-amzn-ratelimit-limit')
  })
})

describe('a grantless operation', () => {
  test('accepts a grantless token with its scope', async () => {
    const grantless = await souk.grantlessToken(`sellingpartnerapi::migration ${NOTIFICATIONS}`)
    expect((await souk.get('/probe/grantless', { token: grantless })).statusCode).toBe(200)
  })

  test("refuses a seller's token and a grantless token with another scope, and names the scope", async () => {
    expect(errorOf(await souk.get('/probe/grantless', { token }))).toMatchObject(denied(NOTIFICATIONS))
    const other = await souk.grantlessToken('sellingpartnerapi::migration')
    expect(errorOf(await souk.get('/probe/grantless', { token: other }))).toMatchObject(denied(NOTIFICATIONS))
  })
})

describe('an operation that accepts both', () => {
  test("accepts a seller's token and a grantless token with its scope, and no other", async () => {
    const grantless = await souk.grantlessToken(NOTIFICATIONS)
    const other = await souk.grantlessToken('sellingpartnerapi::migration')
    expect((await souk.get('/probe/either', { token })).statusCode).toBe(200)
    expect((await souk.get('/probe/either', { token: grantless })).statusCode).toBe(200)
    expect((await souk.get('/probe/either', { token: other })).statusCode).toBe(403)
  })
})

describe('a path with a seller id', () => {
  test("requires that seller's token", async () => {
    const otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const path = `/probe/items/${souk.demo.sellerId}/some-sku`
    expect((await souk.get(path, { token })).statusCode).toBe(200)
    expect(errorOf(await souk.get(path, { token: otherToken }))).toMatchObject(denied(souk.demo.sellerId))
  })
})

describe('revocation', () => {
  test("invalidates that seller's access tokens and refresh tokens immediately", async () => {
    const own = await startTestSouk({ extraRoutes: [probeRoutes] })
    const revoked = await own.tokenFor(own.demo.refreshToken)
    const untouched = await own.tokenFor(own.demo.otherSeller.refreshToken)
    expect((await own.get('/probe/seller', { token: revoked })).statusCode).toBe(200)

    const authorization = `/operator/v1/authorizations/${own.demo.sellerId}/${own.demo.applicationId}`
    expect((await own.delete(authorization, { headers: own.operator })).json()).toEqual({})

    expect(errorOf(await own.get('/probe/seller', { token: revoked }))).toMatchObject(denied('revoked'))
    expect((await own.get('/probe/seller', { token: untouched })).statusCode).toBe(200)
    expect(await own.tokenFor(own.demo.refreshToken)).toBeUndefined()
    expect(errorOf(await own.delete(authorization, { headers: own.operator })).status).toBe(404)
  })
})
