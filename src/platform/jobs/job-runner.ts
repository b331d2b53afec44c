import { longestBackoff } from '../backoff.ts'
import type { Clock } from '../clock/port.ts'
import type { Database, Transaction } from '../database/port.ts'
import { describeError } from '../errors/describe-error.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'
import type { Ids } from '../ids/port.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metric } from '../metrics/port.ts'
import { parseStoredObject, requireStoredObject } from '../stored-json.ts'
import { UnconfirmedLeases } from '../unreturned-leases.ts'
import { type Rest, WorkLoop } from '../work-loop.ts'
import { Turns } from './fair-claims.ts'
import { insertGivenUp } from './given-up-store.ts'
import { createSuspensionGauge } from './job-metrics.ts'
import { NextRuns } from './next-runs.ts'
import { Places } from './places.ts'
import { type EffectOptions, type JobContext, type JobHandlers, PostponedError } from './port.ts'
import {
  CrashedTooOftenError,
  decideRetry,
  type GiveUpReason,
  hasCrashedTooOften,
  NO_FAILURES,
} from './retry-policy.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import {
  claimJobs,
  extendLease,
  type Job,
  postponeJob,
  ROW_LOCKS_SUFFICE,
  releaseJob,
  removeJob,
  renewLease,
  rescheduleJob,
  returnJobs,
} from './store.ts'
import { SuspendedKinds } from './suspended-kinds.ts'

export interface JobRunnerOptions {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  handlers: JobHandlers
  /** Maximum number of jobs that run at the same time. */
  concurrency: number
  /** After this time without a renewal, another worker can claim the job. */
  leaseSeconds: number
  /** How long a job is retried while a dependency is unavailable. */
  outageLimitMilliseconds: number
}

type Effect = (tx: Transaction) => Promise<void>

const NOT_BEFORE_WOKEN: Rest = { milliseconds: Number.POSITIVE_INFINITY }
const MAX_CLAIM_PAUSE_MILLISECONDS = 100

/** Another worker has claimed the job, so this run must not write anything. */
class LeaseLostError extends Error {
  constructor() {
    super('The job was claimed by another worker')
    this.name = 'LeaseLostError'
  }
}

/** Claims and runs jobs of the kinds it has handlers for. Safe to run in several processes. */
export class JobRunner extends WorkLoop {
  readonly #options: JobRunnerOptions
  readonly #suspended: SuspendedKinds
  readonly #nextRuns: NextRuns
  readonly #turns = new Turns()
  readonly #places: Places
  readonly #unconfirmed: UnconfirmedLeases
  /** How many in a row found due jobs, but could not claim one. */
  #missedClaims = 0

  constructor(options: JobRunnerOptions) {
    super(options.clock)
    this.#options = options
    const kinds = Object.keys(options.handlers)
    this.#suspended = new SuspendedKinds(options)
    this.#nextRuns = new NextRuns({ ...options, kinds })
    this.#places = new Places(kinds, options.concurrency)
    this.#unconfirmed = new UnconfirmedLeases(options)
  }

