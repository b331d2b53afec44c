import { createService, type Service } from '../../src/composition/service.ts'
import { DEFAULT_AUDIT_DAYS, defaultPolicy, defaultWorker } from '../../src/config/config.ts'
import { Sealer } from '../../src/platform/auth/sealer.ts'
import type { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Clock, VirtualClock } from '../../src/platform/clock/port.ts'
import type { Database } from '../../src/platform/database/port.ts'
import type { Ids } from '../../src/platform/ids/port.ts'
import type { Logger } from '../../src/platform/logging/logger.ts'
import { defaultReadings } from '../../src/platform/readings.ts'
import type { Background } from '../../src/worker/background.ts'
import { startBackground } from '../../src/worker/in-process-background.ts'
import { OPERATOR_KEY, SIGNING_SECRET } from './marketplace.ts'
import { type Arrival, type Bucket, scheduledDatabase, scheduledDocuments, scheduledMessenger } from './ports.ts'
import type { CallOwner, Scheduler } from './scheduler.ts'

/** What all instances share. */
export interface Shared {
  database: Database
  clock: ManualClock
  ids: Ids
  logger: Logger
  bucket: Bucket
  arrivals: Arrival[]
  scheduler: Scheduler
  /** Minimum time of a job in each of its states. */
  delayMilliseconds: number
  /** Whether requests wake the worker of their instance, as in one process. Otherwise it polls. */
  wakesWorker: boolean
}

const signing = { required: false, masterSecret: SIGNING_SECRET, fallbackSecrets: [] }

/** After how many calls of a dependency, or transactions, an instance crashes: before the effect of the next or after it. */
export interface CrashPlan {
  calls: number
  of: 'calls' | 'transactions'
  moment: 'before' | 'after'
}

/** A process that serves requests and runs background work, until it crashes. */
export class Instance implements CallOwner {
  readonly name: string
  isDead = false
  /** Number of injected faults that this instance got. */
  faults = 0
  readonly died: Promise<void>
  #service: Service | undefined
  #announce: () => void
  #crash: CrashPlan | undefined

  constructor(name: string) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.name = name
    this.died = promise
    this.#announce = resolve
  }

  get isReady(): boolean {
    return this.#service !== undefined && !this.isDead
  }

  get edge() {
    return (this.#service as Service).edge
  }

  planCrash({ calls, of, moment }: CrashPlan): void {
    this.#crash = { calls, of, moment }
  }

  cancelCrash(): void {
    this.#crash = undefined
  }

  takeCrash(call: string): 'before' | 'after' | undefined {
    if (!this.#crash || (this.#crash.of === 'transactions' && call !== 'transact')) return undefined
    if (this.#crash.calls-- > 0) return undefined
    return this.#crash.moment
  }

  die(): void {
    this.isDead = true
    this.#announce()
  }

  noteFault(): void {
    this.faults++
  }

  async start(shared: Shared): Promise<void> {
    const { scheduler, bucket, arrivals, ids, logger, delayMilliseconds } = shared
    // The service moves its clock in the stand-in only, which this is not.
    const clock = this.#clock(shared.clock) as VirtualClock
    const database = scheduledDatabase(shared.database, scheduler, this)
    const store = scheduledDocuments(bucket, () => clock.now(), scheduler, this)
    let background: Background | undefined
    const service = await createService(
      {
        operatorKey: OPERATOR_KEY,
        operatorKeyFallbacks: [],
        rates: 'off',
        docs: false,
        console: false,
        auditDays: DEFAULT_AUDIT_DAYS,
        signing,
        solicitations: defaultPolicy,
        readings: defaultReadings,
      },
      { database, clock, ids, logger, documents: { store, sweeps: [] } },
      {
        publicUrl: () => 'https://souk.example',
        delayMilliseconds,
        ...(shared.wakesWorker && { wakeWorker: () => background?.wake() }),
      },
    )
    background = startBackground(
      {
        database,
        clock,
        ids,
        logger,
        documents: store,
        messenger: scheduledMessenger(arrivals, scheduler, this),
        sealer: new Sealer(signing),
      },
      { ...defaultWorker, delayMilliseconds },
    )
    this.#service = service
  }

  /** A dead instance sleeps for ever. */
  #clock(clock: ManualClock): Clock {
    return {
      now: () => clock.now(),
      sleep: async (milliseconds, signal) => {
        await clock.sleep(milliseconds, signal)
        if (this.isDead) await new Promise(() => {})
      },
    }
  }
}
