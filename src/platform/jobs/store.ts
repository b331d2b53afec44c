import type { Dialect, Reader, Transaction } from '../database/port.ts'
import { prepare, queryBuilder } from '../database/query.ts'

interface JobTables {
  jobs: {
    job_id: string
    kind: string
    /** JSON */
    payload: string
    /** When it may be taken. Of a job in hand: when its lease ends, and it may be taken again. */
    run_at: string
    attempts: number
    /** The secret of whoever has the job in hand. */
    lease: string | null
  }
}

export interface Job {
  id: string
  kind: string
  payload: string
  /** How often it has been taken, this time included. */
  attempts: number
}

const db = queryBuilder<JobTables>()

const insertOf = (row: JobTables['jobs']) =>
  db.insertInto('jobs').values({
    job_id: row.job_id,
    kind: row.kind,
    payload: row.payload,
    run_at: row.run_at,
    attempts: row.attempts,
    lease: row.lease,
  })

const insert = prepare(insertOf)

/** A job that is being run is left alone: `run_at` is the end of its lease then. */
const insertOrMoveUp = prepare((row: JobTables['jobs']) =>
  insertOf(row).onConflict((conflict) =>
    conflict
      .column('job_id')
      .doUpdateSet((eb) => ({ run_at: eb.ref('excluded.run_at') }))
      .where('jobs.lease', 'is', null)
      .whereRef('jobs.run_at', '>', 'excluded.run_at'),
  ),
)

const earliest = prepare((_: object) => db.selectFrom('jobs').select('run_at').orderBy('run_at').limit(1))

const extend = prepare((params: { id: string; lease: string; until: string }) =>
  db
    .updateTable('jobs')
    .set({ run_at: params.until })
    .where('job_id', '=', params.id)
    .where('lease', '=', params.lease),
)

const renew = prepare((params: { id: string; lease: string; until: string }) =>
  db
    .updateTable('jobs')
    .set({ run_at: params.until, attempts: 1 })
    .where('job_id', '=', params.id)
    .where('lease', '=', params.lease),
)

const remove = prepare((params: { id: string; lease: string }) =>
  db.deleteFrom('jobs').where('job_id', '=', params.id).where('lease', '=', params.lease),
)

interface QueuedJob {
  id: string
  kind: string
  payload: object
  runAt: Date
}

const toRow = (job: QueuedJob): JobTables['jobs'] => ({
  job_id: job.id,
  kind: job.kind,
  payload: JSON.stringify(job.payload),
  run_at: job.runAt.toISOString(),
  attempts: 0,
  lease: null,
})

export async function insertJob(tx: Transaction, job: QueuedJob): Promise<void> {
  await tx.run(insert, toRow(job))
}

/**
 * The same where a job of that id may be there already: if it waits, it runs at the earlier of the two times. If it is
 * being run, it ends in a transaction that is either before this one, and is gone, or after it, and sees what it wrote.
 */
export async function insertKeyedJob(tx: Transaction, job: QueuedJob): Promise<void> {
  await tx.run(insertOrMoveUp, toRow(job))
}

/** When there will be something to do, if ever. */
export async function nextRunAt(reader: Reader): Promise<Date | undefined> {
  const row = await reader.first(earliest, {})
  return row && new Date(row.run_at)
}

/** Takes jobs whose time has come. Until the lease ends, nobody else takes them. */
export async function claimJobs(
  tx: Transaction,
  dialect: Dialect,
  claim: { now: Date; lease: string; leaseEnds: Date; limit: number; except: readonly string[] },
): Promise<Job[]> {
  let due = db
    .selectFrom('jobs')
    .select('job_id')
    .where('run_at', '<=', claim.now.toISOString())
    .orderBy('run_at')
    .orderBy('job_id')
    .limit(claim.limit)
  if (claim.except.length > 0) due = due.where('job_id', 'not in', claim.except)
  // SQLite has one writer at a time; on PostgreSQL, workers that look at the same moment find different jobs.
  if (dialect === 'postgres') due = due.forUpdate().skipLocked()
  const rows = await tx.all(
    db
      .updateTable('jobs')
      .set((eb) => ({
        run_at: claim.leaseEnds.toISOString(),
        lease: claim.lease,
        attempts: eb('attempts', '+', 1),
      }))
      .where('job_id', 'in', due)
      .returning(['job_id', 'kind', 'payload', 'attempts']),
  )
  return rows.map((row) => ({ id: row.job_id, kind: row.kind, payload: row.payload, attempts: row.attempts }))
}

/** False when the lease has gone to somebody else. */
export async function extendLease(tx: Transaction, id: string, lease: string, until: Date): Promise<boolean> {
  return (await tx.run(extend, { id, lease, until: until.toISOString() })) === 1
}

/** The same for a job that gets on: it has been taken for the first time, as it were. */
export async function renewJob(tx: Transaction, id: string, lease: string, until: Date): Promise<boolean> {
  return (await tx.run(renew, { id, lease, until: until.toISOString() })) === 1
}

/** False when the lease has gone to somebody else, who will end the job. */
export async function removeJob(tx: Transaction, id: string, lease: string): Promise<boolean> {
  return (await tx.run(remove, { id, lease })) === 1
}

/** Gives a job back, to be taken again at the time given. */
export async function returnJob(
  tx: Transaction,
  { id, lease, runAt, attempts }: { id: string; lease: string; runAt: Date; attempts: number },
): Promise<void> {
  await tx.run(
    db
      .updateTable('jobs')
      .set({ run_at: runAt.toISOString(), lease: null, attempts })
      .where('job_id', '=', id)
      .where('lease', '=', lease),
  )
}

/** Gives all jobs back that somebody had in hand. Only for whoever knows that nobody else is alive. */
export async function returnAllJobs(tx: Transaction, now: Date): Promise<void> {
  await tx.run(db.updateTable('jobs').set({ run_at: now.toISOString(), lease: null }).where('lease', 'is not', null))
}
