import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { type Answer, sendRaw } from './raw-request.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

describe('habits of hand-written clients', () => {
  let souk: TestSouk
  let token: string
  let nextOrder = 0
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    sendRaw(`${souk.url}${path}`, method, headers, body)

  describe('at the token endpoint', () => {
    const credentials = () => ({ client_id: souk.demo.clientId, client_secret: souk.demo.clientSecret })
    const grant = () => ({ grant_type: 'refresh_token', refresh_token: souk.demo.refreshToken })
    const ask = (headers: Record<string, string>, body: string) => send('POST', '/auth/o2/token', headers, body)
    const unescaped = (fields: Record<string, string>) =>
      Object.entries(fields)
        .map((pair) => pair.join('='))
        .join('&')

    test.each<[string, () => Promise<Answer>]>([
      [
        'a form body',
        () => ask({ 'content-type': FORM }, new URLSearchParams({ ...grant(), ...credentials() }).toString()),
      ],
      [
        'a form body that is not escaped, with a charset, as the SDK of the vendor sends it',
        () => ask({ 'content-type': `${FORM};charset=UTF-8` }, unescaped({ ...grant(), ...credentials() })),
      ],
      ['a JSON body', () => ask({ 'content-type': JSON_TYPE }, JSON.stringify({ ...grant(), ...credentials() }))],
      [
        'HTTP Basic with a form body',
        () => {
          const pair = `${souk.demo.clientId}:${souk.demo.clientSecret}`
          const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
          return ask({ 'content-type': FORM, authorization }, new URLSearchParams(grant()).toString())
        },
      ],
    ])('%s gets a token that works', async (_habit, askForToken) => {
      expect(souk.demo.refreshToken).toContain('|')
      const answer = await askForToken()
      expect(answer).toMatchObject({
        status: 200,
        body: { token_type: 'bearer', expires_in: 3600, refresh_token: souk.demo.refreshToken },
      })
      const headers = { 'x-amz-access-token': String(answer.body.access_token) }
      expect(await send('GET', '/sellers/v1/account', headers)).toMatchObject({ status: 200 })
    })
  })

  test.each<[string, Record<string, string>, string]>([
    ['no body and no content type', {}, ''],
    ['no body, with a JSON content type', { 'content-type': JSON_TYPE }, ''],
    ['no body, with a form content type', { 'content-type': FORM }, ''],
    ['an empty object', { 'content-type': JSON_TYPE }, '{}'],
    ['unknown keys', { 'content-type': JSON_TYPE }, '{"body":{},"marketplaceIds":["X"],"text":"Please"}'],
  ])('a solicitation can be sent with %s', async (_body, headers, body) => {
    const orderId = souk.demo.orders.eligible[nextOrder++] as string
    const path =
      `/solicitations/v1/orders/${orderId}/solicitations/productReviewAndSellerFeedback` +
      `?marketplaceIds=${souk.demo.marketplaceId}`
    const answer = await send('POST', path, { ...headers, 'x-amz-access-token': token }, body)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({})
    expect(answer.headers['content-type']).toMatch(/^application\/hal\+json/)
  })

  test.each<[string, () => Record<string, string>]>([
    ['a content type without a body', () => ({ 'x-amz-access-token': token, 'content-type': JSON_TYPE })],
    [
      'a malformed Accept header',
      () => ({ 'x-amz-access-token': token, accept: 'application/json,Successful Response' }),
    ],
    ['the token under the neutral header name', () => ({ 'x-svc-access-token': token })],
    ['the host of the live service', () => ({ 'x-amz-access-token': token, host: 'sellingpartnerapi-na.amazon.com' })],
    [
      'an invalid signature and date',
      () => ({
        'x-amz-access-token': token,
        authorization: 'AWS4-HMAC-SHA256 Credential=nobody/nowhere, SignedHeaders=, Signature=0',
        'x-amz-date': 'yesterday',
      }),
    ],
  ])('a GET succeeds with %s', async (_habit, headers) => {
    const answer = await send('GET', '/sellers/v1/marketplaceParticipations', headers())
    expect(answer).toMatchObject({ status: 200, body: { payload: expect.any(Array) } })
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
  })
})
