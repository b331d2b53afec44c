import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { withDeadline } from '../deadline.ts'
import { Counter } from '../metrics/counter.ts'
import { createGauge } from '../metrics/gauge.ts'
import type { Metric } from '../metrics/port.ts'
import { DatabaseUnavailableError, DatabaseUrlError, type Reader, ReplicaUrlError } from './port.ts'
import { PostgresReader, type Send } from './postgres-connection.ts'
import { isStatementTimeout, isUnsupportedPreparation } from './postgres-errors.ts'
import { type PoolOptions, PostgresPool } from './postgres-pool.ts'
import { PostgresSideConnection } from './postgres-side-connection.ts'
import { parsePosition } from './replica-lag.ts'
import { type LogState, ReplicaMonitor, ReplicaUnusableError } from './replica-monitor.ts'
import { shareNext } from './share-next.ts'

export interface ReplicaSettings {
  url: string
  /** How long a read waits for the replica to catch up before it runs on the primary. */
  waitMilliseconds: number
}

export interface ReplicaOptions extends PoolOptions, ReplicaSettings {
  readFromPrimary: Send
  /** For short statements: does not wait for the pool of the primary. */
  askPrimary(text: string): Promise<pg.QueryResult>
}

const FIRST_PAUSE_MILLISECONDS = 2
// All large reads wait for it, so a connection to the primary that is dead must not keep them long.
const POSITION_WITHIN_MILLISECONDS = 1_000
// Commits are acknowledged when they are flushed, unless the server does not wait for that.
const POSITION = `case current_setting('synchronous_commit')
  when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as position`
const IDENTITY = `(select system_identifier || '/' || timeline_id
  from pg_control_system(), pg_control_checkpoint()) as identity`
const READ_POSITION = `select ${POSITION}`
const READ_PRIMARY = `select ${POSITION}, ${IDENTITY}`
const READ_REPLICA = `select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() as position, ${IDENTITY}`
const HAS_REPLAYED = 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as has_replayed'

/**
 * A server that follows the primary by streaming replication. A read here has everything that any process committed before
 * the read began. If the replica does not have it soon, or fails, the primary serves the read.
 */
export class PostgresReplica {
  readonly #pool: PostgresPool
  readonly #monitor: ReplicaMonitor
  readonly #readFromPrimary: Send
  readonly #readPosition: () => Promise<string>
  readonly #waitMilliseconds: number
  readonly #reads = new Counter('souk_replica_reads_total', 'Large reads, by the server that served them', {
    label: 'by',
    values: ['replica', 'primary'],
  })
  /** The connection of the monitor. */
  readonly #monitored: PostgresSideConnection

  constructor({ readFromPrimary, askPrimary, waitMilliseconds, ...options }: ReplicaOptions) {
    this.#pool = openPool(options)
    this.#monitored = new PostgresSideConnection(this.#pool)
    this.#readFromPrimary = readFromPrimary
    this.#waitMilliseconds = waitMilliseconds
    this.#readPosition = shareNext(() =>
      withDeadline(POSITION_WITHIN_MILLISECONDS, async () => {
        const { rows } = await askPrimary(READ_POSITION)
        return rows[0].position
      }),
    )
    this.#monitor = new ReplicaMonitor({
      readPrimary: async () => toLogState((await askPrimary(READ_PRIMARY)).rows[0]),
      readReplica: (signal) => this.#readState(signal),
      onSilence: () => this.#pool.cut(new Error('The replica did not respond')),
      logger: options.logger,
    })
  }

  get metrics(): readonly Metric[] {
    return [
      createGauge('souk_replica_up', 'Whether large reads use the replica', () => Number(this.#monitor.isUp), 'min'),
      createGauge('souk_replica_lag_seconds', 'How far the replica is behind', () => this.#monitor.lagSeconds, 'max'),
      this.#reads,
    ]
  }

  /** A reader for one piece of work. After one of its reads ran on the primary, all do, so that none goes back in time. */
  createReader(): Reader {
    let position: Promise<string> | undefined
    let usesPrimary = !this.#monitor.isUp
    return new PostgresReader(async (query) => {
      if (!usesPrimary) {
        position ??= this.#readPosition()
        const result = await this.#tryRead(query, position)
        if (result) return result
        usesPrimary = true
      }
      this.#reads.add('primary')
      return this.#readFromPrimary(query)
    })
  }

  async close(): Promise<void> {
    this.#monitor.close()
    this.#monitored.close()
    // Its reads have moved to the primary, and a replica that hangs would keep the connections.
    await this.#pool.close({ cuts: true })
  }

  /** Returns undefined if the primary has to serve the read. */
  async #tryRead(query: pg.QueryConfig, position: Promise<string>): Promise<pg.QueryResult | undefined> {
    try {
      const result = await this.#monitor.whileUp(this.#readAt(position, query))
      if (result) this.#reads.add('replica')
      else this.#monitor.suspect()
      return result
    } catch (error) {
      // It would be as slow on the primary, which has more to do.
      if (isStatementTimeout(error)) throw error
      if (isUnsupportedPreparation(error)) this.#pool.stopPreparing()
      if (error instanceof DatabaseUnavailableError) this.#monitor.suspect()
      return undefined
    }
  }

  /** The position is checked on the connection of the read: behind the URL may be several replicas. */
  async #readAt(position: Promise<string>, query: pg.QueryConfig): Promise<pg.QueryResult | undefined> {
    const values = [await position]
    const endsAt = performance.now() + this.#waitMilliseconds
    for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause *= 2) {
      const result = await this.#pool.withClient(async (client) => {
        const check = { name: 'has_replayed', text: HAS_REPLAYED, values }
        const { rows } = await this.#pool.send(client, check)
        return rows[0].has_replayed ? this.#pool.send(client, query) : undefined
      })
      if (result) return result
      if (performance.now() + pause > endsAt) return undefined
      await sleep(pause)
    }
  }

  async #readState(signal: AbortSignal): Promise<LogState> {
    signal.addEventListener('abort', () => this.#monitored.discard())
    const { rows } = await this.#monitored.send(READ_REPLICA)
    if (rows[0].follows) return toLogState(rows[0])
    // Behind the URL may be another server next time.
    this.#monitored.discard()
    throw new ReplicaUnusableError('It is not a replica: it accepts writes')
  }
}

function openPool(options: PoolOptions): PostgresPool {
  try {
    return new PostgresPool(options)
  } catch (error) {
    throw error instanceof DatabaseUrlError ? new ReplicaUrlError(error.message, { cause: error }) : error
  }
}

const toLogState = ({ position, identity }: { position: string; identity: string }): LogState => ({
  position: parsePosition(position),
  identity,
})
