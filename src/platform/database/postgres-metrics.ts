import type pg from 'pg'
import { Counter } from '../metrics/counter.ts'
import { createGauge } from '../metrics/gauge.ts'
import { Histogram } from '../metrics/histogram.ts'
import type { Metric } from '../metrics/port.ts'

const RETRY_REASONS = [
  'conflict',
  'deadlock',
  'deleted_reference',
  'duplicate',
  'lost_connection',
  'out_of_memory',
  'stale_plan',
  'unprepared',
] as const
export type RetryReason = (typeof RETRY_REASONS)[number]

export interface PoolState {
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>
  poolSize: number
  /** Connections besides those of the pool, on which statements have not ended. */
  abandoned: { readonly apart: number }
  isSilent?: (() => boolean) | undefined
}

/** What `/metrics` shows of the connections to PostgreSQL. */
export class PostgresMetrics {
  readonly #wait = new Histogram('souk_database_wait_seconds', 'Time that work waited for a connection')
  readonly #retries = new Counter('souk_database_retries_total', 'Repeated reads and transactions, by reason', {
    label: 'reason',
    values: RETRY_REASONS,
  })
  readonly observeWait = this.#wait.withLabels()

  countRetry(reason: RetryReason): void {
    this.#retries.add(reason)
  }

  /** Without `isSilent`, no request is refused early. */
  list({ pool, poolSize, abandoned, isSilent }: PoolState): readonly Metric[] {
    return [
      createGauge('souk_database_pool_size', 'Maximum number of connections', () => poolSize),
      createGauge('souk_database_connections', 'Open connections', () => pool.totalCount + abandoned.apart),
      createGauge('souk_database_connections_used', 'Connections in use', () => pool.totalCount - pool.idleCount),
      createGauge('souk_database_waiting', 'Work that waits for a connection', () => pool.waitingCount),
      ...(isSilent
        ? [
            createGauge(
              'souk_database_silent',
              'Whether requests are refused because PostgreSQL does not respond',
              () => Number(isSilent()),
              'max',
            ),
          ]
        : []),
      this.#wait,
      this.#retries,
    ]
  }
}
