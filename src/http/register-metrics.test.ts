import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createGauge } from '../platform/metrics/gauge.ts'
import { registerMetrics } from './register-metrics.ts'

test('metrics that fail or never resolve are omitted, and the others are returned', async () => {
  const registry = new Registry()
  registerMetrics(registry, [
    createGauge('sound', 'sound', async () => 3),
    createGauge('failing', 'failing', () => Promise.reject(new Error('no database'))),
    createGauge('silent', 'silent', () => new Promise(() => {})),
  ])
  const text = await registry.metrics()
  expect(text).toContain('\nsound 3\n')
  expect(text).not.toMatch(/^(failing|silent) /m)
})
