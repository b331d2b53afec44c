import { expect, onTestFinished, test, vi } from 'vitest'
import type { Routes } from '../../../src/http/route.ts'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'

let running = 0
vi.mock(import('../../../src/worker/open-background.ts'), async (original) => {
  const { openBackground } = await original()
  return {
    openBackground: async (...options: Parameters<typeof openBackground>) => {
      running++
      const background = await openBackground(...options)
      const stop = async () => {
        running--
        await background.stop()
      }
      return { idle: () => background.idle(), wake: () => background.wake(), stop }
    },
  }
})

test('a reset that comes as soon as the port is open does not start a second worker', async () => {
  const { promise: reset, resolve } = Promise.withResolvers<number>()
  const resetOnListen: Routes = (app) => {
    app.addHook('onListen', async () => {
      void app.inject({ method: 'POST', url: '/_souk/reset' }).then(({ statusCode }) => resolve(statusCode))
    })
  }
  const souk = await startStandIn({ extraRoutes: [resetOnListen] })
  onTestFinished(() => souk.stop())
  expect(await reset).toBe(200)
  expect(running).toBe(1)
  await souk.stop()
  expect(running).toBe(0)
})
