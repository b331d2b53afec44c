import type { Reader, Transaction } from '../database/port.ts'
import { queryBuilder } from '../database/query.ts'
import { isAfter } from '../database/tuples.ts'
import { upsertMany } from '../database/upsert.ts'
import type { PageRequest } from '../paging.ts'
import type { GiveUpReason, JobHistory } from './retry-policy.ts'
import type { Job } from './store.ts'
import type { JobTables } from './tables.ts'

/** A job that will not be run again unless the operator says so. */
export interface GivenUpJob extends Omit<Job, 'history'>, Omit<JobHistory, 'outageBeganAt'> {
  reason: GiveUpReason
  lastError?: string
  givenUpAt: Date
}

const db = queryBuilder<JobTables>()
type Row = JobTables['given_up_jobs']

/** A job with a key may be given up more than once: the last time counts. */
export async function insertGivenUp(tx: Transaction, job: GivenUpJob): Promise<void> {
  await upsertMany(tx, 'given_up_jobs', ['job_id'], [toRow(job)])
}

export async function findGivenUp(reader: Reader, jobId: string): Promise<GivenUpJob | undefined> {
  const row = await reader.first(db.selectFrom('given_up_jobs').selectAll().where('job_id', '=', jobId))
  return row && fromRow(row)
}

/** False when there is no such job. */
export async function deleteGivenUp(tx: Transaction, jobId: string): Promise<boolean> {
  return (await tx.run(db.deleteFrom('given_up_jobs').where('job_id', '=', jobId))) === 1
}

/** The oldest first. */
export async function listGivenUp(
  reader: Reader,
  { kind, after, limit }: PageRequest & { kind?: string | undefined },
): Promise<GivenUpJob[]> {
  let query = db.selectFrom('given_up_jobs').selectAll().orderBy('given_up_at').orderBy('job_id').limit(limit)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (after) query = query.where(isAfter(['given_up_at', 'job_id'], after))
  return (await reader.all(query)).map(fromRow)
}

export async function deleteGivenUpBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('given_up_jobs')
    .select('job_id')
    .where('given_up_at', '<', before.toISOString())
    .orderBy('given_up_at')
    .limit(limit)
  return tx.run(db.deleteFrom('given_up_jobs').where('job_id', 'in', old))
}

/** Up to so many. */
export async function countGivenUp(reader: Reader, limit: number): Promise<number> {
  const first = db.selectFrom('given_up_jobs').select('job_id').limit(limit).as('first')
  const row = await reader.first(db.selectFrom(first).select((eb) => eb.fn.countAll<number>().as('count')))
  return row?.count ?? 0
}

const toRow = (job: GivenUpJob): Row => ({
  job_id: job.id,
  kind: job.kind,
  payload: job.payload,
  reason: job.reason,
  failures: job.failures,
  crashes: job.crashes,
  outage_retries: job.outageRetries,
  last_error: job.lastError ?? null,
  given_up_at: job.givenUpAt.toISOString(),
})

const fromRow = (row: Row): GivenUpJob => ({
  id: row.job_id,
  kind: row.kind,
  payload: row.payload,
  reason: row.reason as GiveUpReason,
  failures: row.failures,
  crashes: row.crashes,
  outageRetries: row.outage_retries,
  ...(row.last_error !== null && { lastError: row.last_error }),
  givenUpAt: new Date(row.given_up_at),
})
