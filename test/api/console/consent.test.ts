import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createAccount, openBrowser, PASSWORD } from '../../support/console.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const CONSENTS = '/console/v1/consents'
const CALLBACK = 'https://app.example.com/callback?from=souk'
const OTHER_CALLBACK = 'http://localhost:3000/callback'

let souk: TestSouk
let browser: Browser
let application: { applicationId: string; clientId: string; clientSecret: string }
beforeAll(async () => {
  souk = await startTestSouk()
  application = await register('amzn1.sp.solution.consent', [CALLBACK, OTHER_CALLBACK])
  await createAccount(souk, 'amina', souk.demo.sellerId)
  browser = await openBrowser(souk, { name: 'amina', password: PASSWORD })
})

async function register(applicationId: string, redirectUris?: string[]) {
  const applications = [{ applicationId, name: 'Price robot', ...(redirectUris && { redirectUris }) }]
  const response = await souk.put('/operator/v1/applications', { headers: souk.operator, payload: { applications } })
  return response.json().applications[0]
}

const consent = (payload: object, headers = {}) =>
  browser.send('POST', CONSENTS, {
    payload: { applicationId: application.applicationId, state: 's', ...payload },
    headers,
  })

const grant = (fields: Record<string, string>) => {
  const { clientId: client_id, clientSecret: client_secret } = application
  return souk.post('/auth/o2/token', { payload: { client_id, client_secret, ...fields } })
}

describe('a seller', () => {
  test('who comes from an application is sent to the console, with what the application gave', async () => {
    const query = '?application_id=a&state=b%26c&version=beta'
    const response = await souk.get(`/apps/authorize/consent${query}`)
    expect(response).toMatchObject({ statusCode: 302, headers: { location: `/console/authorize${query}` } })
  })

  test('authorizes an application, which exchanges the code for tokens of that seller', async () => {
    const { applicationId } = application
    const ask = () => browser.get(`${CONSENTS}?application_id=${applicationId}`)
    const asked = { applicationId, name: 'Price robot', roles: [], redirectUri: CALLBACK }
    expect((await ask()).json()).toEqual({ ...asked, isAuthorized: false })

    const state = 'a&spapi_oauth_code=b#c ü'
    const redirectTo = new URL((await consent({ state })).json().redirectTo)
    expect(redirectTo.href.startsWith(`${CALLBACK}&`)).toBe(true)
    const { spapi_oauth_code: code, ...others } = Object.fromEntries(redirectTo.searchParams)
    expect(others).toEqual({ from: 'souk', state, selling_partner_id: souk.demo.sellerId })
    expect((await ask()).json()).toEqual({ ...asked, isAuthorized: true })

    const exchange = { grant_type: 'authorization_code', code: code as string, redirect_uri: CALLBACK }
    const tokens = (await grant(exchange)).json()
    const account = await souk.get('/sellers/v1/account', { token: tokens.access_token })
    expect(account).toMatchObject({ statusCode: 200 })
    const { refresh_token } = tokens
    expect(await grant({ grant_type: 'refresh_token', refresh_token })).toMatchObject({ statusCode: 200 })
    expect((await grant(exchange)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('may authorize an application again, and choose another of its addresses', async () => {
    const codes = await Promise.all([
      consent({ redirectUri: OTHER_CALLBACK }),
      consent({ redirectUri: OTHER_CALLBACK }),
    ])
    for (const response of codes) {
      const { origin, searchParams } = new URL(response.json().redirectTo)
      expect(origin).toBe('http://localhost:3000')
      const code = searchParams.get('spapi_oauth_code') as string
      expect(await grant({ grant_type: 'authorization_code', code, redirect_uri: OTHER_CALLBACK })).toMatchObject({
        statusCode: 200,
      })
    }
  })

  test.each([
    'https://evil.example.org/',
    `${CALLBACK}/more`,
    'https://app.example.com.evil.example.org/callback',
    'javascript:alert(1)',
  ])('is not sent to %s, which is not registered for the application', async (redirectUri) => {
    expect(errorOf(await consent({ redirectUri }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('[redirectUri]'),
    })
    const query = new URLSearchParams({ application_id: application.applicationId, redirect_uri: redirectUri })
    expect(errorOf(await browser.get(`${CONSENTS}?${query}`)).status).toBe(400)
  })

  test('cannot authorize an application without addresses, or one that does not exist', async () => {
    await register('amzn1.sp.solution.silent')
    expect(errorOf(await consent({ applicationId: 'amzn1.sp.solution.silent' }))).toMatchObject({ status: 400 })
    expect(errorOf(await consent({ applicationId: 'amzn1.sp.solution.unknown' }))).toMatchObject({ status: 404 })
  })
})

test('neither applications, operators nor pages of other sites authorize applications for a seller', async () => {
  const payload = { applicationId: application.applicationId, state: 's' }
  const token = await souk.tokenFor(souk.demo.refreshToken)
  expect(errorOf(await souk.post(CONSENTS, { token, payload }))).toMatchObject({ status: 403 })
  const operator = await openBrowser(souk, { operatorKey: souk.demo.operatorKey })
  expect(errorOf(await operator.send('POST', CONSENTS, { payload }))).toMatchObject({ status: 403 })
  expect(errorOf(await consent({}, { origin: 'https://app.example.com' }))).toMatchObject({ status: 403 })
  expect(errorOf(await consent({}, { cookie: '' }))).toMatchObject({ status: 401 })
})

test('a developer authorizes applications for the seller of the console, the demo application among them', async () => {
  const headers = { 'x-souk-console': '1', 'x-souk-seller': souk.demo.sellerId }
  const payload = { applicationId: souk.demo.applicationId, state: 's' }
  const response = await souk.post(CONSENTS, { headers, payload })
  const { origin, searchParams } = new URL(response.json().redirectTo)
  expect({ origin, seller: searchParams.get('selling_partner_id') }).toEqual({
    origin: 'http://localhost:3000',
    seller: souk.demo.sellerId,
  })
})

test.each([
  'http://app.example.com/',
  'https://user@app.example.com/',
  'https://app.example.com\\@evil.example.org/',
  'https://app.example.com/#part',
  'http://localhost.example.org/',
  'javascript:alert(1)',
])('the operator cannot register the address %s', async (redirectUri) => {
  const applications = [{ applicationId: 'refused', name: 'Refused', redirectUris: [redirectUri] }]
  const response = await souk.put('/operator/v1/applications', { headers: souk.operator, payload: { applications } })
  expect(errorOf(response)).toMatchObject({ status: 400, details: expect.stringContaining('redirectUris[0]') })
})

test('an address that no browser could open gets 400, not a failure', async () => {
  await register('amzn1.sp.solution.broken', ['https://app.example.com:99999/'])
  expect(errorOf(await consent({ applicationId: 'amzn1.sp.solution.broken' }))).toMatchObject({ status: 400 })
})
