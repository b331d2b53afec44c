import type { Clock } from '../clock/port.ts'
import type { Database, Transaction } from '../database/port.ts'
import type { Ids } from '../ids/port.ts'
import type { Logger } from '../logging/logger.ts'
import type { JobContext, JobHandlers } from './port.ts'
import { claimJobs, extendLease, type Job, nextRunAt, removeJob, renewJob, returnJob } from './store.ts'

export interface JobRunnerOptions {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  handlers: JobHandlers
  /** How many jobs are in hand at the same time. */
  concurrency: number
  /** After how long without a sign of life somebody else takes a job. */
  leaseSeconds: number
}

const POLL_MILLISECONDS = 500
const MOST_FAILURES = 6
// A job that takes the whole process down with it, again and again, must end too.
const MOST_ATTEMPTS = 20
const FIRST_PAUSE_MILLISECONDS = 1_000

/** Somebody else has the job by now: whatever we did with it must not be written. */
class LeaseLostError extends Error {
  constructor() {
    super('The job was taken by another worker')
    this.name = 'LeaseLostError'
  }
}

/** Takes jobs from the table and hands them to their handlers, until it is stopped. Several may run at once. */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #inHand = new Map<string, Promise<void>>()
  readonly #ending = new AbortController()
  readonly #loop: Promise<void>
  #nap: AbortController | undefined
  #somethingNew = false
  #idleListeners: (() => void)[] = []

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#loop = this.#work()
  }

  /** Look for jobs now. */
  wake(): void {
    this.#somethingNew = true
    this.#nap?.abort()
  }

  /** Resolves when no job is in hand and none is due. */
  idle(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve)
      this.wake()
    })
  }

  /** Gives back what is in hand and cannot be finished at once. Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#ending.abort()
    this.wake()
    await this.#loop
    await Promise.all(this.#inHand.values())
    this.#tellIdle()
  }

  async #work(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      this.#somethingNew = false
      let napMilliseconds = POLL_MILLISECONDS
      try {
        napMilliseconds = await this.#takeWhatIsDue()
      } catch (err) {
        this.#options.logger.warn({ err }, 'cannot look for jobs; it will be tried again')
      }
      await this.#rest(napMilliseconds)
    }
  }

  /** Answers how long there will be nothing to do as far as is known. */
  async #takeWhatIsDue(): Promise<number> {
    const { database, clock, concurrency } = this.#options
    for (;;) {
      const free = concurrency - this.#inHand.size
      if (free <= 0 || this.#ending.signal.aborted) return POLL_MILLISECONDS
      const runAt = await database.read(nextRunAt)
      const wait = runAt ? runAt.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
      const taken = wait <= 0 ? await this.#claim(free) : 0
      if (taken > 0) continue
      if (this.#inHand.size === 0) this.#tellIdle()
      return Math.min(POLL_MILLISECONDS, Math.max(wait, 1))
    }
  }

  async #claim(limit: number): Promise<number> {
    const { database, ids } = this.#options
    const lease = ids.next('lease')
    const jobs = await database.transact((tx) =>
      claimJobs(tx, database.dialect, {
        now: this.#options.clock.now(),
        lease,
        leaseEnds: this.#leaseEnd(),
        limit,
        // A clock that is moved by an hour ends our own leases before we could prolong them.
        except: [...this.#inHand.keys()],
      }),
    )
    for (const job of jobs) {
      const done = this.#do(job, lease).finally(() => {
        this.#inHand.delete(job.id)
        this.wake()
      })
      this.#inHand.set(job.id, done)
    }
    return jobs.length
  }

  /** Does one job, whatever happens. Never rejects. */
  async #do(job: Job, lease: string): Promise<void> {
    const { logger, handlers } = this.#options
    const { id, kind } = job
    const handler = handlers[kind]
    const leaseLost = new AbortController()
    const over = new AbortController()
    const signal = AbortSignal.any([this.#ending.signal, leaseLost.signal])
    const heartbeat = this.#keepLease(id, lease, over.signal, () => leaseLost.abort(new LeaseLostError()))
    let finished = false
    const finish: JobContext['finish'] = async (effect) => {
      await this.#end(id, lease, effect)
      finished = true
    }
    const checkpoint: JobContext['checkpoint'] = async (effect) => {
      signal.throwIfAborted()
      await this.#record(id, lease, effect)
      job.attempts = 1
    }
    try {
      if (!handler) throw new Error(`There is no handler for jobs of the kind ${kind}`)
      if (job.attempts > MOST_ATTEMPTS) throw new Error('The job was taken too often without coming to an end')
      await handler.run(JSON.parse(job.payload), { signal, checkpoint, finish })
      if (!finished) await finish(async () => {})
    } catch (err) {
      if (err instanceof LeaseLostError || leaseLost.signal.aborted) {
        logger.warn({ job: id, kind }, 'another worker took the job; what was done here is dropped')
      } else {
        await this.#dealWithFailure(job, lease, err).catch((cause: unknown) =>
          logger.error({ err: cause, job: id, kind }, 'cannot give the job back; it returns when its lease ends'),
        )
      }
    } finally {
      over.abort()
      await heartbeat
    }
  }

  #record(id: string, lease: string, effect: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#options.database.transact(async (tx) => {
      if (!(await renewJob(tx, id, lease, this.#leaseEnd()))) throw new LeaseLostError()
      await effect(tx)
    })
  }

  #end(id: string, lease: string, effect: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#options.database.transact(async (tx) => {
      if (!(await removeJob(tx, id, lease))) throw new LeaseLostError()
      await effect(tx)
    })
  }

  async #dealWithFailure(job: Job, lease: string, err: unknown): Promise<void> {
    const { database, clock, logger, handlers } = this.#options
    const { id, kind, attempts } = job
    if (this.#ending.signal.aborted) {
      logger.info({ job: id, kind }, 'stopping; the job is given back')
      const returned = { id, lease, runAt: clock.now(), attempts: attempts - 1 }
      return database.transact((tx) => returnJob(tx, returned))
    }
    if (attempts >= MOST_FAILURES) {
      logger.error({ err, job: id, kind, attempts }, 'the job failed too often and is given up')
      return this.#end(id, lease, async (tx) => handlers[kind]?.giveUp(tx, JSON.parse(job.payload)))
    }
    const pause = FIRST_PAUSE_MILLISECONDS * 2 ** (attempts - 1)
    logger.warn({ err, job: id, kind, attempts, pause }, 'the job failed and will be tried again')
    const runAt = new Date(clock.now().getTime() + pause)
    await database.transact((tx) => returnJob(tx, { id, lease, runAt, attempts }))
  }

  /** Shows that we are alive for as long as the job is in hand. */
  async #keepLease(id: string, lease: string, over: AbortSignal, onLost: () => void): Promise<void> {
    const { database, clock, leaseSeconds, logger } = this.#options
    for (;;) {
      await clock.sleep((leaseSeconds * 1000) / 3, over)
      if (over.aborted) return
      try {
        if (await database.transact((tx) => extendLease(tx, id, lease, this.#leaseEnd()))) continue
        // The job itself may have ended it in the meantime.
        return over.aborted ? undefined : onLost()
      } catch (err) {
        logger.warn({ err, job: id }, 'cannot prolong the lease of a job; it will be tried again')
      }
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    if (this.#somethingNew || this.#ending.signal.aborted) return
    this.#nap = new AbortController()
    await this.#options.clock.sleep(milliseconds, this.#nap.signal)
    this.#nap = undefined
  }

  #leaseEnd(): Date {
    return new Date(this.#options.clock.now().getTime() + this.#options.leaseSeconds * 1000)
  }

  #tellIdle(): void {
    // Those who came while something was being looked for wait for the next look.
    if (this.#somethingNew && !this.#ending.signal.aborted) return
    for (const resolve of this.#idleListeners.splice(0)) resolve()
  }
}
