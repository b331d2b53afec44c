import { Gauge, type Registry } from 'prom-client'
import { withDeadline } from '../platform/deadline.ts'

/** A number that is read when it is scraped. */
export interface GaugeSource {
  name: string
  help: string
  read(): Promise<number>
}

// Scrapers time out after ten seconds and need all other measurements during an outage.
const READ_WITHIN_MILLISECONDS = 2_000

/** Registers gauges. A gauge whose reading fails or takes too long is left out of the response. */
export function registerGauges(registry: Registry, sources: readonly GaugeSource[]): void {
  for (const { name, help, read } of sources) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await withDeadline(READ_WITHIN_MILLISECONDS, async () => read()).catch(() => undefined)
        if (value === undefined) gauge.remove()
        else gauge.set(value)
      },
    })
  }
}
