import type { Dialect } from '../database/dialect.ts'
import type { Reader, Transaction, TransactionOptions } from '../database/port.ts'
import { prepare, queryBuilder } from '../database/query.ts'
import { type DueJobs, findDueJobs } from './fair-claims.ts'
import type { JobHistory } from './retry-policy.ts'
import type { JobTables } from './tables.ts'

export interface Job {
  id: string
  kind: string
  payload: string
  owner?: string
  history: JobHistory
  /** Why its last run was postponed or interrupted, if it was. */
  postponedFor?: string
}

/** A claim locks and checks again the rows that it takes, and all else names its lease. */
export const ROW_LOCKS_SUFFICE: TransactionOptions = { isolation: 'read committed' }

// Stored as the last error. Failures begin otherwise.
const POSTPONED = 'postponed: '
/** What is stored with a job that was postponed. */
export const errorOfPostponed = (reason: string) => POSTPONED + reason
const INTERRUPTED = `${POSTPONED}the worker stopped`

const db = queryBuilder<JobTables>()

type NewRow = Pick<JobTables['jobs'], 'job_id' | 'kind' | 'payload' | 'run_at' | 'owner'>

const NO_HISTORY = { failures: 0, crashes: 0, outage_retries: 0, outage_began_at: null, last_error: null }

const insertOf = (row: NewRow) =>
  db.insertInto('jobs').values({
    job_id: row.job_id,
    kind: row.kind,
    payload: row.payload,
    run_at: row.run_at,
    owner: row.owner,
    attempts: 0,
    ...NO_HISTORY,
    lease: null,
  })

const insert = prepare(insertOf)

/**
 * A job that is being run keeps its time, which is the end of its lease. It is written all the same: on PostgreSQL a
 * worker that ends the job at this moment read its state before, and only a write makes its transaction run again.
 */
