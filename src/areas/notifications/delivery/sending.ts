import type { Sealer } from '../../../platform/auth/sealer.ts'
import { exponentialBackoff } from '../../../platform/backoff.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { describeError, toStorableText } from '../../../platform/errors/describe-error.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { FailedMessage, Messenger, Target } from '../../../platform/messaging/port.ts'
import { findDestination } from '../destinations/destination-store.ts'
import { deleteBundles, hasBundles } from './bundle-store.ts'
import { deleteSent, markFailed, nextDueAt } from './delivery-store.ts'
import {
  type DestinationClaim,
  deleteDestinationLease,
  extendDestinationLease,
  lockDestination,
  releaseDestination,
} from './destination-lease-store.ts'
import type { DueDelivery } from './due-deliveries.ts'
import { assignLanes, splitIntoBatches } from './message-batches.ts'
import { insertDeliveries } from './new-deliveries.ts'
import { toMessage } from './notification-envelope.ts'
import { limitDeliveries } from './overflow.ts'
import { findPage, type Page, unbundle } from './pages.ts'
import { postponeDeliveries } from './postponed-deliveries.ts'
import type { RecentPayloads } from './recent-payloads.ts'
import { openPayload } from './sealed-payload.ts'
import { keepSent } from './sent-store.ts'

export interface SendingDependencies {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  messenger: Messenger
  sealer: Sealer
  /** After this time without a renewal, another relay can claim the destination. */
  leaseSeconds: number
  /** Maximum number of pending deliveries of a failing destination, and of given-up ones. */
  maxPending: number
  /** How many sent notifications of a seller are kept. */
  sentKept: number
  recentPayloads: RecentPayloads
}

const LANES = 4
// A destination that always has more to send lets others have its slot after this. One that rejects as many is released
// in any case, and its given-up deliveries are limited.
const DELIVERIES_PER_TURN = 2_000
const TURN_MILLISECONDS = 2_000
// `lockDestination` decides who comes first. Serializable transactions of many relays would be run again and again.
const READ_COMMITTED = { isolation: 'read committed' } as const

interface SendResult {
  sent: DueDelivery[]
  /** Deliveries that the destination will never accept, with the reasons. */
  rejected: { delivery: DueDelivery; reason: string }[]
  /** Deliveries to retry. */
  failed: DueDelivery[]
  /** Deliveries that were not attempted, with their new time. */
  postponed: { delivery: DueDelivery; dueAt: Date }[]
  error: string | undefined
}

export interface Turn {
  lease: string
  signal: AbortSignal
  /** Whether other destinations may be waiting for the slot. */
  isContested(): boolean
}

/**
 * Sends the due deliveries of a claimed destination, or some of them if others are waiting, and releases it. A delivery
 * is deleted after it was sent, so a crash in between sends it again with the same id. What is bundled and cannot be
 * sent at the first attempt is then stored one by one.
 */
export async function sendDue(
  dependencies: SendingDependencies,
  claim: DestinationClaim,
  { lease, signal, isContested }: Turn,
): Promise<void> {
  const { database, clock, logger, maxPending } = dependencies
  const destination = await database.read((reader) => findDestination(reader, claim))
  if (!destination) return
  const turnEnds = clock.now().getTime() + TURN_MILLISECONDS
  let attempted = 0
  let rejected = 0
  for (;;) {
    if (claim.failures > 0 && !(await unbundle(dependencies, claim, lease))) return
    const page = await findPage(dependencies, claim)
    const due = [...page.stored, ...page.bundled]
    const result = await sendPage(dependencies, destination.target, due, signal)
    if (result.error !== undefined) {
      logger.warn({ destination: claim.destinationId, error: result.error }, 'delivery failed; it will be retried')
    }
    attempted += due.length
    const isLong = attempted >= DELIVERIES_PER_TURN || clock.now().getTime() >= turnEnds
    rejected += result.rejected.length
    const mustRelease = signal.aborted || (isLong && isContested()) || rejected >= DELIVERIES_PER_TURN
    if (await recordResult(dependencies, claim, lease, page, result, mustRelease)) continue
    if (result.error === undefined && rejected === 0) return
    return limitDeliveries(database, claim, { most: maxPending, error: result.error, signal })
  }
}

