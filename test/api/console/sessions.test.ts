import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/platform/clock/manual-clock.ts'
import { type Browser, cookieOf, createAccount, openBrowser, PASSWORD, signIn } from '../../support/console.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const HOUR = 3_600_000
const SESSION = '/console/v1/session'
const ACCOUNT = '/sellers/v1/account'

let clock: ManualClock
let souk: TestSouk
beforeAll(async () => {
  clock = new ManualClock('2026-06-01T12:00:00Z')
  souk = await startTestSouk({ clock, publicUrl: 'https://souk.example.com' })
  await createAccount(souk, 'seller@example.com', souk.demo.sellerId)
  await createAccount(souk, 'other', souk.demo.otherSeller.sellerId)
  await createAccount(souk, 'olga')
})

const seller = { name: 'seller@example.com', password: PASSWORD }
const operator = { name: 'olga', password: PASSWORD }

describe('a sign-in', () => {
  test('begins a session with a cookie that scripts and other sites cannot use', async () => {
    const response = await signIn(souk, { ...seller, name: ' Seller@Example.com' })
    expect(response.json()).toEqual({
      mode: 'dev',
      role: 'seller',
      accountName: 'seller@example.com',
      sellerId: souk.demo.sellerId,
      sellers: [expect.objectContaining({ sellerId: souk.demo.sellerId })],
      csrfToken: expect.any(String),
      hasControlPlane: true,
      version: expect.any(String),
      now: clock.now().toISOString(),
    })
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-souk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const again = await souk.get(SESSION, { headers: { cookie: cookieOf(response) } })
    expect(again.json()).toEqual(response.json())
    expect(response.body).not.toContain(PASSWORD)
  })

  test('with the operator key needs no account', async () => {
    const browser = await openBrowser(souk, { operatorKey: souk.demo.operatorKey })
    expect((await browser.get(SESSION)).json()).toMatchObject({ role: 'operator', sellers: [] })
    expect(await browser.get('/operator/v1/sellers')).toMatchObject({ statusCode: 200 })
  })

  test('beyond twenty of the same user ends the oldest session', async () => {
    const credentials = { operatorKey: souk.demo.operatorKey }
    const oldest = await openBrowser(souk, credentials)
    clock.advance(1000)
    const next = await openBrowser(souk, credentials)
    for (let count = 0; count < 19; count++) {
      clock.advance(1000)
      await openBrowser(souk, credentials)
    }
    expect((await oldest.get('/operator/v1/sellers')).statusCode).toBe(401)
    expect((await next.get('/operator/v1/sellers')).statusCode).toBe(200)
  })

  test('fails alike for a wrong password, an unknown name and a wrong key', async () => {
    const wrong = { ...seller, password: 'not the password' }
    const failures = [await signIn(souk, wrong), await signIn(souk, { ...wrong, name: 'unknown' })].map(errorOf)
    expect(failures[0]).toMatchObject({ status: 403, code: 'Unauthorized' })
    expect(failures[1]).toEqual(failures[0])
    expect(errorOf(await signIn(souk, { operatorKey: 'not the key' })).status).toBe(403)
  })

  test.each([
    ['nothing', {}, 'name'],
    ['no password', { name: 'olga' }, 'password'],
    ['both kinds of credentials', { ...operator, operatorKey: 'x' }, 'operatorKey'],
    ['an unknown field', { ...operator, remember: true }, 'remember'],
  ])('with %s is 400', async (_what, payload, place) => {
    expect(errorOf(await signIn(souk, payload))).toMatchObject({ status: 400, message: expect.stringContaining(place) })
  })

  test('from a page of another site, or without the header of the console, is refused', async () => {
    expect(errorOf(await signIn(souk, operator, { origin: 'https://example.org' })).status).toBe(403)
    expect(errorOf(await souk.post(SESSION, { payload: operator })).status).toBe(400)
    const own = await signIn(souk, operator, { origin: 'https://souk.example.com' })
    expect(own.statusCode).toBe(200)
  })

  test('does not adopt a token that the browser had before, and ends its session', async () => {
    const attacker = await openBrowser(souk, { name: 'other', password: PASSWORD })
    const planted = await signIn(souk, operator, { cookie: '__Host-souk_session=planted' })
    expect(cookieOf(planted)).not.toContain('planted')
    const victim = await signIn(souk, operator, { cookie: attacker.cookie })
    expect(cookieOf(victim)).not.toBe(attacker.cookie)
    expect(errorOf(await attacker.get(ACCOUNT))).toMatchObject({ status: 401, code: 'NotSignedIn' })
  })

  test('works for several at the same time, each with a session of its own', async () => {
    const browsers = await Promise.all(Array.from({ length: 7 }, () => openBrowser(souk, seller)))
    expect(new Set(browsers.map(({ cookie }) => cookie)).size).toBe(7)
    for (const browser of browsers) expect(await browser.get(ACCOUNT)).toMatchObject({ statusCode: 200 })
  })
})

