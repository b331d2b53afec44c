import { SignatureV4 } from '@smithy/signature-v4'
import { describe, expect, test } from 'vitest'
import { NodeSha256 } from '../../../src/platform/auth/node-sha256.ts'
import { IN_US, newShoe, setQuantity, startListings, startWatchedListings, US } from '../../support/listings.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

const VERSIONS = ['2021-08-01', '2020-09-01']

/** Every operation, in an order in which each of them succeeds. */
const calls = (sellerId: string, version = '2021-08-01') => {
  const items = `/listings/${version}/items/${sellerId}`
  const item = `${items}/ACCESS-1?${IN_US}`
  return [
    { operation: 'putListingsItem', method: 'PUT', path: item, body: { productType: 'SHOES', attributes: newShoe() } },
    {
      operation: 'patchListingsItem',
      method: 'PATCH',
      path: item,
      body: { productType: 'SHOES', patches: [setQuantity(1)] },
    },
    { operation: 'getListingsItem', method: 'GET', path: item },
    { operation: 'searchListingsItems', method: 'GET', path: `${items}?${IN_US}` },
    { operation: 'deleteListingsItem', method: 'DELETE', path: item },
  ] as const
}
type Call = ReturnType<typeof calls>[number]

const send = (souk: TestSouk, call: Call, headers: Record<string, string>) =>
  souk.send(call.method, call.path, { headers, ...('body' in call && { payload: call.body }) })

test.each(VERSIONS)('serves the five operations under /listings/%s', async (version) => {
  const { souk, token } = await startListings()
  for (const call of calls(souk.demo.sellerId, version)) {
    const response = await send(souk, call, { 'x-amz-access-token': token })
    expect(response.statusCode, call.operation).toBe(200)
    expect(response.json(), call.operation).not.toHaveProperty('errors')
  }
})

test('accepts the neutral name of the token header', async () => {
  const { souk, token } = await startListings()
  for (const call of calls(souk.demo.sellerId)) {
    expect((await send(souk, call, { 'x-svc-access-token': token })).statusCode, call.operation).toBe(200)
  }
})

test('every operation refuses an expired token with that reason', async () => {
  const { souk, token } = await startListings()
  souk.clock.advance(3600 * 1000)
  for (const call of calls(souk.demo.sellerId)) {
    expect(errorOf(await send(souk, call, { 'x-amz-access-token': token })), call.operation).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringMatching(/access token.*expired/),
    })
  }
})

describe('where signed requests are required', () => {
  /** The headers that an AWS client would send. */
  async function sign(souk: TestSouk, token: string, call: Call) {
    const signer = new SignatureV4({
      credentials: souk.demo.signingKey,
      region: 'us-east-1',
      service: 'execute-api',
      sha256: NodeSha256,
    })
    const { pathname } = new URL(call.path, souk.url)
    const request = {
      method: call.method,
      protocol: 'https:',
      hostname: 'souk.example',
      path: pathname,
      query: { marketplaceIds: US },
      headers: { host: 'souk.example', 'content-type': 'application/json', 'x-amz-access-token': token },
      body: 'body' in call ? JSON.stringify(call.body) : '',
    }
    return (await signer.sign(request, { signingDate: souk.clock.now() })).headers
  }

  test.each(VERSIONS)(
    'each operation under %s accepts a signed request and refuses an unsigned one',
    async (version) => {
      const { souk, token } = await startListings({ signing: { required: true } })
      for (const call of calls(souk.demo.sellerId, version)) {
        const unsigned = await send(souk, call, { 'x-amz-access-token': token })
        expect(errorOf(unsigned), call.operation).toMatchObject({
          status: 403,
          code: 'Unauthorized',
          details: expect.stringContaining('not signed'),
        })
        const signed = await send(souk, call, await sign(souk, token, call))
        expect(signed.statusCode, signed.body).toBe(200)
      }
    },
  )

  test('refuses a body that was changed after signing, and changes nothing', async () => {
    const { souk, token, watch } = await startWatchedListings({ signing: { required: true } })
    const call = calls(souk.demo.sellerId)[1]
    const headers = await sign(souk, token, call)
    const before = await watch.everything()
    const payload = { productType: 'SHOES', patches: [setQuantity(999)] }
    const response = await souk.send('PATCH', call.path, { headers, payload })
    expect(errorOf(response)).toMatchObject({ status: 403, code: 'Unauthorized' })
    expect(await watch.changesSince(before)).toEqual([])
  })
})

describe('the documented quotas', () => {
  test.each([
    ['putListingsItem', 10],
    ['patchListingsItem', 5],
    ['getListingsItem', 10],
    ['searchListingsItems', 5],
    ['deleteListingsItem', 5],
  ])('%s: five per second, burst of %i', async (operation, burst) => {
    const { souk, token } = await startListings({ rates: 'documented' })
    const call = calls(souk.demo.sellerId).find((one) => one.operation === operation) as Call
    const headers = { 'x-amz-access-token': token }
    const statuses = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => send(souk, call, headers)))
      for (const answer of answers) expect(answer.headers['x-amzn-ratelimit-limit']).toBe('5.0')
      return answers.map((answer) => answer.statusCode)
    }
    const isRefused = (status: number) => status === 429
    expect((await statuses(burst)).some(isRefused)).toBe(false)
    expect((await statuses(2)).every(isRefused)).toBe(true)
    souk.clock.advance(200)
    expect((await statuses(2)).filter(isRefused)).toHaveLength(1)
  })

  test('are shared by both paths', async () => {
    const { souk, token } = await startListings({ rates: 'documented' })
    const headers = { 'x-amz-access-token': token }
    const patches = VERSIONS.map((version) => calls(souk.demo.sellerId, version)[1])
    for (const call of [patches[0], patches[1], patches[0], patches[1], patches[0]]) {
      expect((await send(souk, call as Call, headers)).statusCode).toBe(200)
    }
    for (const call of patches) expect((await send(souk, call, headers)).statusCode).toBe(429)
  })
})
