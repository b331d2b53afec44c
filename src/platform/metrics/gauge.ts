import type { Clock } from '../clock/port.ts'
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

/** How long ago a time was, in seconds. 0 if there is none, or it is to come. */
export const ageInSeconds = (clock: Clock, time: Date | undefined): number =>
  time ? Math.max(clock.now().getTime() - time.getTime(), 0) / 1000 : 0
