import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { ageInSeconds, createGauge } from '../../platform/metrics/gauge.ts'
import type { Metric } from '../../platform/metrics/port.ts'
import { countWaiting, findOldestWaiting } from './store/feed-store.ts'

const MAX_COUNTED = 10_000

/** Gauges of feeds that wait for earlier feeds of their sellers: they have no jobs yet, so no gauge of jobs has them. */
export const createFeedGauges = ({ database, clock }: { database: Database; clock: Clock }): Metric[] => [
  createGauge('souk_feeds_waiting', 'Feeds waiting for an earlier feed of their seller (counted up to 10000)', () =>
    database.read((reader) => countWaiting(reader, MAX_COUNTED)),
  ),
  createGauge('souk_feeds_delay_seconds', 'How long the oldest of these feeds has waited', async () =>
    ageInSeconds(clock, await database.read(findOldestWaiting)),
  ),
]
