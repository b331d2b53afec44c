import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Routes } from '../../../src/http/route.ts'
import { ManualClock } from '../../../src/index.ts'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'
import { startTestSouk } from '../../support/souk.ts'

/** Counts what waits for it. */
class CountingClock extends ManualClock {
  asleep = 0

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.asleep++
    await super.sleep(milliseconds, signal)
    this.asleep--
  }
}

test('a reset that comes as soon as the port is open leaves no worker behind', async () => {
  const { promise: reset, resolve } = Promise.withResolvers<number>()
  const resetOnListen: Routes = (app) => {
    app.server.once('listening', () => {
      const { port } = app.server.address() as AddressInfo
      void fetch(`http://127.0.0.1:${port}/_souk/reset`, { method: 'POST' }).then(({ status }) => resolve(status))
    })
  }
  const clock = new CountingClock('2026-06-01T12:00:00.000Z')
  const souk = await startStandIn({ clock, extraRoutes: [resetOnListen] })
  onTestFinished(() => souk.stop())
  expect(await reset).toBe(200)
  await souk.idle()
  expect(clock.asleep).toBeGreaterThan(0)
  await souk.stop()
  expect(clock.asleep).toBe(0)
})

test('a stand-in can be stopped twice, also at the same time', async () => {
  const souk = await startTestSouk()
  await Promise.all([souk.stop(), souk.stop()])
  await souk.stop()
  await expect(fetch(`${souk.url}/healthz`)).rejects.toThrow('fetch failed')
})