async function sendPage(
  { messenger, sealer, clock, leaseSeconds }: SendingDependencies,
  target: Target,
  due: readonly DueDelivery[],
  signal: AbortSignal,
): Promise<SendResult> {
  const result: SendResult = { sent: [], rejected: [], failed: [], postponed: [], error: undefined }
  // Early enough to renew the lease before another relay can claim the destination.
  const deadline = clock.now().getTime() + (leaseSeconds * 1000) / 2
  const isOver = () => result.error !== undefined || signal.aborted || clock.now().getTime() > deadline
  const readable = due.flatMap((delivery) => {
    const payload = openPayload(sealer, delivery.deliveryId, delivery.payload)
    if (payload) return [payload === delivery.payload ? delivery : { ...delivery, payload }]
    result.rejected.push({ delivery, reason: 'SOUK_SIGNING_SECRET cannot decrypt it, nor one of its fallbacks' })
    return []
  })
  const lanes = assignLanes(readable, ({ sellerId, notificationType }) => `${sellerId} ${notificationType}`, LANES)
  await Promise.all(lanes.map(sendLane))
  return result

  /** Sends until the deadline, or until a message of any lane fails, because later ones must wait for it. */
  async function sendLane(lane: readonly DueDelivery[]): Promise<void> {
    const byId = new Map(lane.map((delivery) => [delivery.deliveryId, delivery]))
    const messages = lane.map((delivery) => toMessage(delivery, clock.now()))
    for (const batch of splitIntoBatches(messages, messenger.limitOf(target))) {
      if (isOver()) return
      const deliveries = batch.map(({ id }) => byId.get(id) as DueDelivery)
      try {
        classify(deliveries, await messenger.send(target, batch))
      } catch (error) {
        result.failed.push(...deliveries)
        result.error = describeError(error)
      }
    }
  }

  function classify(deliveries: readonly DueDelivery[], failures: readonly FailedMessage[]): void {
    const byId = new Map(failures.map((failure) => [failure.id, failure]))
    for (const delivery of deliveries) {
      const failure = byId.get(delivery.deliveryId)
      if (!failure) result.sent.push(delivery)
      else if (failure.postponedUntil) result.postponed.push({ delivery, dueAt: failure.postponedUntil })
      else if (failure.isPermanent) result.rejected.push({ delivery, reason: toStorableText(failure.reason) })
      else {
        result.failed.push(delivery)
        result.error = toStorableText(failure.reason)
      }
    }
  }
}

/** Records the result of a page. Returns whether the destination is still claimed, because there is more to send. */
function recordResult(
  dependencies: SendingDependencies,
  claim: DestinationClaim,
  lease: string,
  page: Page,
  { sent, rejected, failed, postponed, error }: SendResult,
  mustRelease: boolean,
): Promise<boolean> {
  const { database, clock, ids, leaseSeconds, sentKept } = dependencies
  const seed = ids.next('lease')
  // Not read from the claim by a repeated transaction, which may have changed it.
  const { failures: failuresBefore } = claim
  return database.transact(async (tx) => {
    const now = clock.now()
    await deleteSent(tx, claim, without(sent, page.bundled))
    await keepSent(tx, sent, { now, kept: sentKept })
    const isHeld = await lockDestination(tx, claim, lease)
    const unsent = without(page.bundled, sent)
    // If another relay has taken over, it sends what is left.
    if (isHeld || unsent.length === 0) await deleteBundles(tx, claim, page.bundles)
    if (isHeld) await insertDeliveries(tx, database.dialect, unsent)
    for (const [reason, some] of Map.groupBy(rejected, (one) => one.reason)) {
      const deliveries = some.map(({ delivery }) => delivery)
      await markFailed(tx, deliveries, { state: 'DEAD', error: reason })
    }
    await postponeDeliveries(tx, postponed)
    if (error !== undefined) {
      const failures = failuresBefore + 1
      await markFailed(tx, failed, { state: 'PENDING', error })
      const dueAt = new Date(now.getTime() + exponentialBackoff(failures, seed))
      await releaseDestination(tx, claim, lease, { dueAt, failures, error })
      return false
    }
    const isBundled = database.dialect === 'postgres' && (await hasBundles(tx, claim))
    // Bundles that were committed during the failure come before deliveries that were stored one by one because of it.
    const failures = isBundled ? failuresBefore : 0
    const next = isBundled ? now : await nextDueAt(tx, claim)
    const isDue = next !== undefined && next <= now
    if (isDue && !mustRelease) {
      claim.failures = failures
      return extendDestinationLease(tx, claim, lease, {
        leaseEnds: new Date(now.getTime() + leaseSeconds * 1000),
        failures,
      })
    }
    // After those that have waited during its turn.
    if (next) await releaseDestination(tx, claim, lease, { dueAt: isDue ? now : next, failures })
    else await deleteDestinationLease(tx, claim, lease)
    return false
  }, READ_COMMITTED)
}

function without(deliveries: readonly DueDelivery[], others: readonly DueDelivery[]): DueDelivery[] {
  const ids = new Set(others.map(({ deliveryId }) => deliveryId))
  return deliveries.filter(({ deliveryId }) => !ids.has(deliveryId))
}
