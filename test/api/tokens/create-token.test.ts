import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { RandomIds } from '../../../src/platform/ids/random-ids.ts'
import { NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: { client_id: string; client_secret: string }
let refresh: Record<string, string>

beforeAll(async () => {
  souk = await startTestSouk({ ids: new RandomIds() })
  client = { client_id: souk.demo.clientId, client_secret: souk.demo.clientSecret }
  refresh = { grant_type: 'refresh_token', refresh_token: souk.demo.refreshToken, ...client }
})

const requestToken = (payload: object) => souk.post('/auth/o2/token', { payload })
const postForm = (payload: string, headers = {}) =>
  souk.post('/auth/o2/token', {
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', ...headers },
  })
const works = async (token: string) => (await souk.get('/sellers/v1/account', { token })).statusCode === 200

function oauthError(response: LightMyRequestResponse) {
  const body = response.json()
  expect(body.request_id).toBe(response.headers['x-amzn-requestid'])
  expect(response.headers['cache-control']).toBe('no-store')
  return { status: response.statusCode, error: body.error, description: body.error_description }
}

describe('createToken with a refresh token', () => {
  test('returns a bearer token for one hour and the same refresh token, with caching disabled', async () => {
    const response = await requestToken(refresh)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      access_token: expect.stringMatching(/^Atza\|[\w-]{40,}$/),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: souk.demo.refreshToken,
    })
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(await works(response.json().access_token)).toBe(true)
  })

  test('accepts a form, escaped or not, and JSON', async () => {
    const escaped = new URLSearchParams(refresh).toString()
    const unescaped = Object.entries(refresh)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    for (const response of [await postForm(escaped), await postForm(unescaped), await requestToken(refresh)]) {
      expect(await works(response.json().access_token)).toBe(true)
    }
  })

  test('accepts client credentials in HTTP Basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: souk.demo.refreshToken })
    const response = await postForm(form.toString(), { authorization })
    expect(await works(response.json().access_token)).toBe(true)
  })

  test('returns the same token for ten seconds, then another one; the earlier one stays valid', async () => {
    souk.clock.advance(10_000)
    const first = (await requestToken(refresh)).json()
    expect(first.expires_in).toBe(3600)
    souk.clock.advance(9_500)
    expect((await requestToken(refresh)).json()).toEqual({ ...first, expires_in: 3590 })
    souk.clock.advance(500)
    const second = (await requestToken(refresh)).json()
    expect(second.expires_in).toBe(3600)
    expect(second.access_token).not.toBe(first.access_token)
    expect(await works(first.access_token)).toBe(true)
    expect(await works(second.access_token)).toBe(true)
  })

  test('refuses a refresh token that is unknown, empty or issued to another application', async () => {
    expect(oauthError(await requestToken({ ...refresh, refresh_token: 'Atzr|unknown' }))).toEqual({
      status: 400,
      error: 'invalid_grant',
      description: 'The request has an invalid grant parameter : refresh_token',
    })
    expect(oauthError(await requestToken({ ...refresh, refresh_token: '' }))).toMatchObject({
      error: 'invalid_request',
    })

    const created = await souk.put('/operator/v1/applications', {
      headers: souk.operator,
      payload: { applications: [{ applicationId: 'another', name: 'Another' }] },
    })
    const [{ clientId, clientSecret }] = created.json().applications
    const stolen = { ...refresh, client_id: clientId, client_secret: clientSecret }
    expect(oauthError(await requestToken(stolen))).toMatchObject({ status: 400, error: 'invalid_grant' })
  })
})

describe('createToken with client credentials', () => {
  test.each([
    NOTIFICATIONS,
    'sellingpartnerapi::migration',
    'sellingpartnerapi::client_credential:rotation',
    `${NOTIFICATIONS} sellingpartnerapi::migration`,
  ])('returns a grantless token without a refresh token for the scope %s', async (scope) => {
    const response = await requestToken({ grant_type: 'client_credentials', scope, ...client })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      access_token: expect.stringMatching(/^Atza\|/),
      token_type: 'bearer',
      expires_in: 3600,
      scope,
    })
  })

  test('refuses an unknown, an empty and a missing scope', async () => {
    const credentials = { grant_type: 'client_credentials', ...client }
    expect(oauthError(await requestToken({ ...credentials, scope: `${NOTIFICATIONS} admin` }))).toMatchObject({
      status: 400,
      error: 'invalid_scope',
    })
    expect(oauthError(await requestToken({ ...credentials, scope: ' ' }))).toMatchObject({ error: 'invalid_scope' })
    expect(oauthError(await requestToken(credentials))).toMatchObject({ status: 400, error: 'invalid_request' })
  })
})

