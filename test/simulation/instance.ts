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

/** When something happens to an instance: after how many calls of a dependency, or transactions. */
export interface Occasion {
  calls: number
  /** `callsAfterClaim`: counted from the next time that it claims work, so that it holds a lease. */
  of: 'calls' | 'transactions' | 'callsAfterClaim'
}

/** The instance crashes before the effect of the call or after it. */
export interface CrashPlan extends Occasion {
  moment: 'before' | 'after'
}

/** The instance stands still before the call, as a suspended machine does: time passes, and others go on. */
export interface StallPlan extends Occasion {
  turns: number
  milliseconds: number
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
  #stall: StallPlan | undefined
  #stalledUntil = 0

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

  planStall({ calls, of, turns, milliseconds }: StallPlan): void {
    this.#stall = { calls, of, turns, milliseconds }
  }

  cancelPlans(): void {
    this.#crash = undefined
    this.#stall = undefined
    this.#stalledUntil = 0
  }

  takeCrash(call: string): 'before' | 'after' | undefined {
    return this.#crash && isDue(this.#crash, call) ? this.#crash.moment : undefined
  }

  takeStall(call: string, turn: number): number | undefined {
    const stall = this.#stall
    if (!stall || !isDue(stall, call)) return undefined
    this.#stall = undefined
    this.#stalledUntil = turn + stall.turns
    return stall.milliseconds
  }

  isStalled(turn: number): boolean {
    return turn < this.#stalledUntil
  }

  /** A lease is drawn just before the transaction that claims work. */
  #noteClaim(): void {
    for (const plan of [this.#crash, this.#stall]) if (plan?.of === 'callsAfterClaim') plan.of = 'calls'
  }

  die(): void {
    this.isDead = true
    this.#announce()
  }

  noteFault(): void {
    this.faults++
  }

  async start(shared: Shared): Promise<void> {
    const { scheduler, bucket, arrivals, logger, delayMilliseconds } = shared
    const ids: Ids = {
      next: (kind) => {
        if (kind === 'lease') this.#noteClaim()
        return shared.ids.next(kind)
      },
    }
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

/** Counts a call. */
function isDue(plan: Occasion, call: string): boolean {
  if (plan.of === 'callsAfterClaim' || (plan.of === 'transactions' && call !== 'transact')) return false
  return plan.calls-- <= 0
}
