import { BoundedMap } from '../../../platform/bounded-map.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import type { StepSize } from '../../../platform/database/step-size.ts'
import { describeError, toStorableText } from '../../../platform/errors/describe-error.ts'
import { UnavailableError } from '../../../platform/errors/unavailable-error.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Expanders } from '../../../platform/outbox/expander.ts'
import type { RecentPayloads } from '../delivery/recent-payloads.ts'
import { FilterError } from '../filters/expression-errors.ts'
import { type HeldLeases, LeaseLostError } from './lease.ts'
import type { OnFilterFailure } from './step.ts'

/**
 * The rows that a transaction writes, and the lanes that it locks, decide which relay comes first. As serializable ones,
 * steps would run again whenever a destination of theirs is sent to.
 */
export const READ_COMMITTED = { isolation: 'read committed' } as const

export interface FanOutDependencies {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  /** After this time without a renewal, another relay takes over. */
  leaseSeconds: number
  expanders: Expanders
  /** Keeps what was written for the sender. Omitted if there is none. */
  recentPayloads?: RecentPayloads
}

export interface FanOutRun extends FanOutDependencies {
  leases: HeldLeases
  /** Whether other relays may fan out other events at the same time. */
  isSharded: boolean
  /** Returns the end of a lease that is renewed now. */
  leaseEnds(): Date
  /** Of deliveries. */
  stepSize: StepSize
  /** Maximum total length of the payloads of a step. */
  maxBytes: number
  onFilterFailure: OnFilterFailure
  /** Whether the last step has released the lease. */
  isReleased: boolean
}

// After the last retry an event is given up.
const RETRY_AFTER_MILLISECONDS = [1_000, 10_000, 60_000]

/** Returns the state of an event after a failure. */
export function toFailure(error: unknown, attempts: number, now: Date) {
  const backoffMilliseconds = RETRY_AFTER_MILLISECONDS[attempts - 1]
  return {
    state: backoffMilliseconds === undefined ? ('DEAD' as const) : ('PENDING' as const),
    attempts,
    dueAt: new Date(now.getTime() + (backoffMilliseconds ?? 0)),
    error: errorText(error),
  }
}

/** The error has nothing to do with the event, so the failure does not count. */
export const isTransient = (error: unknown) => error instanceof UnavailableError || error instanceof LeaseLostError

const errorText = (error: unknown): string =>
  error instanceof FilterError ? toStorableText(error.message) : describeError(error)

const MAX_FILTER_FAILURES_KNOWN = 1_000
const REPEAT_FILTER_FAILURE_AFTER_MILLISECONDS = 60_000

/** Logs at most one line per minute and subscription whose filter fails. */
export function createFilterFailureLogger({
  logger,
  clock,
}: Pick<FanOutDependencies, 'logger' | 'clock'>): OnFilterFailure {
  const loggedAt = new BoundedMap<string, number>(MAX_FILTER_FAILURES_KNOWN)
  return ({ applicationId, subscriptionId, notificationType }, { eventId }, error) => {
    const now = clock.now().getTime()
    if (now - (loggedAt.get(subscriptionId) ?? Number.NEGATIVE_INFINITY) < REPEAT_FILTER_FAILURE_AFTER_MILLISECONDS)
      return
    loggedAt.set(subscriptionId, now)
    const details = { applicationId, subscriptionId, eventId, notificationType, reason: errorText(error) }
    logger.warn(details, 'filter expression failed; notification not delivered')
  }
}
