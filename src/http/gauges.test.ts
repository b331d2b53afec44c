import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { type GaugeSource, registerGauges } from './gauges.ts'

const gauge = (name: string, read: GaugeSource['read']): GaugeSource => ({ name, help: name, read })

test('measurements that fail or never come are left out, and the others are answered', async () => {
  const registry = new Registry()
  registerGauges(registry, [
    gauge('sound', async () => 3),
    gauge('failing', () => Promise.reject(new Error('no database'))),
    gauge('silent', () => new Promise(() => {})),
  ])
  const text = await registry.metrics()
  expect(text).toContain('\nsound 3\n')
  expect(text).not.toMatch(/^(failing|silent) /m)
})
