import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRedisServer, type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { startProcesses } from '../support/service-processes.ts'
import { waitFor } from '../support/wait-for.ts'

const OPERATOR = { authorization: 'Bearer an-operator-key-for-tests', 'content-type': 'application/json' }
// The documented rate of getAccount.
const BURST = 15
const command = findRedisServer()

let server: RedisServer

describe.skipIf(!command)('two serve processes', () => {
  beforeAll(async () => {
    server = await startRedisServer(command as string)
  })
  afterAll(() => server.stop())

  test('share the quotas of a client, and serve it without the quota server, which may return later', async () => {
    const processes = await startProcesses({
      leaseSeconds: 30,
      env: {
        SOUK_RATES: 'documented',
        SOUK_QUOTA_URL: server.url,
        SOUK_QUOTA_PROCESSES: '2',
        // This machine runs other tests, too.
        SOUK_QUOTA_TIMEOUT_MILLISECONDS: '1000',
      },
    })
    const [one, other] = await Promise.all([processes.startServe(), processes.startServe()])
    const tokens = await createTokens(one.url, 4)
    const call = async (url: string, token: string) =>
      (await fetch(`${url}/sellers/v1/account`, { headers: { 'x-amz-access-token': token } })).status
    const countServed = async (token: string) => {
      const calls = Array.from({ length: 4 * BURST }, (_, n) => call((n % 2 ? one : other).url, token))
      const statuses = await Promise.all(calls)
      expect(new Set(statuses)).toEqual(new Set([200, 429]))
      return statuses.filter((status) => status === 200).length
    }
    const isUp = async (value: 0 | 1) => {
      for (const { url } of [one, other]) {
        const pattern = new RegExp(`^souk_quota_server_up ${value}$`, 'm')
        await waitFor(
          async () => (await fetch(`${url}/metrics`)).text(),
          (text) => pattern.test(text),
        )
      }
    }

    expect(await countServed(tokens[0] as string)).toBe(BURST)
    server.freeze()
    // Half of the burst in each process.
    expect(await countServed(tokens[1] as string)).toBe(2 * Math.floor(BURST / 2))
    await isUp(0)
    server.resume()
    await isUp(1)
    expect(await countServed(tokens[2] as string)).toBe(BURST)

    await server.kill()
    await isUp(0)
    await server.start()
    await isUp(1)
    expect(await countServed(tokens[3] as string)).toBe(BURST)
    expect(await call(one.url, tokens[0] as string)).toBe(429)
    for (const { serve } of [one, other]) expect((await serve.stop()).code).toBe(0)
  })
})

/** Access tokens of as many sellers. */
async function createTokens(url: string, count: number): Promise<string[]> {
  const put = async (plural: string, resources: object[]) => {
    const body = JSON.stringify({ [plural]: resources })
    const response = await fetch(`${url}/operator/v1/${plural}`, { method: 'PUT', headers: OPERATOR, body })
    expect(response.status).toBe(200)
    return ((await response.json()) as Record<string, Record<string, string>[]>)[plural] ?? []
  }
  const sellerIds = Array.from({ length: count }, (_, index) => `SELLER${index}`)
  await put(
    'sellers',
    sellerIds.map((sellerId) => ({
      sellerId,
      businessType: 'INDIVIDUAL',
      sellingPlan: 'PROFESSIONAL',
      participations: [],
    })),
  )
  const [application] = await put('applications', [{ applicationId: 'my-app', name: 'My application' }])
  const authorizations = await put(
    'authorizations',
    sellerIds.map((sellerId) => ({ sellerId, applicationId: 'my-app' })),
  )
  return Promise.all(
    authorizations.map(async ({ refreshToken = '' }) => {
      const response = await fetch(`${url}/auth/o2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
          client_id: application?.clientId ?? '',
          client_secret: application?.clientSecret ?? '',
        }),
      })
      return ((await response.json()) as { access_token: string }).access_token
    }),
  )
}