  get metrics(): readonly Metric[] {
    return [createSuspensionGauge(Object.keys(this.#options.handlers), (kind) => this.#suspended.has(kind))]
  }

  protected override onPollError(err: unknown): void {
    this.#options.logger.warn({ err }, 'cannot poll for jobs; retrying')
  }

  protected override onAbandoned(jobs: readonly string[]): void {
    this.#options.logger.warn({ jobs }, 'stopped before these jobs finished; their leases will expire')
  }

  protected override async poll(): Promise<Rest> {
    const { database, clock } = this.#options
    await this.#unconfirmed.returnAll((leases) =>
      database.transact((tx) => returnJobs(tx, leases, clock.now()), ROW_LOCKS_SUFFICE),
    )
    await this.#nextRuns.logUnknownKinds()
    for (;;) {
      if (this.#places.free === 0 || this.signal.aborted) return NOT_BEFORE_WOKEN
      const { othersFirst } = this.#suspended
      // Mostly before other kinds, which may have enough jobs to fill every place for hours.
      if (!othersFirst && (await this.#tryOne())) continue
      const kinds = Object.keys(this.#options.handlers).filter(
        (kind) => !this.#suspended.has(kind) && this.#places.freeFor([kind]) > 0,
      )
      const { wait, claimed } = await this.#claimDue(kinds, this.#places.freeFor(kinds), this.#turns)
      this.#missedClaims = wait <= 0 && claimed === 0 ? this.#missedClaims + 1 : 0
      // After the first miss too: another worker may have claimed what was due.
      if (claimed > 0 || this.#missedClaims === 1) continue
      if (othersFirst && (await this.#tryOne())) continue
      // A transaction has locked what is due, or it runs here and its lease has ended. Both end in real time.
      const claimPause = Math.min(2 ** this.#missedClaims, MAX_CLAIM_PAUSE_MILLISECONDS)
      if (wait <= 0) return { ...NOT_BEFORE_WOKEN, realMilliseconds: claimPause }
      if (this.running.length === 0) this.notifyIdle()
      const { pause } = this.#suspended
      return { milliseconds: Math.min(wait, pause), realMilliseconds: pause }
    }
  }

  /** Returns whether it was the turn of a suspended kind, also if no job of it is due. */
  async #tryOne(): Promise<boolean> {
    const trial = this.#suspended.takeTrial()
    if (trial) await this.#claimDue([trial.kind], 1, trial.turns)
    return trial !== undefined
  }

  /** Claims jobs that are due, and starts them. Returns how many, and the milliseconds until the first is or was due. */
  async #claimDue(kinds: readonly string[], limit: number, turns: Turns): Promise<{ wait: number; claimed: number }> {
    const { database, clock, ids } = this.#options
    const { wait, from } = await this.#nextRuns.find(kinds)
    if (wait > 0) return { wait, claimed: 0 }
    const lease = ids.next('lease')
    // Moving the clock by an hour expires this worker's own leases before it can renew them.
    const claim = { lease, limit, kinds, from, except: this.running, turns }
    const jobs = await this.#unconfirmed.claim(lease, () =>
      database.transact(
        (tx) => claimJobs(tx, database.dialect, { ...claim, now: clock.now(), leaseEnds: this.#leaseEnd() }),
        ROW_LOCKS_SUFFICE,
      ),
    )
    for (const job of jobs) {
      this.#suspended.began(job.id, job.kind)
      const free = this.#places.take(job.kind)
      this.track(job.id, this.#run(job, lease).finally(free))
    }
    return { wait, claimed: jobs.length }
  }

  /** Runs one job. Never rejects. */
  async #run(job: Job, lease: string): Promise<void> {
    const { clock, logger, handlers } = this.#options
    const { id, kind } = job
    const leaseLost = new AbortController()
    const done = new AbortController()
    const signal = AbortSignal.any([this.signal, leaseLost.signal])
    const heartbeat = this.#keepLease(id, lease, AbortSignal.any([done.signal, this.abandoned]), () =>
      leaseLost.abort(new LeaseLostError()),
    )
    let finished = false
    const finish: JobContext['finish'] = async (effect, options) => {
      await this.#remove(id, lease, effect, options)
      finished = true
      if (this.#suspended.worked(kind)) this.wake()
    }
    const checkpoint: JobContext['checkpoint'] = async (effect, options) => {
      signal.throwIfAborted()
      await this.#record(id, lease, effect, options)
      job.history = NO_FAILURES
      if (this.#suspended.worked(kind)) this.wake()
    }
    try {
      if (hasCrashedTooOften(job.history)) throw new CrashedTooOftenError(job.history.crashes)
      const { postponedFor } = job
      await handlers[kind]?.run(requireStoredObject(job.payload), { signal, checkpoint, finish, postponedFor })
      if (!finished) await finish(async () => {})
    } catch (err) {
      if (err instanceof LeaseLostError || leaseLost.signal.aborted) {
        logger.warn({ job: id, kind }, 'lease lost: another worker claimed the job; discarding this run')
      } else {
        if (!this.signal.aborted) this.#suspended.failed(kind, err)
        await retryWhileUnavailable(clock, signal, () => this.#handleError(job, lease, err)).catch((cause: unknown) => {
          // An end that was not confirmed is recorded again.
          const hasEnded = cause instanceof LeaseLostError
          const state = hasEnded
            ? 'it has ended, or another worker claimed it'
            : 'it will be claimed again when its lease expires'
          logger.error({ err: cause, job: id, kind }, `cannot release the job; ${state}`)
        })
      }
    } finally {
      done.abort()
      await heartbeat
      this.#suspended.ended(id)
    }
  }

  #record(id: string, lease: string, effect: Effect, options?: EffectOptions): Promise<void> {
    return this.#options.database.transact(async (tx) => {
      await options?.lockFirst?.(tx)
      if (!(await renewLease(tx, id, lease, this.#leaseEnd()))) throw new LeaseLostError()
      await effect(tx)
    }, options)
  }

  #remove(id: string, lease: string, effect: Effect, options?: EffectOptions): Promise<void> {
    return this.#options.database.transact(async (tx) => {
      await options?.lockFirst?.(tx)
      if (!(await removeJob(tx, id, lease))) throw new LeaseLostError()
      await effect(tx)
    }, options)
  }

  async #handleError(job: Job, lease: string, err: unknown): Promise<void> {
    const { database, clock, ids, logger, outageLimitMilliseconds } = this.#options
    const { id, kind } = job
    const now = clock.now()
    if (this.signal.aborted) {
      logger.info({ job: id, kind }, 'stopping; job released')
      return database.transact((tx) => releaseJob(tx, id, lease, now), ROW_LOCKS_SUFFICE)
    }
    if (err instanceof PostponedError) {
      logger.debug({ job: id, kind, reason: err.message }, 'job postponed')
      const { history } = job
      // Serializable: a rule that is removed at this moment makes its jobs due, and this one then decides again.
      return database.transact((tx) => postponeJob(tx, { id, lease, runAt: err.until(), history, reason: err.message }))
    }
    const decision = decideRetry(job.history, err, { now, outageLimitMilliseconds, seed: ids.next('lease') })
    const { history } = decision
    if (decision.giveUp) return this.#giveUp({ ...job, history }, lease, decision.giveUp, err)
    const { backoffMilliseconds } = decision
    const isOutage = err instanceof UnavailableError
    const runAt = new Date(now.getTime() + backoffMilliseconds)
    await database.transact(
      (tx) => rescheduleJob(tx, { id, lease, runAt, history, error: describeError(err) }),
      ROW_LOCKS_SUFFICE,
    )
    // Logged after the write: during an outage the write is retried every second.
    logger.warn(
      { err, job: id, kind, ...history, backoffMilliseconds },
      isOutage ? 'dependency unavailable; job will be retried' : 'job failed; it will be retried',
    )
  }

  async #giveUp({ history, ...job }: Job, lease: string, reason: GiveUpReason, err: unknown): Promise<void> {
    const { database, clock, ids, logger, handlers } = this.#options
    const { id, kind } = job
    const { failures, crashes, outageRetries } = history
    const counts = { failures, crashes, outageRetries }
    try {
      await this.#remove(id, lease, async (tx) => {
        const subject = parseStoredObject(job.payload)
        if (subject) await handlers[kind]?.giveUp(tx, subject)
        await insertGivenUp(tx, { ...job, ...counts, reason, lastError: describeError(err), givenUpAt: clock.now() })
      })
      logger.error({ err, job: id, kind, reason, ...history }, 'job given up')
    } catch (cause) {
      if (cause instanceof UnavailableError || cause instanceof LeaseLostError) throw cause
      // With its lease left to expire, the job would count as crashed and run again at every expiry.
      const backoffMilliseconds = longestBackoff(ids.next('lease'))
      logger.error(
        { err: cause, job: id, kind, reason, ...history, backoffMilliseconds },
        'cannot give up the job; retrying',
      )
      const runAt = new Date(clock.now().getTime() + backoffMilliseconds)
      await database.transact(
        (tx) => rescheduleJob(tx, { id, lease, runAt, history, error: describeError(cause) }),
        ROW_LOCKS_SUFFICE,
      )
    }
  }

  /** Renews the lease while the job is running. */
  async #keepLease(id: string, lease: string, done: AbortSignal, onLost: () => void): Promise<void> {
    const { database, clock, leaseSeconds, logger } = this.#options
    for (;;) {
      await clock.sleep((leaseSeconds * 1000) / 3, done)
      if (done.aborted) return
      try {
        if (await database.transact((tx) => extendLease(tx, id, lease, this.#leaseEnd()), ROW_LOCKS_SUFFICE)) continue
        // The job may have finished and removed its lease.
        return done.aborted ? undefined : onLost()
      } catch (err) {
        logger.warn({ err, job: id }, 'cannot renew the job lease; retrying')
      }
    }
  }

  #leaseEnd(): Date {
    return new Date(this.#options.clock.now().getTime() + this.#options.leaseSeconds * 1000)
  }
}
