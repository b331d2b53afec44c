import { createFeedGauges } from '../areas/feeds/index.ts'
import { createNotificationGauges } from '../areas/notifications/index.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { createJobGauges } from '../platform/jobs/job-metrics.ts'
import { cacheMetrics } from '../platform/metrics/cached.ts'
import type { Metric } from '../platform/metrics/port.ts'

/** Several scrapers, and each scraper of several processes, ask for the same. */
export const CACHE_METRICS_MILLISECONDS = 5_000

export interface MetricsDependencies {
  database: Database
  clock: Clock
  /** How long the numbers that need queries are kept. Default: not at all. */
  cacheMilliseconds?: number | undefined
}

/** What `/metrics` of `serve` and `worker` has in common: background work, and connections to the database. */
export const createCommonMetrics = ({ cacheMilliseconds = 0, ...platform }: MetricsDependencies): Metric[] => [
  // First, so that they do not count the queries of the others.
  ...(platform.database.metrics ?? []),
  ...cacheMetrics(
    [...createNotificationGauges(platform), ...createJobGauges(platform), ...createFeedGauges(platform)],
    cacheMilliseconds,
  ).map(
    // All processes read the same rows.
    (metric): Metric => ({ ...metric, across: 'max' }),
  ),
]
