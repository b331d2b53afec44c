import { SignatureV4 } from '@smithy/signature-v4'
import { beforeAll, describe, expect, test } from 'vitest'
import { NodeSha256 } from '../../../src/platform/auth/node-sha256.ts'
import { probeRoutes } from '../../support/probe-routes.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string

beforeAll(async () => {
  souk = await startTestSouk({ extraRoutes: [probeRoutes], signing: { required: true } })
  token = await souk.tokenFor(souk.demo.refreshToken)
})

interface Signing {
  method?: string
  path?: string
  query?: Record<string, string | string[]>
  body?: string
  service?: string
  secretAccessKey?: string
  accessKeyId?: string
}

/** The headers that an AWS client would send: made by the same library that AWS's own clients use. */
async function sign({
  method = 'POST',
  path = '/probe/signed',
  query = {},
  body = '{"name":"x"}',
  ...own
}: Signing = {}) {
  const signer = new SignatureV4({
    credentials: { ...souk.demo.signingKey, ...own },
    region: 'eu-west-1',
    service: own.service ?? 'execute-api',
    sha256: NodeSha256,
  })
  const headers = { host: 'souk.example', 'content-type': 'application/json', 'x-amz-access-token': token }
  const request = { method, protocol: 'https:', hostname: 'souk.example', path, query, headers, body }
  return (await signer.sign(request, { signingDate: souk.clock.now() })).headers
}

const post = (headers: Record<string, string>, payload = '{"name":"x"}', path = '/probe/signed') =>
  souk.post(path, { headers, payload })

describe('where signed requests are required', () => {
  test('a request with a valid signature is accepted', async () => {
    expect((await post(await sign())).json()).toEqual({ name: 'x' })
  })

  test('a signed query, an encoded path and a missing body are accepted', async () => {
    const query = { b: '2', a: 'x y/z', list: ['1', '2'] }
    const headers = await sign({ method: 'GET', query, body: '' })
    const response = await souk.get('/probe/signed?b=2&a=x%20y%2Fz&list=1&list=2', { headers })
    expect(response.statusCode).toBe(200)
  })

  test.each(['constructor', 'toString'])('a signed parameter can have the name %s', async (name) => {
    const query = Object.fromEntries([[name, '1']])
    const headers = await sign({ method: 'GET', query, body: '' })
    expect((await souk.get(`/probe/signed?${name}=1`, { headers })).statusCode).toBe(200)
    expect((await souk.get(`/probe/signed?${name}=2`, { headers })).statusCode).toBe(403)
  })

  test.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    ['no signature', async () => ({ 'x-amz-access-token': token, 'content-type': 'application/json' }), /not signed/],
    [
      'an unparsable signature',
      async () => ({ ...(await sign()), authorization: 'AWS4 nonsense' }),
      /not an AWS Signature/,
    ],
    ['a signature with a wrong secret', () => sign({ secretAccessKey: 'wrong' }), /does not match/],
    ['a signature with an unknown key', () => sign({ accessKeyId: 'AKIANOBODY0000000000' }), /does not belong/],
    ['a signature for another service', () => sign({ service: 's3' }), /service s3/],
    ['a signature for another path', () => sign({ path: '/probe/other' }), /does not match/],
    ['a signature for another method', () => sign({ method: 'PUT' }), /does not match/],
    ['a signature for another query', () => sign({ query: { a: '1' } }), /does not match/],
    ['a signature for another body', () => sign({ body: '{"name":"y"}' }), /does not match the body/],
    ['no date', async () => ({ ...(await sign()), 'x-amz-date': '' }), /x-amz-date/],
  ])('a request with %s is refused', async (_what, headers, details) => {
    expect(errorOf(await post(await headers()))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringMatching(details),
    })
  })

  test('a body that was changed after signing is refused even without the hash header', async () => {
    const { 'x-amz-content-sha256': _hash, ...headers } = await sign()
    expect(errorOf(await post(headers, '{"name":"tampered"}')).status).toBe(403)
  })

  test('a signature is valid for five minutes', async () => {
    const headers = await sign()
    souk.clock.advance(299_000)
    expect((await post(headers)).statusCode).toBe(200)
    souk.clock.advance(2_000)
    expect(errorOf(await post(headers))).toMatchObject({ status: 403, details: expect.stringContaining('expired') })
  })

  test('operations that declare no signature accept unsigned requests', async () => {
    const fresh = await souk.tokenFor(souk.demo.refreshToken)
    expect((await souk.get('/sellers/v1/account', { token: fresh })).statusCode).toBe(200)
  })
})

test('where signatures are not required, any or no Authorization is accepted', async () => {
  const unsigned = await startTestSouk({ extraRoutes: [probeRoutes] })
  const own = await unsigned.tokenFor(unsigned.demo.refreshToken)
  const headers = { authorization: 'AWS4-HMAC-SHA256 nonsense', 'x-amz-date': 'yesterday' }
  expect((await unsigned.get('/probe/signed', { token: own, headers })).statusCode).toBe(200)
  expect((await unsigned.get('/probe/signed', { token: own })).statusCode).toBe(200)
})
