import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { type GaugeSource, registerGauges } from './gauges.ts'

const gauge = (name: string, read: GaugeSource['read']): GaugeSource => ({ name, help: name, read })

test('gauges that fail or never resolve are omitted, and the others are returned', async () => {
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
