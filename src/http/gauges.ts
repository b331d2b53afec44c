import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'

/** A number that is read when it is asked for. */
export interface GaugeSource {
  name: string
  help: string
  read(): Promise<number>
}

// Scrapers give up after ten seconds, and during an outage want all the other measurements.
const READ_WITHIN_MILLISECONDS = 2_000

/** While a reading fails or takes too long, the measurement is left out: the others must still be answered. */
export function registerGauges(registry: Registry, readings: readonly GaugeSource[]): void {
  for (const { name, help, read } of readings) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await readWithDeadline(read)
        if (value === undefined) gauge.remove()
        else gauge.set(value)
      },
    })
  }
}

async function readWithDeadline(read: GaugeSource['read']): Promise<number | undefined> {
  const answered = new AbortController()
  const late = sleep(READ_WITHIN_MILLISECONDS, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([read(), late])
  } catch {
    return undefined
  } finally {
    answered.abort()
  }
}
