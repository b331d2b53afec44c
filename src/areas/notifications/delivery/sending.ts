import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { growingPause } from '../../../platform/growing-pause.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { type Messenger, MOST_MESSAGES, type Refusal, type Target } from '../../../platform/messaging/port.ts'
import { findDestination } from '../destinations/destination-store.ts'
import type { Delivery } from './delivery.ts'
import { deleteDeliveries, findDueDeliveries, giveUpBeyond, markFailed, nextDelivery } from './delivery-store.ts'
import { endTurn, keepTurn, returnTurn, type Turn } from './destination-lease-store.ts'
import { cut, dealOut } from './message-batches.ts'
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
  mostPending: number
}

const DELIVERIES_IN_ONE_GO = 500
const LANES = 4
const LONGEST_ERROR = 500

/** What became of a page of deliveries. */
interface Outcome {
  sent: Delivery[]
  /** Those that would never be taken, with the reasons. */
  refused: { delivery: Delivery; reason: string }[]
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
  turn: Turn,
  lease: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, logger } = dependencies
  const destination = await database.read((reader) => findDestination(reader, turn))
  if (!destination) return
  for (;;) {
    // One that failed is tried with few: there may be many such, each with a long backlog.
    const limit = turn.failures > 0 ? MOST_MESSAGES : DELIVERIES_IN_ONE_GO
    const due = await database.read((reader) => findDueDeliveries(reader, turn, { now: clock.now(), limit }))
    const outcome = await sendPage(dependencies, destination.target, due, signal)
    if (outcome.error !== undefined) {
      logger.warn({ destination: turn.destinationId, error: outcome.error }, 'notifications cannot be delivered')
    }
    const goesOn = await conclude(dependencies, turn, lease, outcome, signal.aborted)
    if (!goesOn) return
  }
}

async function sendPage(
  { messenger, clock, leaseSeconds }: SendingDependencies,
  target: Target,
  due: readonly Delivery[],
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome: Outcome = { sent: [], refused: [], failed: [], error: undefined }
  // Early enough to prolong the lease before somebody else takes the destination, however slow it is.
  const noLaterThan = clock.now().getTime() + (leaseSeconds * 1000) / 2
  const isOver = () => outcome.error !== undefined || signal.aborted || clock.now().getTime() > noLaterThan
  const lanes = dealOut(due, ({ sellerId, notificationType }) => `${sellerId} ${notificationType}`, LANES)
  await Promise.all(lanes.map(sendLane))
  return outcome

  /** Until time is up, or one fails, in this lane or another: what comes after it waits with it. */
  async function sendLane(lane: readonly Delivery[]): Promise<void> {
    const byId = new Map(lane.map((delivery) => [delivery.deliveryId, delivery]))
    const messages = lane.map((delivery) => toMessage(delivery, clock.now()))
    for (const batch of cut(messages)) {
      if (isOver()) return
      const deliveries = batch.map(({ id }) => byId.get(id) as Delivery)
      try {
        sort(deliveries, await messenger.send(target, batch))
      } catch (error) {
        outcome.failed.push(...deliveries)
        outcome.error = explain(error)
      }
    }
  }

  function sort(deliveries: readonly Delivery[], refusals: readonly Refusal[]): void {
    const byId = new Map(refusals.map((refusal) => [refusal.id, refusal]))
    for (const delivery of deliveries) {
      const refusal = byId.get(delivery.deliveryId)
      if (!refusal) outcome.sent.push(delivery)
      else if (refusal.isFinal) outcome.refused.push({ delivery, reason: shorten(refusal.reason) })
      else {
        outcome.failed.push(delivery)
        outcome.error = shorten(refusal.reason)
      }
    }
  }
}

/** Writes down what became of a page. Answers whether there may be more to send. */
function conclude(
  dependencies: SendingDependencies,
  turn: Turn,
  lease: string,
  { sent, refused, failed, error }: Outcome,
  isStopping: boolean,
): Promise<boolean> {
  const { database, clock, ids, leaseSeconds, mostPending } = dependencies
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
      await giveUpBeyond(tx, turn, { mostPending, error: `More than ${mostPending} were waiting: ${error}` })
      const dueAt = new Date(now.getTime() + growingPause(failures, seed))
      await returnTurn(tx, turn, lease, { dueAt, failures, error })
      return false
    }
    const next = await nextDelivery(tx, turn)
    const isDue = next !== undefined && next <= now
    if (isDue && !isStopping) {
      turn.failures = 0
      return keepTurn(tx, turn, lease, new Date(now.getTime() + leaseSeconds * 1000))
    }
    if (next) await returnTurn(tx, turn, lease, { dueAt: next, failures: 0 })
    else await endTurn(tx, turn, lease)
    return false
  })
}

function explain(error: unknown): string {
  return shorten(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

/** What the other side says is theirs to choose, and must still be stored. */
const shorten = (text: string) => text.replaceAll('\0', '').slice(0, LONGEST_ERROR)
