import { beforeEach, expect, test } from 'vitest'
import { SystemClock } from '../../../src/platform/clock/system-clock.ts'
import { PlainHttp } from '../../support/plain-http.ts'
import { startTestSouk } from '../../support/souk.ts'

const ACCOUNT = '/sellers/v1/account'
const HOUR_SECONDS = 3_600

interface ClockState {
  now: string
  offsetSeconds: number
  frozen: boolean
  due?: { kind: string; time: string } | null
}

let http: PlainHttp
beforeEach(async () => {
  http = new PlainHttp(await startTestSouk({ clock: new SystemClock() }))
})
const read = () => http.control<ClockState>('GET', 'clock')
const change = (body: object) => http.control<ClockState>('POST', 'clock', body)
const next = (body?: object) => http.control<ClockState>('POST', 'clock/next', body)
const statusWith = async (token: string) => (await http.api('GET', ACCOUNT, { token })).status

test('over plain HTTP, the clock is read, advanced, set, frozen and unfrozen', async () => {
  expect(await read()).toMatchObject({ offsetSeconds: 0, frozen: false })
  const { now } = await change({ frozen: true })
  const later = new Date(Date.parse(now) + HOUR_SECONDS * 1000).toISOString()
  expect(await change({ advanceSeconds: HOUR_SECONDS })).toMatchObject({ now: later, frozen: true })
  const time = '2030-01-01T00:00:00.000Z'
  expect(await change({ time })).toMatchObject({ now: time, frozen: true })
  expect(await change({ advanceSeconds: 1 })).toMatchObject({ now: '2030-01-01T00:00:01.000Z', frozen: true })
  expect(await change({ frozen: false })).toMatchObject({ frozen: false })
  expect((await read()).now).toMatch(/^2030-01-01T00:/)
})

test('over plain HTTP, a move has tokens expire, unless it keeps them', async () => {
  const token = await http.newToken()
  await change({ advanceSeconds: HOUR_SECONDS, keepTokens: true })
  expect(await statusWith(token)).toBe(200)
  await change({ advanceSeconds: HOUR_SECONDS })
  expect(await statusWith(token)).toBe(403)
})

test('over plain HTTP, the clock moves to what is due next, and skips tokens that it keeps', async () => {
  await change({ frozen: true })
  const token = await http.newToken()
  const { due } = await http.control<{ due: { kind: string }[] }>('GET', 'clock/due?limit=100')
  expect(due.map(({ kind }) => kind)).toContain('accessTokenExpiry')
  const kept = await next({ keepTokens: true })
  expect(kept.due?.kind).not.toBe('accessTokenExpiry')
  expect(kept.now).toBe(kept.due?.time)
  expect(await statusWith(token)).toBe(200)
  for (let steps = 0; steps < 100; steps++) if ((await next()).due?.kind === 'accessTokenExpiry') break
  expect(await statusWith(token)).toBe(403)
})
