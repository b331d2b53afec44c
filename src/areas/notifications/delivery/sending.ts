import { exponentialBackoff } from '../../../platform/backoff.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { describeError, toStorableText } from '../../../platform/errors/describe-error.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import {
  type FailedMessage,
  MAX_MESSAGES_PER_REQUEST,
  type Messenger,
  type Target,
} from '../../../platform/messaging/port.ts'
import { findDestination } from '../destinations/destination-store.ts'
import type { Delivery } from './delivery.ts'
import { deleteDeliveries, findDueDeliveries, giveUpOverflow, markFailed, nextDueAt } from './delivery-store.ts'
import {
  type DestinationClaim,
  deleteDestinationLease,
  extendDestinationLease,
  releaseDestination,
} from './destination-lease-store.ts'
import { assignLanes, splitIntoBatches } from './message-batches.ts'
import { toMessage } from './notification-envelope.ts'

export interface SendingDependencies {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  messenger: Messenger
  /** After how long without a sign of life somebody else takes a destination. */
  leaseSeconds: number
  /** How many notifications may wait for a destination that fails; the oldest of more are given up. */
  maxPending: number
}

const DELIVERIES_PER_PAGE = 500
const LANES = 4

/** What became of a page of deliveries. */
interface SendResult {
  sent: Delivery[]
  /** Those that would never be taken, with the reasons. */
  rejected: { delivery: Delivery; reason: string }[]
  /** Those that may be taken another time. */
  failed: Delivery[]
  error: string | undefined
}

/**
 * Sends what is due to a destination whose turn we have, and gives the turn back. What was sent is removed after the
 * receiver has it: a crash in between sends it again, under the same id.
 */
export async function sendAll(
  dependencies: SendingDependencies,
  turn: DestinationClaim,
  lease: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, logger } = dependencies
  const destination = await database.read((reader) => findDestination(reader, turn))
  if (!destination) return
  for (;;) {
    // One that failed is tried with few: there may be many such, each with a long backlog.
    const limit = turn.failures > 0 ? MAX_MESSAGES_PER_REQUEST : DELIVERIES_PER_PAGE
    const due = await database.read((reader) => findDueDeliveries(reader, turn, { now: clock.now(), limit }))
    const outcome = await sendPage(dependencies, destination.target, due, signal)
    if (outcome.error !== undefined) {
      logger.warn({ destination: turn.destinationId, error: outcome.error }, 'notifications cannot be delivered')
    }
    const hasMore = await recordResult(dependencies, turn, lease, outcome, signal.aborted)
    if (!hasMore) return
  }
}

async function sendPage(
  { messenger, clock, leaseSeconds }: SendingDependencies,
  target: Target,
  due: readonly Delivery[],
  signal: AbortSignal,
): Promise<SendResult> {
  const outcome: SendResult = { sent: [], rejected: [], failed: [], error: undefined }
  // Early enough to prolong the lease before somebody else takes the destination, however slow it is.
  const deadline = clock.now().getTime() + (leaseSeconds * 1000) / 2
  const isOver = () => outcome.error !== undefined || signal.aborted || clock.now().getTime() > deadline
  const lanes = assignLanes(due, ({ sellerId, notificationType }) => `${sellerId} ${notificationType}`, LANES)
  await Promise.all(lanes.map(sendLane))
  return outcome

  /** Until time is up, or one fails, in this lane or another: what comes after it waits with it. */
  async function sendLane(lane: readonly Delivery[]): Promise<void> {
    const byId = new Map(lane.map((delivery) => [delivery.deliveryId, delivery]))
    const messages = lane.map((delivery) => toMessage(delivery, clock.now()))
    for (const batch of splitIntoBatches(messages)) {
      if (isOver()) return
      const deliveries = batch.map(({ id }) => byId.get(id) as Delivery)
      try {
        classify(deliveries, await messenger.send(target, batch))
      } catch (error) {
        outcome.failed.push(...deliveries)
        outcome.error = describeError(error)
      }
    }
  }

  function classify(deliveries: readonly Delivery[], refusals: readonly FailedMessage[]): void {
    const byId = new Map(refusals.map((refusal) => [refusal.id, refusal]))
    for (const delivery of deliveries) {
      const refusal = byId.get(delivery.deliveryId)
      if (!refusal) outcome.sent.push(delivery)
      else if (refusal.isPermanent) outcome.rejected.push({ delivery, reason: toStorableText(refusal.reason) })
      else {
        outcome.failed.push(delivery)
        outcome.error = toStorableText(refusal.reason)
      }
    }
  }
}

/** Writes down what became of a page. Answers whether there may be more to send. */
function recordResult(
  dependencies: SendingDependencies,
  turn: DestinationClaim,
  lease: string,
  { sent, rejected: refused, failed, error }: SendResult,
  isStopping: boolean,
): Promise<boolean> {
  const { database, clock, ids, leaseSeconds, maxPending: mostPending } = dependencies
  const seed = ids.next('lease')
  return database.transact(async (tx) => {
    const now = clock.now()
    await deleteDeliveries(tx, sent)
    for (const [reason, some] of Map.groupBy(refused, (one) => one.reason)) {
      const deliveries = some.map(({ delivery }) => delivery)
      await markFailed(tx, deliveries, { state: 'DEAD', error: reason })
    }
    if (error !== undefined) {
      const failures = turn.failures + 1
      await markFailed(tx, failed, { state: 'PENDING', error })
      await giveUpOverflow(tx, turn, { mostPending, error: `More than ${mostPending} were waiting: ${error}` })
      const dueAt = new Date(now.getTime() + exponentialBackoff(failures, seed))
      await releaseDestination(tx, turn, lease, { dueAt, failures, error })
      return false
    }
    const next = await nextDueAt(tx, turn)
    const isDue = next !== undefined && next <= now
    if (isDue && !isStopping) {
      turn.failures = 0
      return extendDestinationLease(tx, turn, lease, new Date(now.getTime() + leaseSeconds * 1000))
    }
    if (next) await releaseDestination(tx, turn, lease, { dueAt: next, failures: 0 })
    else await deleteDestinationLease(tx, turn, lease)
    return false
  })
}
