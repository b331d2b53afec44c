import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import { SystemClock } from '../../../src/platform/clock/system-clock.ts'
import { testDialect } from '../../support/databases.ts'
import { addFeedSeller } from '../../support/feeds.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const onSqlite = test.runIf(testDialect === 'sqlite')
const HOUR_SECONDS = 3_600

describe('a client that keeps its access token until it expires', () => {
  let souk: TestSouk
  let token: string
  beforeEach(async () => {
    souk = await startTestSouk({ clock: new ManualClock('2026-06-01T12:00:00Z') })
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  const call = async (withToken = token) => (await souk.get('/sellers/v1/account', { token: withToken })).statusCode
  const advance = (seconds: number) => souk.post('/_souk/clock', { payload: { advanceSeconds: seconds } })

  test('is refused after a reset, and not after one that keeps tokens', async () => {
    await souk.post('/_souk/reset', { payload: { keepTokens: true } })
    expect(await call()).toBe(200)
    await souk.post('/_souk/reset')
    expect(await call()).toBe(403)
  })

  test('has as much time left as before, whatever the time after the reset', async () => {
    await advance(HOUR_SECONDS / 2)
    await souk.post('/_souk/reset', { payload: { keepTokens: true, time: '2024-02-29T00:00:00Z' } })
    await advance(HOUR_SECONDS / 2 - 1)
    expect(await call()).toBe(200)
    await advance(1)
    expect(await call()).toBe(403)
  })

  test('is served again if its token had expired only because the clock was moved', async () => {
    await advance(2 * HOUR_SECONDS)
    expect(await call()).toBe(403)
    await souk.post('/_souk/reset', { payload: { keepTokens: true } })
    expect(await call()).toBe(200)
  })

  test('is served again also if the clock is behind that of the system', async () => {
    const behind = await startTestSouk({ clock: new SystemClock() })
    const time = '2024-02-29T00:00:00Z'
    await behind.post('/_souk/reset', { payload: { time } })
    const ofBehind = await behind.tokenFor(behind.demo.refreshToken)
    await behind.post('/_souk/clock', { payload: { advanceSeconds: 2 * HOUR_SECONDS } })
    await behind.post('/_souk/reset', { payload: { keepTokens: true, time } })
    expect((await behind.get('/sellers/v1/account', { token: ofBehind })).statusCode).toBe(200)
  })

  test('is refused if its token has expired by the time after the reset', async () => {
    await souk.post('/_souk/reset', { payload: { keepTokens: true, time: '2026-06-01T12:00:00Z' } })
    await advance(2 * HOUR_SECONDS)
    await souk.post('/_souk/reset', { payload: { keepTokens: true, time: '2030-01-01T00:00:00Z' } })
    expect(await call()).toBe(403)
  })

  onSqlite('is served however many tokens were issued after its own', async () => {
    const path = `/orders/v0/orders/${souk.demo.orders.eligible[0]}/address`
    const payload = { restrictedResources: [{ method: 'GET', path }] }
    await advance(60)
    for (let count = 0; count < 510; count++)
      await souk.post('/tokens/2021-03-01/restrictedDataToken', { token, payload })
    await souk.post('/_souk/reset', { payload: { keepTokens: true } })
    expect(await call()).toBe(200)
  })

  test('is served with a token for no seller, too', async () => {
    await souk.post('/_souk/reset')
    const grantless = await souk.grantlessToken('sellingpartnerapi::notifications')
    await souk.post('/_souk/reset', { payload: { keepTokens: true } })
    expect((await souk.get('/notifications/v1/destinations', { token: grantless })).statusCode).toBe(200)
  })

  test('is refused if its seller is gone with the reset', async () => {
    const seller = await addFeedSeller(souk, 'A3GONE')
    const ofSeller = await seller.token()
    expect(await call(ofSeller)).toBe(200)
    await souk.post('/_souk/reset', { payload: { keepTokens: true } })
    expect(await call(ofSeller)).toBe(403)
    expect(await call()).toBe(200)
  })

  onSqlite('is served after the restore of an older snapshot that keeps tokens', async () => {
    await souk.post('/_souk/reset')
    await souk.snapshot('before')
    token = await souk.tokenFor(souk.demo.refreshToken)
    await souk.post('/_souk/snapshots/before/restore', { payload: { keepTokens: true } })
    expect(await call()).toBe(200)
    await souk.restore('before')
    expect(await call()).toBe(403)
  })
})
