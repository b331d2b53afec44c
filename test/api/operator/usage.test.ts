import { beforeAll, describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../support/seller-client.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let start: Date
beforeAll(async () => {
  souk = await startTestSouk()
  start = souk.clock.now()
  const token = await souk.tokenFor(souk.demo.refreshToken)
  await souk.get('/sellers/v1/account', { token })
  await souk.get('/sellers/v1/account', { token })
  await souk.get('/orders/v0/orders', { token })
  await souk.get('/sellers/v1/account')
  await souk.get('/notifications/v1/destinations', { token: await souk.grantlessToken(NOTIFICATIONS) })
})

const list = (query = '') => souk.get(`/operator/v1/usage${query}`, { headers: souk.operator })
const usageOf = async (query = '') => {
  const response = await list(query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().usage
}

describe('the usage', () => {
  test('has the requests with a token by operation, application and seller', async () => {
    const { applicationId, sellerId } = souk.demo
    const expected = [
      { operation: 'getAccount', applicationId, sellerId, requests: 2, succeeded: 2, refused: 0, failed: 0 },
      { operation: 'getDestinations', applicationId, requests: 1, succeeded: 1, refused: 0, failed: 0 },
      { operation: 'getOrders', applicationId, sellerId, requests: 1, succeeded: 0, refused: 1, failed: 0 },
    ]
    expect(await usageOf()).toEqual(expected)
    expect(await usageOf(), 'counted once').toEqual(expected)
  })

  test('can be listed by hour and by day, and has pages', async () => {
    souk.clock.advance(HOUR)
    const token = await souk.tokenFor(souk.demo.refreshToken)
    await souk.get('/sellers/v1/account', { token })
    const accounts = (await usageOf('?interval=hour')).filter(
      ({ operation }: { operation: string }) => operation === 'getAccount',
    )
    const hours = [start, souk.clock.now()].map((time) => `${time.toISOString().slice(0, 13)}:00:00.000Z`)
    expect(accounts.map(({ time, requests }: { time: string; requests: number }) => [time, requests])).toEqual([
      [hours[0], 2],
      [hours[1], 1],
    ])
    const first = (await list('?interval=day&pageSize=2')).json()
    expect(first.usage).toMatchObject([{ operation: 'getAccount', requests: 3 }, { operation: 'getDestinations' }])
    expect(await usageOf(`?interval=day&pageSize=2&pageToken=${first.nextToken}`)).toMatchObject([
      { operation: 'getOrders', time: `${start.toISOString().slice(0, 10)}T00:00:00.000Z` },
    ])
  })

  test('is that of the period, and is deleted after 90 days', async () => {
    const later = new Date(souk.clock.now().getTime() + 2 * DAY).toISOString()
    expect(await usageOf(`?to=${later}`)).toEqual([])
    const period = `?from=${start.toISOString()}&to=${souk.clock.now().toISOString()}`
    expect(await usageOf(period)).toHaveLength(3)
    souk.clock.advance(91 * DAY)
    await expect
      .poll(() => {
        // A sweep that was running begins to wait only now.
        souk.clock.advance(HOUR)
        return usageOf(period)
      })
      .toEqual([])
  })

  test('needs a period of at most 90 days', async () => {
    expect(errorOf(await list('?from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z'))).toMatchObject({ status: 400 })
    expect(errorOf(await list('?from=2025-06-02T00:00:00Z&to=2026-06-01T00:00:00Z'))).toMatchObject({ status: 400 })
    expect(errorOf(await list('?from=yesterday'))).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(errorOf(await souk.get('/operator/v1/usage')).status).toBe(403)
  })
})
