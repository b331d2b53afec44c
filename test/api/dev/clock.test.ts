import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ActError, ManualClock, type Souk } from '../../../src/index.ts'
import { SystemClock } from '../../../src/platform/clock/system-clock.ts'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'
import { createPostgresDatabase, testDialect } from '../../support/databases.ts'
import { DAY, HOUR } from '../../support/seller-client.ts'
import { errorOf, startTestSouk } from '../../support/souk.ts'

describe('the virtual clock', () => {
  test('returns its time, advances, and returns its total offset', async () => {
    const souk = await startTestSouk()
    expect((await souk.get('/_souk/clock')).json()).toEqual({
      now: '2026-06-01T12:00:00.000Z',
      offsetSeconds: 0,
      frozen: true,
    })
    const moved = await souk.post('/_souk/clock', { payload: { advanceSeconds: 86_400.5 } })
    expect(moved.json()).toEqual({ now: '2026-06-02T12:00:00.500Z', offsetSeconds: 86_400.5, frozen: true })
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 1 } })
    expect((await souk.get('/_souk/clock')).json().offsetSeconds).toBe(86_401.5)
  })

  test('applies all concurrent advances', async () => {
    const souk = await startTestSouk()
    await Promise.all(Array.from({ length: 20 }, () => souk.post('/_souk/clock', { payload: { advanceSeconds: 1 } })))
    expect((await souk.get('/_souk/clock')).json().offsetSeconds).toBe(20)
  })

  test('moves to a time', async () => {
    const souk = await startTestSouk()
    const moved = await souk.post('/_souk/clock', { payload: { time: '2026-06-08T00:00:00+02:00' } })
    expect(moved.json()).toMatchObject({ now: '2026-06-07T22:00:00.000Z' })
  })

  test('does not move to a time that has passed, and says how to go back', async () => {
    const souk = await startTestSouk()
    const refused = errorOf(await souk.post('/_souk/clock', { payload: { time: '2026-06-01T11:59:59.999Z' } }))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(refused.details).toMatch(/^time is before 2026-06-01T12:00:00.000Z.*restore a snapshot or reset with a time/)
  })

  test('stands still while it is frozen, and continues from there', async () => {
    const clock = new SystemClock()
    const souk = await startStandIn({ clock })
    const change = async (payload: object) =>
      (await souk.inject({ method: 'POST', url: '/_souk/clock', payload })).json()
    const frozen = await change({ frozen: true })
    expect(frozen.frozen).toBe(true)
    await change({ advanceSeconds: 60 })
    expect(clock.now().getTime()).toBe(new Date(frozen.now).getTime() + 60_000)
    const running = await change({ frozen: false })
    expect(running.frozen).toBe(false)
    const timer = clock.sleep(1)
    await timer
    expect(clock.now().getTime()).toBeGreaterThan(new Date(frozen.now).getTime() + 60_000)
    await souk.stop()
  })

  test('stops exactly at a time, and snapshots and forks of it have the same time', async () => {
    const souk = await startTestSouk({ clock: new SystemClock() })
    // The time passes with every look at it.
    let time = Date.now()
    const watch = vi.spyOn(Date, 'now').mockImplementation(() => ++time)
    onTestFinished(() => watch.mockRestore())
    const stopAt = async (now: string) =>
      (await souk.post('/_souk/clock', { payload: { time: now, frozen: true } })).json()
    const now = '2036-06-01T12:00:00.000Z'
    expect(await stopAt(now)).toMatchObject({ now, frozen: true })
    const refused = errorOf(
      await souk.post('/_souk/clock', { payload: { time: '2030-01-01T00:00:00Z', frozen: true } }),
    )
    expect(refused.status).toBe(400)
    if (testDialect === 'postgres') return
    await souk.snapshot('stopped')
    expect((await souk.fork()).clock.now().toISOString()).toBe(now)
    await souk.post('/_souk/clock', { payload: { frozen: false } })
    expect(errorOf(await souk.post('/_souk/clock', { payload: { time: now, frozen: true } })).status).toBe(400)
    expect((await souk.get('/_souk/clock')).json().frozen).toBe(false)
    await souk.restore('stopped')
    expect((await souk.get('/_souk/clock')).json()).toMatchObject({ now, frozen: true })
  })

  test('keeps tokens valid on request, for clients that do not follow it', async () => {
    const souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const status = async () => (await souk.get('/sellers/v1/account', { token })).statusCode
    expect(await status()).toBe(200)
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 7 * 86_400, keepTokens: true } })
    expect(await status()).toBe(200)
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 3600 } })
    expect(await status()).toBe(403)
  })

  test('keeps tokens valid on request of the test that moves it', async () => {
    const souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const status = async () => (await souk.get('/sellers/v1/account', { token })).statusCode
    await souk.clock.advance(7 * DAY, { keepTokens: true })
    expect(souk.clock.now()).toEqual(new Date('2026-06-08T12:00:00.000Z'))
    expect(await status()).toBe(200)
    await souk.clock.set(new Date('2026-07-01T00:00:00.250Z'), { keepTokens: true })
    expect(souk.clock.now()).toEqual(new Date('2026-07-01T00:00:00.250Z'))
    expect(await status()).toBe(200)
    await expect(souk.clock.set(new Date('2026-06-30'), { keepTokens: true })).rejects.toThrow(ActError)
    await expect(souk.clock.advance(-1, { keepTokens: true })).rejects.toThrow(ActError)
    await souk.clock.advance(HOUR, {})
    expect(await status()).toBe(403)
  })

  test('continues after a restart where a test has set it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'souk-clock-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const database = testDialect === 'postgres' ? await createPostgresDatabase('schema') : join(folder, 'souk.db')
    const restart = async (use: (souk: Souk) => void) => {
      const clock = new SystemClock()
      const souk = await startStandIn({ clock, database })
      const offset = clock.offsetMilliseconds
      use(souk)
      await souk.stop()
      return offset
    }
    await restart(({ clock }) => clock.advance(30 * DAY))
    expect(await restart(() => {})).toBe(30 * DAY)
    const frozenAt = new Date('2031-01-01T00:00:00.000Z')
    await restart(({ clock }) => {
      clock.freeze()
      clock.set(frozenAt)
    })
    await restart(({ clock }) => {
      expect([clock.isFrozen, clock.now()]).toEqual([true, frozenAt])
      clock.reset()
    })
    expect(await restart(({ clock }) => expect(clock.isFrozen).toBe(false))).toBe(0)
  })

  test('expires tokens', async () => {
    const souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 3600 } })
    expect(errorOf(await souk.get('/sellers/v1/account', { token })).details).toMatch(/expired/)
  })

  test('opens windows: an order that is too early today is eligible next week', async () => {
    const souk = await startTestSouk()
    const path = `/solicitations/v1/orders/${souk.demo.orders.tooEarly}?marketplaceIds=${souk.demo.marketplaceId}`
    const offered = async () => {
      const token = await souk.tokenFor(souk.demo.refreshToken)
      return (await souk.get(path, { token })).json()._embedded.actions.length
    }
    expect(await offered()).toBe(0)
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 7 * 86_400 } })
    expect(await offered()).toBe(1)
  })

  test.each([
    ['backwards', { advanceSeconds: -1 }],
    ['by nothing', {}],
    ['by a time and a distance', { advanceSeconds: 1, time: '2027-01-01T00:00:00Z' }],
    ['to no time', { time: 'tomorrow' }],
    ['by text', { advanceSeconds: '60' }],
    ['by more than ten years', { advanceSeconds: 1e12 }],
    ['with an unknown key', { advanceSeconds: 1, seconds: 1 }],
  ])('cannot be moved %s', async (_how, payload) => {
    const souk = await startTestSouk()
    expect(errorOf(await souk.post('/_souk/clock', { payload }))).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect((await souk.get('/_souk/clock')).json().offsetSeconds).toBe(0)
  })

  test('cannot be advanced beyond the year 9900 in any number of steps', async () => {
    const clock = new ManualClock('9899-12-31T00:00:00.000Z')
    const souk = await startTestSouk({ clock })
    const refused = errorOf(await souk.post('/_souk/clock', { payload: { advanceSeconds: 86_401 } }))
    expect(refused).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: 'advanceSeconds moves the clock beyond 9900-01-01T00:00:00.000Z.',
    })
    expect((await souk.get('/_souk/clock')).json().offsetSeconds).toBe(0)
    expect((await souk.post('/_souk/clock', { payload: { advanceSeconds: 86_400 } })).statusCode).toBe(200)
    expect(() => souk.clock.advance(1)).toThrow(RangeError)
    expect(() => souk.clock.advance(Number.NaN)).toThrow(RangeError)
    expect((await souk.get('/_souk/clock')).json().now).toBe('9900-01-01T00:00:00.000Z')
  })
})

describe('reset', () => {
  test('restores the demo marketplace, the time and the quotas, and invalidates all tokens', async () => {
    const souk = await startTestSouk({ rates: 'documented' })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const path = `/solicitations/v1/orders/${souk.demo.orders.eligible[0]}`
    const query = `?marketplaceIds=${souk.demo.marketplaceId}`
    await souk.post(`${path}/solicitations/productReviewAndSellerFeedback${query}`, { token })
    for (let call = 0; call < 6; call++) await souk.get(path + query, { token })
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 60 } })

    await souk.reset()

    expect(errorOf(await souk.get(path + query, { token })).status).toBe(403)
    expect((await souk.get('/_souk/clock')).json()).toEqual({
      now: '2026-06-01T12:00:00.000Z',
      offsetSeconds: 0,
      frozen: true,
    })
    const fresh = await souk.tokenFor(souk.demo.refreshToken)
    for (let call = 0; call < 5; call++) {
      const response = await souk.get(path + query, { token: fresh })
      expect(response.json()._embedded.actions).toHaveLength(1)
    }
  })
})
