import type { Transaction } from '../database/port.ts'

/** A piece of work to be done later. It commits with whatever caused it, or not at all. */
export interface NewJob {
  /** Which handler does it. */
  kind: string
  /** What the handler needs to know: plain JSON, and little of it. */
  payload: object
  runAt: Date
  /**
   * Of all jobs of a kind with the same key there is one at a time. Another one makes the job that waits run at its own
   * time if that is earlier, and changes nothing else: the handler looks at the state of things when it runs.
   */
  key?: string
}

export interface JobQueue {
  enqueue(tx: Transaction, job: NewJob): Promise<void>
}

export interface JobContext {
  /** Aborts when the worker stops or has lost the job. The handler throws then, and the job is done again later. */
  signal: AbortSignal
  /**
   * Writes a part of the job's effect, once: it commits only while the job is in hand. A job that gets on is not one that
   * has been taken too often.
   */
  checkpoint(effect: (tx: Transaction) => Promise<void>): Promise<void>
  /** Writes the job's effect. The job ends in the same transaction, so the effect happens once. */
  finish(effect: (tx: Transaction) => Promise<void>): Promise<void>
}

/** What does one kind of job. It may be run again after a crash at any moment, and must then come to the same end. */
export interface JobHandler<Payload> {
  run(payload: Payload, context: JobContext): Promise<void>
  /** Records that the job will never be done: it has failed too often. */
  giveUp(tx: Transaction, payload: Payload): Promise<void>
  /** Prepares a retry of a job that was given up. Without it, the job is enqueued as it was. */
  reset?(tx: Transaction, payload: Payload): Promise<ResetResult>
}

/**
 * `enqueue`: enqueue the job as it was. `enqueued`: the handler has enqueued the work by other means. `obsolete`: nothing
 * is left to do.
 */
export type ResetResult = 'enqueue' | 'enqueued' | 'obsolete'

// biome-ignore lint/suspicious/noExplicitAny: each handler knows the payload of its own kind.
export type JobHandlers = Readonly<Record<string, JobHandler<any>>>