describe('the session of a seller', () => {
  let browser: Browser
  beforeEach(async () => {
    browser = await openBrowser(souk, seller)
  })

  test('calls the operations of its seller, and of no other', async () => {
    expect(await browser.get(ACCOUNT)).toMatchObject({ statusCode: 200 })
    const items = (sellerId: string) =>
      browser.get(`/listings/2021-08-01/items/${sellerId}?marketplaceIds=${souk.demo.marketplaceId}`)
    expect(await items(souk.demo.sellerId)).toMatchObject({ statusCode: 200 })
    expect(errorOf(await items(souk.demo.otherSeller.sellerId)).status).toBe(403)
    const named = await browser.get(ACCOUNT, { headers: { 'x-souk-seller': souk.demo.otherSeller.sellerId } })
    expect(named.json()).toEqual((await browser.get(ACCOUNT)).json())
    const [orderId] = souk.demo.orders.eligible
    const other = await openBrowser(souk, { name: 'other', password: PASSWORD })
    expect(await browser.get(`/orders/v0/orders/${orderId}/address`)).toMatchObject({ statusCode: 200 })
    expect(errorOf(await other.get(`/orders/v0/orders/${orderId}/address`)).status).toBe(404)
  })

  test('calls neither the operations of the operator nor those of applications', async () => {
    for (const path of ['/operator/v1/sellers', '/operator/v1/consoleAccounts', '/notifications/v1/destinations']) {
      expect(errorOf(await browser.get(path))).toMatchObject({ status: 403, code: 'Unauthorized' })
    }
  })

  test.each([
    ['no cookie', { cookie: '' }, 401],
    ['a forged cookie', { cookie: `__Host-souk_session=${'A'.repeat(43)}` }, 401],
    ['an oversized cookie', { cookie: `__Host-souk_session=${'A'.repeat(4000)}` }, 401],
    ['no CSRF token', { 'x-souk-console': '' }, 403],
    ['a wrong CSRF token', { 'x-souk-console': 'A'.repeat(43) }, 403],
    ['a foreign Origin', { origin: 'https://example.org' }, 403],
    ['an opaque Origin', { origin: 'null' }, 403],
  ])('does not serve a request with %s', async (_what, headers, status) => {
    expect(errorOf(await browser.get(ACCOUNT, { headers })).status).toBe(status)
    expect(errorOf(await browser.send('DELETE', SESSION, { headers })).status).toBe(status)
    expect(await browser.get(ACCOUNT)).toMatchObject({ statusCode: 200 })
  })

  test('does not serve the cookie of one session with the CSRF token of another', async () => {
    const { csrfToken } = await openBrowser(souk, seller)
    expect(errorOf(await browser.get(ACCOUNT, { headers: { 'x-souk-console': csrfToken } })).status).toBe(403)
  })

  test('does not serve a browser to which a subdomain gave a second cookie', async () => {
    const other = await openBrowser(souk, { name: 'other', password: PASSWORD })
    const headers = { cookie: `${other.cookie}; ${browser.cookie}` }
    expect(errorOf(await browser.get(ACCOUNT, { headers })).status).toBe(401)
  })

  test('does not serve a cookie without the prefix of its name, which a subdomain can set', async () => {
    const headers = { cookie: browser.cookie.replace('__Host-', '') }
    expect(errorOf(await browser.get(ACCOUNT, { headers })).status).toBe(401)
    const both = { cookie: `souk_session=${'A'.repeat(43)}; ${browser.cookie}` }
    expect(await browser.get(ACCOUNT, { headers: both })).toMatchObject({ statusCode: 200 })
  })

  test('ends with the sign-out, and the cookie too', async () => {
    const response = await browser.send('DELETE', SESSION)
    expect(response.statusCode).toBe(200)
    expect(response.headers['set-cookie']).toMatch(/^__Host-souk_session=; .*Max-Age=0$/)
    expect(errorOf(await browser.get(ACCOUNT)).status).toBe(401)
  })

  test('ends after 8 hours without a request, and not before', async () => {
    clock.advance(7 * HOUR)
    expect(await browser.get(ACCOUNT)).toMatchObject({ statusCode: 200 })
    clock.advance(7 * HOUR)
    expect(await browser.get(ACCOUNT)).toMatchObject({ statusCode: 200 })
    clock.advance(8 * HOUR)
    expect(errorOf(await browser.get(ACCOUNT))).toMatchObject({ status: 401, code: 'NotSignedIn' })
  })

  test('ends after 24 hours, however much it is used', async () => {
    for (let hours = 0; hours < 20; hours += 4) {
      clock.advance(4 * HOUR)
      expect(await browser.get(ACCOUNT)).toMatchObject({ statusCode: 200 })
    }
    clock.advance(4 * HOUR)
    expect(errorOf(await browser.get(ACCOUNT)).status).toBe(401)
  })
})

describe('the session of an operator', () => {
  test('calls the operations of the operator, and none of sellers', async () => {
    const browser = await openBrowser(souk, operator)
    expect(await browser.get('/operator/v1/sellers')).toMatchObject({ statusCode: 200 })
    const headers = { 'x-souk-seller': souk.demo.sellerId }
    expect(errorOf(await browser.get(ACCOUNT, { headers })).status).toBe(403)
    expect(errorOf(await browser.get('/operator/v1/sellers', { headers: { 'x-souk-console': 'x' } })).status).toBe(403)
  })
})

test('a reset of souk dev ends sessions, and the developer is the developer still', async () => {
  const fresh = await startTestSouk()
  await createAccount(fresh, 'olga')
  const browser = await openBrowser(fresh, operator)
  // Without https, browsers would not accept the prefix of the name.
  expect(browser.cookie).toMatch(/^souk_session=/)
  await fresh.reset()
  expect(errorOf(await browser.get('/operator/v1/sellers')).status).toBe(401)
  expect((await browser.get(SESSION)).json()).toMatchObject({ role: 'developer' })
  const headers = { 'x-souk-console': '1' }
  expect(await browser.get('/operator/v1/sellers', { headers })).toMatchObject({ statusCode: 200 })
})