const insertOrExpedite = prepare((row: NewRow) =>
  insertOf(row).onConflict((conflict) =>
    conflict.column('job_id').doUpdateSet((eb) => {
      const isEarlier = eb.and([eb('jobs.lease', 'is', null), eb('jobs.run_at', '>', eb.ref('excluded.run_at'))])
      return {
        run_at: eb.case().when(isEarlier).then(eb.ref('excluded.run_at')).else(eb.ref('jobs.run_at')).end(),
        // One that an earlier version stored for later may have no owner.
        owner: eb.case().when(isEarlier).then(eb.ref('excluded.owner')).else(eb.ref('jobs.owner')).end(),
      }
    }),
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
    .set({ run_at: params.until, ...NO_HISTORY })
    .where('job_id', '=', params.id)
    .where('lease', '=', params.lease),
)

const remove = prepare((params: { id: string; lease: string }) =>
  db.deleteFrom('jobs').where('job_id', '=', params.id).where('lease', '=', params.lease),
)

interface JobInput {
  id: string
  kind: string
  payload: object
  runAt: Date
  owner?: string
}

const toRow = (job: JobInput): NewRow => ({
  job_id: job.id,
  kind: job.kind,
  payload: JSON.stringify(job.payload),
  run_at: job.runAt.toISOString(),
  owner: job.owner ?? null,
})

export async function insertJob(tx: Transaction, job: JobInput): Promise<void> {
  await tx.runEach(insert, [toRow(job)])
}

/**
 * The same where a job of that id may be there already: if it waits, it runs at the earlier of the two times. If it is
 * being run, it ends in a transaction that is either before this one, and is gone, or after it, and sees what it wrote.
 */
export async function insertKeyedJob(tx: Transaction, job: JobInput): Promise<void> {
  await tx.runEach(insertOrExpedite, [toRow(job)])
}

export async function removeJobs(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.run(db.deleteFrom('jobs').where('job_id', 'in', ids))
}

/** When there will be something to do, if ever. */
export async function nextRunAt(reader: Reader): Promise<Date | undefined> {
  const row = await reader.first(earliest, {})
  return row && new Date(row.run_at)
}

// Jobs of unknown kinds are never claimed, so they are the oldest before long. A long queue is not read whole to find them.
const MAX_SEARCHED = 1_000

/** Kinds among the oldest jobs that are due and not among these. */
export async function findUnknownKinds(reader: Reader, kinds: readonly string[], now: Date): Promise<string[]> {
  const oldest = db
    .selectFrom('jobs')
    .select('kind')
    .where('run_at', '<=', now.toISOString())
    .orderBy('run_at')
    .limit(MAX_SEARCHED)
    .as('oldest')
  const rows = await reader.all(db.selectFrom(oldest).select('kind').distinct().where('kind', 'not in', kinds))
  return rows.map(({ kind }) => kind)
}

export interface Claim extends DueJobs {
  lease: string
  leaseEnds: Date
}

/** Claims jobs that are due. Until the lease ends, no other worker claims them. */
export async function claimJobs(tx: Transaction, dialect: Dialect, claim: Claim): Promise<Job[]> {
  const found = await findDueJobs(tx, claim)
  if (found.length === 0) return []
  let due = db
    .selectFrom('jobs')
    .select('job_id')
    .where('job_id', 'in', found)
    .where('run_at', '<=', claim.now.toISOString())
  // SQLite has one writer at a time; on PostgreSQL, workers that look at the same moment find different jobs.
  if (dialect === 'postgres') due = due.forUpdate().skipLocked()
  const rows = await tx.all(
    db
      .updateTable('jobs')
      .set((eb) => ({
        run_at: claim.leaseEnds.toISOString(),
        lease: claim.lease,
        // One that still has a lease was neither ended nor returned: its worker is gone.
        crashes: eb
          .case()
          .when('lease', 'is not', null)
          .then(eb('crashes', '+', 1))
          .else(eb.ref('crashes'))
          .end(),
      }))
      .where('job_id', 'in', due)
      .returning([
        'job_id',
        'kind',
        'payload',
        'owner',
        'failures',
        'crashes',
        'outage_retries',
        'outage_began_at',
        'last_error',
      ]),
  )
  const inTurn = rows.sort((one, other) => found.indexOf(one.job_id) - found.indexOf(other.job_id))
  return inTurn.map((row) => ({
    id: row.job_id,
    kind: row.kind,
    payload: row.payload,
    ...(row.owner !== null && { owner: row.owner }),
    ...(row.last_error?.startsWith(POSTPONED) && { postponedFor: row.last_error.slice(POSTPONED.length) }),
    history: {
      failures: row.failures,
      crashes: row.crashes,
      outageRetries: row.outage_retries,
      outageBeganAt: row.outage_began_at === null ? undefined : new Date(row.outage_began_at),
    },
  }))
}

/** Returns false if another worker holds the lease. */
export async function extendLease(tx: Transaction, id: string, lease: string, until: Date): Promise<boolean> {
  return (await tx.run(extend, { id, lease, until: until.toISOString() })) === 1
}

/** The same for a job that gets on: what went wrong before does not count any more. */
export async function renewLease(tx: Transaction, id: string, lease: string, until: Date): Promise<boolean> {
  return (await tx.run(renew, { id, lease, until: until.toISOString() })) === 1
}

/** Returns false if another worker holds the lease and will finish the job. */
export async function removeJob(tx: Transaction, id: string, lease: string): Promise<boolean> {
  return (await tx.run(remove, { id, lease })) === 1
}

/** Returns a job, to be claimed again at the time given. */
export async function rescheduleJob(
  tx: Transaction,
  job: { id: string; lease: string; runAt: Date; history: JobHistory; error: string },
): Promise<void> {
  const { failures, crashes, outageRetries, outageBeganAt } = job.history
  await tx.run(
    db
      .updateTable('jobs')
      .set({
        run_at: job.runAt.toISOString(),
        failures,
        crashes,
        outage_retries: outageRetries,
        outage_began_at: outageBeganAt?.toISOString() ?? null,
        last_error: job.error,
        lease: null,
      })
      .where('job_id', '=', job.id)
      .where('lease', '=', job.lease),
  )
}

/** The same for a job that was postponed, which is no failure. */
export function postponeJob(
  tx: Transaction,
  { reason, ...job }: { id: string; lease: string; runAt: Date; history: JobHistory; reason: string },
): Promise<void> {
  return rescheduleJob(tx, { ...job, error: errorOfPostponed(reason) })
}

/**
 * Makes jobs due that were postponed for a reason. A job that is being run is written, too: on PostgreSQL a worker that
 * postpones it at this moment then decides again.
 */
export async function expeditePostponed(tx: Transaction, reason: string, now: Date): Promise<number> {
  await tx.run(
    db
      .updateTable('jobs')
      .set((eb) => ({ lease: eb.ref('lease') }))
      .where('lease', 'is not', null),
  )
  const expedite = db.updateTable('jobs').set({ run_at: now.toISOString(), last_error: null })
  return tx.run(expedite.where('last_error', '=', errorOfPostponed(reason)).where('lease', 'is', null))
}

/** Returns a job as it was when it was claimed, but one that has not failed says that it was interrupted. */
export async function releaseJob(tx: Transaction, id: string, lease: string, now: Date): Promise<void> {
  const release = db.updateTable('jobs').set((eb) => ({
    run_at: now.toISOString(),
    lease: null,
    last_error: eb
      .case()
      .when(eb.or([eb('last_error', 'is', null), eb('last_error', 'like', `${POSTPONED}%`)]))
      .then(INTERRUPTED)
      .else(eb.ref('last_error'))
      .end(),
  }))
  await tx.run(release.where('job_id', '=', id).where('lease', '=', lease))
}

/** Returns jobs whose run has not begun, but none that another transaction has locked. */
export async function returnJobs(tx: Transaction, leases: readonly string[], now: Date): Promise<void> {
  let held = db.selectFrom('jobs').select('job_id').where('lease', 'is not', null).where('lease', 'in', leases)
  if (tx.dialect === 'postgres') held = held.forUpdate().skipLocked()
  const command = db.updateTable('jobs').set({ run_at: now.toISOString(), lease: null })
  await tx.run(command.where('job_id', 'in', held))
}

/** Returns all jobs that were being run. Only for a process that knows that all workers are gone: they crashed. */
export async function releaseAllJobs(tx: Transaction, now: Date): Promise<void> {
  await tx.run(
    db
      .updateTable('jobs')
      .set((eb) => ({ run_at: now.toISOString(), lease: null, crashes: eb('crashes', '+', 1) }))
      .where('lease', 'is not', null),
  )
}
