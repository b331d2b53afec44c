import type { Reader, Transaction } from '../database/port.ts'
import { queryBuilder } from '../database/query.ts'
import { isAfter } from '../database/tuples.ts'
import type { PageRequest } from '../paging.ts'
import type { JobTables } from './tables.ts'

const db = queryBuilder<JobTables>()

/** A job that is in the queue, as its operator sees it. */
export interface QueuedJob {
  id: string
  kind: string
  payload: string
  runAt: Date
  isRunning: boolean
  failures: number
  crashes: number
  outageRetries: number
  outageBeganAt?: Date
  lastError?: string
}

/** Those that come first are listed first. Of one that is running, the time is the end of its lease. */
export async function listQueued(
  reader: Reader,
  { isRunning, kind, after, limit }: PageRequest & { isRunning: boolean; kind?: string | undefined },
): Promise<QueuedJob[]> {
  let query = db
    .selectFrom('jobs')
    .selectAll()
    .where('lease', isRunning ? 'is not' : 'is', null)
    .orderBy('run_at')
    .orderBy('job_id')
    .limit(limit)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (after) query = query.where(isAfter(['run_at', 'job_id'], after))
  return (await reader.all(query)).map(fromRow)
}

export async function findQueued(reader: Reader, jobId: string): Promise<QueuedJob | undefined> {
  const row = await reader.first(db.selectFrom('jobs').selectAll().where('job_id', '=', jobId))
  return row && fromRow(row)
}

/** Lets a job that waits run now. */
export async function runJobNow(tx: Transaction, jobId: string, now: Date): Promise<void> {
  const update = db.updateTable('jobs').set({ run_at: now.toISOString() })
  await tx.run(update.where('job_id', '=', jobId).where('lease', 'is', null))
}

/** Deletes a job that waits. False if it runs, or is gone. */
export async function deleteWaiting(tx: Transaction, jobId: string): Promise<boolean> {
  return (await tx.run(db.deleteFrom('jobs').where('job_id', '=', jobId).where('lease', 'is', null))) === 1
}

// Metrics are read every few seconds, so a long queue is not counted whole.
export const MAX_COUNTED = 10_000

/**
 * Of the first 10,000 jobs of the queue: how many there are, how many of them run, and how many wait because a dependency
 * was unavailable.
 */
export async function countQueued(reader: Reader): Promise<{ all: number; running: number; inOutage: number }> {
  const first = db
    .selectFrom('jobs')
    .select(['lease', 'outage_began_at'])
    .orderBy('run_at')
    .limit(MAX_COUNTED)
    .as('first')
  const row = await reader.first(
    db.selectFrom(first).select((eb) => [
      eb.fn.countAll<number>().as('all'),
      // Counts what is not null.
      eb.fn.count<number>('lease').as('running'),
      eb.fn.count<number>('outage_began_at').as('inOutage'),
    ]),
  )
  return row ?? { all: 0, running: 0, inOutage: 0 }
}

export interface QueuedKind {
  kind: string
  /** Waiting and running. */
  count: number
  /** When the first of them is due, or was. One that runs is due when its lease ends: then its worker is gone. */
  firstDueAt: Date
}

/** Of the first 10,000 jobs of the queue. */
export async function countQueuedByKind(reader: Reader): Promise<QueuedKind[]> {
  const first = db.selectFrom('jobs').select(['kind', 'run_at']).orderBy('run_at').limit(MAX_COUNTED).as('first')
  const rows = await reader.all(
    db
      .selectFrom(first)
      .select((eb) => ['kind', eb.fn.countAll<number>().as('count'), eb.fn.min('run_at').as('first_due_at')])
      .groupBy('kind'),
  )
  return rows.map(({ kind, count, first_due_at }) => ({ kind, count, firstDueAt: new Date(first_due_at) }))
}

const fromRow = (row: JobTables['jobs']): QueuedJob => ({
  id: row.job_id,
  kind: row.kind,
  payload: row.payload,
  runAt: new Date(row.run_at),
  isRunning: row.lease !== null,
  failures: row.failures,
  crashes: row.crashes,
  outageRetries: row.outage_retries,
  ...(row.outage_began_at !== null && { outageBeganAt: new Date(row.outage_began_at) }),
  ...(row.last_error !== null && { lastError: row.last_error }),
})
