import type { Clock } from '../clock/port.ts'
import type { Database, Transaction } from '../database/port.ts'
import type { Ids } from '../ids/port.ts'
import type { Logger } from '../logging/logger.ts'
import { Lookout } from '../lookout.ts'
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
  readonly #lookout: Lookout

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#lookout = new Lookout({
      clock: options.clock,
      look: () => this.#takeWhatIsDue(),
      onFailure: (err) => options.logger.warn({ err }, 'cannot look for jobs; it will be tried again'),
    })
  }

  /** Look for jobs now. */
  wake(): void {
    this.#lookout.wake()
  }

  /** Resolves when no job is in hand and none is due. */
  idle(): Promise<void> {
    return this.#lookout.idle()
  }

  /** Gives back what is in hand and cannot be finished at once. Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#lookout.stop()
  }

  /** Answers how long there will be nothing to do as far as is known. */
  async #takeWhatIsDue(): Promise<number> {
    const { database, clock, concurrency } = this.#options
    for (;;) {
      const free = concurrency - this.#lookout.inHand.length
      if (free <= 0 || this.#lookout.signal.aborted) return Number.POSITIVE_INFINITY
      const runAt = await database.read(nextRunAt)
      const wait = runAt ? runAt.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
      const taken = wait <= 0 ? await this.#claim(free) : 0
      if (taken > 0) continue
      if (this.#lookout.inHand.length === 0) this.#lookout.tellIdle()
      return wait
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
        except: this.#lookout.inHand,
      }),
    )
    for (const job of jobs) this.#lookout.take(job.id, this.#do(job, lease))
    return jobs.length
  }

  /** Does one job, whatever happens. Never rejects. */
  async #do(job: Job, lease: string): Promise<void> {
    const { logger, handlers } = this.#options
    const { id, kind } = job
    const handler = handlers[kind]
    const leaseLost = new AbortController()
    const over = new AbortController()
    const signal = AbortSignal.any([this.#lookout.signal, leaseLost.signal])
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
    if (this.#lookout.signal.aborted) {
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

  #leaseEnd(): Date {
    return new Date(this.#options.clock.now().getTime() + this.#options.leaseSeconds * 1000)
  }
}
