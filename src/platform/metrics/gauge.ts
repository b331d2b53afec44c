import type { Metric } from './port.ts'

/** A number that is read when it is scraped. */
export const createGauge = (
  name: string,
  help: string,
  read: () => number | Promise<number>,
  across?: Metric['across'],
): Metric => ({
  name,
  help,
  type: 'gauge',
  ...(across && { across }),
  read: async () => [{ labels: {}, value: await read() }],
})
