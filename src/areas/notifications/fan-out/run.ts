import type { Clock } from '../../../platform/clock/port.ts'
import type { Database, Transaction } from '../../../platform/database/port.ts'
import { describeError, toStorableText } from '../../../platform/errors/describe-error.ts'
import { UnavailableError } from '../../../platform/errors/unavailable-error.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Expanders } from '../../../platform/outbox/expander.ts'
import { FilterError } from '../filters/expression-errors.ts'
import { LeaseLostError } from './lease.ts'
import type { OnFilterFailure } from './step.ts'
import type { StepSize } from './step-size.ts'

export interface FanOutDependencies {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  /** After this time without a renewal, another relay takes over. */
  leaseSeconds: number
  expanders: Expanders
}

export interface FanOutRun extends FanOutDependencies {
  lease: string
  /** Returns the end of a lease that is renewed now. */
  leaseEnds(): Date
  stepSize: StepSize
  onFilterFailure: OnFilterFailure
  /** Whether the last step has released the lease. */
  isReleased: boolean
}

/** Writes a step. How long it took decides how long the next one is. */
export async function writeStep<Result>(
  { database, stepSize }: FanOutRun,
  deliveries: number,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let startedAt = 0
  let doneAt = 0
  const result = await database.transact(async (tx) => {
    startedAt = performance.now()
    const done = await work(tx)
    doneAt = performance.now()
    return done
  })
  const commitMilliseconds = performance.now() - doneAt
  stepSize.recordStep(deliveries, { workMilliseconds: doneAt - startedAt, commitMilliseconds })
  return result
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

/** Logs one line per subscription whose filter fails. */
export function createFilterFailureLogger(logger: Logger): OnFilterFailure {
  const seen = new Set<string>()
  return ({ applicationId, subscriptionId, notificationType }, { eventId }, error) => {
    if (seen.has(subscriptionId)) return
    seen.add(subscriptionId)
    const details = { applicationId, subscriptionId, eventId, notificationType, reason: errorText(error) }
    logger.warn(details, 'filter expression failed; notification not delivered')
  }
}
