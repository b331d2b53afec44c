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
  /** After how long without a sign of life another relay takes over. */
  leaseSeconds: number
  expanders: Expanders
}

/** What the relay that holds the lease works with. */
export interface FanOutRun extends FanOutDependencies {
  lease: string
  /** When a lease that is renewed now ends. */
  leaseEnds(): Date
  stepSize: StepSize
  onFilterFailure: OnFilterFailure
  /** Whether the lease was given back already, with the last step. */
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

// After the last of them an event is given up.
const RETRY_AFTER_MILLISECONDS = [1_000, 10_000, 60_000]

/** What becomes of an event that has failed so many times. */
export function toFailure(error: unknown, attempts: number, now: Date) {
  const pause = RETRY_AFTER_MILLISECONDS[attempts - 1]
  return {
    state: pause === undefined ? ('DEAD' as const) : ('PENDING' as const),
    attempts,
    dueAt: new Date(now.getTime() + (pause ?? 0)),
    error: errorText(error),
  }
}

/** The event is not at fault, and the failure does not count. */
export const isTransient = (error: unknown) => error instanceof UnavailableError || error instanceof LeaseLostError

const errorText = (error: unknown): string =>
  error instanceof FilterError ? toStorableText(error.message) : describeError(error)

/** One line for each subscription whose filter fails, however many events it fails for. */
export function createFilterFailureLogger(logger: Logger): OnFilterFailure {
  const seen = new Set<string>()
  return ({ applicationId, subscriptionId, notificationType }, { eventId }, error) => {
    if (seen.has(subscriptionId)) return
    seen.add(subscriptionId)
    const details = { applicationId, subscriptionId, eventId, notificationType, reason: errorText(error) }
    logger.warn(details, 'a filter expression cannot be evaluated; the notification is not delivered')
  }
}
