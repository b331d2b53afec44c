import type { Transaction, TransactionOptions } from '../database/port.ts'

/** Work to be done later. It commits with the change that caused it, or not at all. */
export interface NewJob {
  kind: string
  /** Small and plain JSON. */
  payload: object
  runAt: Date
  /**
   * The seller for whom it is, of jobs that a seller can request in any number. Owners take turns, so that one with a
   * thousand jobs does not delay the others when they are due.
   */
  owner?: string
  /**
   * At most one job per kind and key exists. Enqueueing another one only moves the waiting job forward if it is due
   * earlier: the handler reads the current state when it runs.
   */
  key?: string
}

export interface JobQueue {
  enqueue(tx: Transaction, job: NewJob): Promise<void>
  /** Removes the jobs of a kind with these keys, waiting or running: one that is running does not commit any more. */
  remove(tx: Transaction, kind: string, keys: readonly string[]): Promise<void>
}

export interface JobContext {
  /** Aborts when the worker stops or has lost its lease. The handler throws then, and the job runs again later. */
  signal: AbortSignal
  /**
   * Why the last run ended early without a failure, if it did: the reason of its `PostponedError`, or that its worker
   * stopped.
   */
  postponedFor?: string | undefined
  /**
   * Writes a part of the job's effect, once: it commits only while the lease is held. Progress resets the count of
   * crashes.
   */
  checkpoint(effect: (tx: Transaction) => Promise<void>, options?: EffectOptions): Promise<void>
  /** Writes the job's effect. The job ends in the same transaction, so the effect happens once. */
  finish(effect: (tx: Transaction) => Promise<void>, options?: EffectOptions): Promise<void>
}

export interface EffectOptions extends TransactionOptions {
  /** Locks and reads what must be locked before the row of the job. */
  lockFirst?(tx: Transaction): Promise<unknown>
}

/** Runs one kind of job. It may run again after a crash at any time, and must then have the same result. */
export interface JobHandler<Payload> {
  run(payload: Payload, context: JobContext): Promise<void>
  /** Records that the job will never be done: it has failed too often. */
  giveUp(tx: Transaction, payload: Payload): Promise<void>
  /** Prepares a retry of a job that was given up. Without it, the job is enqueued as it was. */
  reset?(tx: Transaction, payload: Payload): Promise<ResetResult>
  /** Ends the work without a result: as cancelled if it had no effect yet. */
  cancel?(tx: Transaction, payload: Payload): Promise<void>
  /** What kind of report or feed it is, for rules of the stand-in. Undefined if it does not exist any more. */
  typeOf?(payload: Payload): Promise<string | undefined>
  /** Whether the work has ended, or was cancelled, by other means. */
  isObsolete?(payload: Payload): Promise<boolean>
}

/** Thrown by a handler that cannot run yet, which is no failure. The job runs again at the time that is asked for last. */
export class PostponedError extends Error {
  readonly until: () => Date

  constructor(reason: string, until: () => Date) {
    super(reason)
    this.name = 'PostponedError'
    this.until = until
  }
}

/**
 * `enqueue`: enqueue the job as it was. `enqueued`: the handler has enqueued the work by other means. `obsolete`: nothing
 * is left to do.
 */
export type ResetResult = 'enqueue' | 'enqueued' | 'obsolete'

// biome-ignore lint/suspicious/noExplicitAny: each handler knows the payload of its own kind.
export type JobHandlers = Readonly<Record<string, JobHandler<any>>>
