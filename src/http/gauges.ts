import { Gauge, type Registry } from 'prom-client'

/** A number that is read when it is asked for. */
export interface GaugeReading {
  name: string
  help: string
  read(): Promise<number>
}

/** While a reading fails, the measurement is left out: the others must still be answered. */
export function registerGauges(registry: Registry, readings: readonly GaugeReading[]): void {
  for (const { name, help, read } of readings) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await read().catch(() => undefined)
        if (value === undefined) gauge.remove()
        else gauge.set(value)
      },
    })
  }
}