describe('createToken with an authorization code', () => {
  const codePath = () => `/operator/v1/authorizations/${souk.demo.sellerId}/${souk.demo.applicationId}/code`
  async function newCode(payload?: object): Promise<string> {
    const response = await souk.post(codePath(), { headers: souk.operator, ...(payload && { payload }) })
    return response.json().code
  }
  const exchange = (code: string, extra = {}) =>
    requestToken({ grant_type: 'authorization_code', code, ...client, ...extra })

  test('returns a working access token and refresh token', async () => {
    const response = await exchange(await newCode())
    expect(response.json()).toMatchObject({ token_type: 'bearer', refresh_token: expect.stringMatching(/^Atzr\|/) })
    expect(await works(response.json().access_token)).toBe(true)
    const again = await requestToken({ ...refresh, refresh_token: response.json().refresh_token })
    expect(await works(again.json().access_token)).toBe(true)
    expect(await works((await requestToken(refresh)).json().access_token)).toBe(true)
  })

  test('accepts a code once, even if it is sent ten times concurrently', async () => {
    const code = await newCode()
    const responses = await Promise.all(Array.from({ length: 10 }, () => exchange(code)))
    expect(responses.filter((response) => response.statusCode === 200)).toHaveLength(1)
    const refused = responses.find((response) => response.statusCode !== 200) as LightMyRequestResponse
    expect(oauthError(refused)).toEqual({
      status: 400,
      error: 'invalid_grant',
      description: 'The request has an invalid grant parameter : code',
    })
  })

  test('accepts a code for five minutes', async () => {
    const [early, late] = [await newCode(), await newCode()]
    souk.clock.advance(299_000)
    expect((await exchange(early)).statusCode).toBe(200)
    souk.clock.advance(1_000)
    expect(oauthError(await exchange(late))).toMatchObject({ error: 'invalid_grant' })
  })

  test('requires the redirect URI that the code was issued for', async () => {
    const redirectUri = 'https://seller.example/callback'
    const wrong = await exchange(await newCode({ redirectUri }), { redirect_uri: 'https://evil.example' })
    expect(oauthError(wrong)).toMatchObject({ error: 'invalid_grant' })
    const right = await exchange(await newCode({ redirectUri }), { redirect_uri: redirectUri })
    expect(right.statusCode).toBe(200)
  })
})

describe('createToken refuses', () => {
  test('a wrong secret and an unknown client with the same message', async () => {
    const refused = { status: 401, error: 'invalid_client', description: 'Client authentication failed' }
    expect(oauthError(await requestToken({ ...refresh, client_secret: 'wrong' }))).toEqual(refused)
    expect(oauthError(await requestToken({ ...refresh, client_id: 'nobody' }))).toEqual(refused)
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const form = 'grant_type=refresh_token&refresh_token=x'
    expect(oauthError(await postForm(form, basic('nobody:wrong')))).toEqual(refused)
    expect(oauthError(await postForm(form, basic('no colon')))).toEqual(refused)
    expect(oauthError(await postForm(form, basic('%zz:%zz')))).toEqual(refused)
  })

  test.each(['a\0b:c', 'a:b\0c', 'a%00b:c', `${'a'.repeat(2049)}:c`, ':c', 'a:'])(
    'the HTTP Basic credentials %j',
    async (text) => {
      const authorization = `Basic ${Buffer.from(text).toString('base64')}`
      expect(oauthError(await postForm('grant_type=client_credentials', { authorization }))).toMatchObject({
        status: 401,
        error: 'invalid_client',
      })
    },
  )

  test('a body that takes longer to parse than any token request', async () => {
    const nested = await souk.post('/auth/o2/token', {
      headers: { 'content-type': 'application/json' },
      payload: '['.repeat(40_000) + ']'.repeat(40_000),
    })
    expect(oauthError(nested)).toMatchObject({ status: 413, error: 'invalid_request' })
  })

  test.each(['password', '__proto__', 'toString'])('the grant type %s', async (grant_type) => {
    expect(oauthError(await postForm(`grant_type=${grant_type}`))).toMatchObject({
      status: 400,
      error: 'unsupported_grant_type',
    })
  })

  test('a request without a required parameter, and names it', async () => {
    for (const name of ['grant_type', 'client_id', 'client_secret', 'refresh_token']) {
      const { [name]: _left, ...incomplete } = refresh
      expect(oauthError(await requestToken(incomplete))).toMatchObject({
        status: 400,
        error: 'invalid_request',
        description: expect.stringContaining(name),
      })
    }
  })

  test('refresh_token together with scope', async () => {
    expect(oauthError(await requestToken({ ...refresh, scope: NOTIFICATIONS }))).toMatchObject({
      error: 'invalid_request',
    })
  })

  test('a form of more parameters than any client sends, whose decoding would take long', async () => {
    const refused = oauthError(await postForm('%FF&'.repeat(10_000)))
    expect(refused).toMatchObject({ status: 400, error: 'invalid_request' })
    expect(refused.description).toContain('more than 50 parameters')
  })

  test('a body that is neither a form nor JSON, with an OAuth error', async () => {
    const malformed = await souk.post('/auth/o2/token', {
      headers: { 'content-type': 'application/json' },
      payload: '{"grant_type":',
    })
    expect(oauthError(malformed)).toMatchObject({ status: 400, error: 'invalid_request' })
    const xml = await souk.post('/auth/o2/token', { headers: { 'content-type': 'text/xml' }, payload: '<a/>' })
    expect(oauthError(xml)).toMatchObject({ status: 400, error: 'invalid_request' })
    expect(oauthError(await souk.post('/auth/o2/token'))).toMatchObject({ error: 'invalid_request' })
    expect(oauthError(await postForm('grant_type=a&grant_type=b'))).toMatchObject({ error: 'invalid_request' })
    expect(oauthError(await requestToken({ ...refresh, refresh_token: 7 }))).toMatchObject({ error: 'invalid_request' })
    expect(oauthError(await requestToken({ ...refresh, refresh_token: 'x'.repeat(3000) }))).toMatchObject({
      error: 'invalid_request',
    })
  })
})
