import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { demo } from '../../src/dev/demo/index.ts'
import { startDev, temporaryFolder } from '../support/souk-process.ts'
import { solicit } from './client.ts'

const [order, otherOrder] = demo.orders.eligible as [string, string]
const DAY_SECONDS = 24 * 60 * 60

async function readClock(url: string): Promise<{ now: string; offsetSeconds: number }> {
  return (await fetch(`${url}/_souk/clock`)).json() as Promise<{ now: string; offsetSeconds: number }>
}

async function advanceClock(url: string, advanceSeconds: number): Promise<void> {
  const response = await fetch(`${url}/_souk/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds }),
  })
  expect(response.status).toBe(200)
}

describe('the data folder of souk dev', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('remembers after %s what was answered before it', async (signal) => {
    const folder = temporaryFolder()
    const before = await startDev(folder)
    expect(await solicit(before.url, order)).toBe(201)
    await before.souk.stop(signal)

    const after = await startDev(folder)
    expect(await solicit(after.url, order)).toBe(403)
    expect(await solicit(after.url, otherOrder)).toBe(201)
  })

  test('remembers how far the clock was moved', async () => {
    const folder = temporaryFolder()
    const before = await startDev(folder)
    await advanceClock(before.url, DAY_SECONDS)
    await advanceClock(before.url, DAY_SECONDS)
    const { now } = await readClock(before.url)
    await before.souk.stop()

    const after = await startDev(folder)
    const clock = await readClock(after.url)
    expect(clock.offsetSeconds).toBe(2 * DAY_SECONDS)
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(now))
  })

  test('begins anew with --fresh, and leaves alone what is not its own', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const before = await startDev(folder)
    expect(await solicit(before.url, order)).toBe(201)
    await advanceClock(before.url, DAY_SECONDS)
    await before.souk.stop('SIGKILL')

    const after = await startDev(folder, '--fresh')
    expect(await readClock(after.url)).toMatchObject({ offsetSeconds: 0 })
    expect(await solicit(after.url, order)).toBe(201)
    expect(readdirSync(folder)).toContain('notes.txt')
  })
})
