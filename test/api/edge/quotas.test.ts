import { describe, expect, test } from 'vitest'
import type { SoukOptions } from '../../../src/index.ts'
import { probeRoutes } from '../../support/probe-routes.ts'
import { errorOf, startTestSouk } from '../../support/souk.ts'

/** `/probe/limited` has a rate of one request in two seconds and a burst of two. */
async function startLimited(rates: SoukOptions['rates']) {
  const souk = await startTestSouk({ rates, extraRoutes: [probeRoutes] })
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
  const call = (asToken = token) => souk.get('/probe/limited', { token: asToken })
  const statuses = async (count: number, asToken = token) => {
    const found: number[] = []
    for (let index = 0; index < count; index++) found.push((await call(asToken)).statusCode)
    return found
  }
  return { souk, call, statuses, otherToken, token }
}

describe('the quota of an operation', () => {
  test('allows a burst, then refuses, then refills over time', async () => {
    const { souk, call, statuses } = await startLimited('documented')
    expect(await statuses(3)).toEqual([200, 200, 429])
    souk.clock.advance(1_999)
    expect(await statuses(1)).toEqual([429])
    souk.clock.advance(1)
    expect(await statuses(2)).toEqual([200, 429])
    souk.clock.advance(3_000_000)
    expect(await statuses(3)).toEqual([200, 200, 429])
    expect(errorOf(await call())).toMatchObject({ status: 429, code: 'QuotaExceeded' })
  })

  test('is in every response to an authorized caller, also with 429', async () => {
    const { call } = await startLimited('documented')
    expect((await call()).headers['x-amzn-ratelimit-limit']).toBe('0.5')
    await call()
    const refused = await call()
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['x-amzn-ratelimit-limit']).toBe('0.5')
  })

  test('is in responses with 400 and 404, not with 403', async () => {
    const { souk, token } = await startLimited('documented')
    const limitOf = async (orderId: string, query: string) => {
      const response = await souk.get(`/solicitations/v1/orders/${orderId}${query}`, { token })
      return [response.statusCode, response.headers['x-amzn-ratelimit-limit']]
    }
    const orderId = souk.demo.orders.eligible[0] as string
    expect(await limitOf(orderId, '')).toEqual([400, '1.0'])
    expect(await limitOf('999-9999999-9999999', `?marketplaceIds=${souk.demo.marketplaceId}`)).toEqual([404, '1.0'])
    expect(await limitOf(orderId, '?marketplaceIds=A1VC38T7YXB528')).toEqual([403, undefined])
  })

  test('is separate for each seller and each operation', async () => {
    const { souk, statuses, token, otherToken } = await startLimited('documented')
    expect(await statuses(3)).toEqual([200, 200, 429])
    expect(await statuses(3, otherToken)).toEqual([200, 200, 429])
    expect((await souk.get('/sellers/v1/account', { token })).statusCode).toBe(200)
  })

  test('is not consumed by unauthorized callers', async () => {
    const { statuses } = await startLimited('documented')
    expect(await statuses(5, 'garbage')).toEqual([403, 403, 403, 403, 403])
    expect(await statuses(3)).toEqual([200, 200, 429])
  })

  test('can be multiplied', async () => {
    const { souk, call, statuses } = await startLimited(4)
    expect((await call()).headers['x-amzn-ratelimit-limit']).toBe('2.0')
    expect(await statuses(2)).toEqual([200, 429])
    souk.clock.advance(500)
    expect(await statuses(2)).toEqual([200, 429])
  })

  test('can be switched off', async () => {
    const { call, statuses } = await startLimited('off')
    expect(await statuses(20)).toEqual(Array(20).fill(200))
    expect((await call()).headers).not.toHaveProperty('x-amzn-ratelimit-limit')
  })

  test('refuses the second solicitation burst at one request in a second, as documented', async () => {
    const souk = await startTestSouk({ rates: 'documented' })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const path = `/solicitations/v1/orders/${souk.demo.orders.eligible[0]}?marketplaceIds=${souk.demo.marketplaceId}`
    const answers = await Promise.all(Array.from({ length: 6 }, () => souk.get(path, { token })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 200, 200, 200, 200, 429])
  })
})
