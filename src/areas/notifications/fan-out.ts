import type { Database, Reader, Transaction } from '../../platform/database/port.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import {
  deleteEventsBefore,
  type NewEvent,
  readEvents,
  type StoredEvent,
  takeEvents,
} from '../../platform/outbox/outbox.ts'
import { place, type Window } from './aggregation.ts'
import { type NewDelivery, uuidOf } from './delivery.ts'
import { deleteDeliveries, insertDeliveries } from './delivery-store.ts'
import { aggregationOf, wants } from './directive.ts'
import { FilterError } from './expression-errors.ts'
import { payloadFor } from './payload-versions.ts'
import type { Expanders } from './ports.ts'
import { isSubscribed, oldestSubscription, type Subscription, subscriptionsTo } from './subscription-store.ts'
import { wakeDestinations } from './turn-store.ts'
import { findWindows, type WindowKey, windowId, writeWindows } from './window-store.ts'

const EVENTS_IN_ONE_GO = 500
const UNHEARD_IN_ONE_GO = 5_000

/** One thing to tell, to whoever subscribes to it. */
interface Told {
  eventId: string
  /** Tells apart what one event amounts to. */
  part: string
  sellerId: string
  type: string
  occurredAt: Date
  payload: object
}

/**
 * Takes the oldest events out and writes down who is told of them, both in one transaction: an event becomes its
 * deliveries once, however many do this and whenever they die. Answers how many there were.
 */
export async function fanOut(database: Database, expanders: Expanders, logger: Logger): Promise<number> {
  const since = await database.read(oldestSubscription)
  // While nobody listens, events are left to be swept.
  if (!since) return 0
  const events = await database.read((reader) => readEvents(reader, EVENTS_IN_ONE_GO))
  const [first] = events
  if (!first) return 0
  // Nobody listened when these happened. There may be many, so they go in larger steps.
  if (first.occurredAt < since) {
    return database.transact((tx) => deleteEventsBefore(tx, since, UNHEARD_IN_ONE_GO))
  }
  // Outside of the transaction, which holds up other writers.
  const expanded = await database.read((reader) => expandAll(reader, events, expanders))
  await database.transact(async (tx) => {
    const taken = await takeEvents(
      tx,
      events.map(({ eventId }) => eventId),
    )
    const told = events
      .filter(({ eventId }) => taken.has(eventId))
      .flatMap((event) => (expanders[event.type] ? (expanded.get(event.eventId) ?? []) : [asTold(event)]))
    await deliver(tx, told, logger)
  })
  return events.length
}

const asTold = (event: StoredEvent): Told => ({ ...event, part: '', payload: JSON.parse(event.payload) })

/** By the id of the event. */
async function expandAll(
  reader: Reader,
  events: readonly StoredEvent[],
  expanders: Expanders,
): Promise<Map<string, Told[]>> {
  const expanded = new Map<string, Told[]>()
  for (const [type, expander] of Object.entries(expanders)) {
    const ofType = events.filter((event) => event.type === type)
    if (ofType.length === 0 || !(await isSubscribed(reader, expander.yields))) continue
    const inner = ofType.map((event) => ({ ...event, payload: JSON.parse(event.payload) }))
    const lastOfEach = new Map(inner.map((event) => [expander.subjectOf(event), event]))
    for (const event of lastOfEach.values()) {
      expanded.set(event.eventId, (await expander.expand(reader, event)).map(partOf(event.eventId)))
    }
  }
  return expanded
}

const partOf =
  (eventId: string) =>
  (event: NewEvent, index: number): Told => ({ ...event, eventId, part: `${event.type} ${event.sellerId} ${index}` })

async function deliver(tx: Transaction, told: readonly Told[], logger: Logger): Promise<void> {
  const subscriptions = Map.groupBy(await subscriptionsTo(tx, told), keyOf)
  if (subscriptions.size === 0) return
  const pairs = told.flatMap((one) =>
    (subscriptions.get(keyOf({ notificationType: one.type, sellerId: one.sellerId })) ?? [])
      .filter((subscription) => subscription.createdAt <= one.occurredAt && isWanted(subscription, one, logger))
      .map((subscription) => ({ told: one, subscription })),
  )
  const { deliveries, replaced, windows } = aggregate(pairs, await findWindows(tx, windowKeysOf(pairs)))
  await deleteDeliveries(tx, replaced)
  await insertDeliveries(tx, deliveries)
  await writeWindows(tx, windows)
  await wakeDestinations(tx, deliveries)
}

/** A filter that cannot be evaluated lets nothing through, and stops nobody else's notifications. */
function isWanted({ applicationId, subscriptionId, directive }: Subscription, told: Told, logger: Logger): boolean {
  try {
    return wants(directive, told.payload)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const { eventId, type: notificationType } = told
    const details = { applicationId, subscriptionId, eventId, notificationType, reason: error.message }
    logger.warn(details, 'a filter expression cannot be evaluated; the notification is not delivered')
    return false
  }
}

const keyOf = ({ notificationType, sellerId }: Pick<Subscription, 'notificationType' | 'sellerId'>) =>
  `${notificationType} ${sellerId}`

type Pair = { told: Told; subscription: Subscription }

const windowKeysOf = (pairs: readonly Pair[]): WindowKey[] =>
  pairs.flatMap(({ told, subscription: { applicationId, subscriptionId, directive } }) => {
    const aggregation = aggregationOf(directive, told.payload)
    return aggregation ? [{ applicationId, subscriptionId, aggregationKey: aggregation.key }] : []
  })

/** Which of them are told when. Those that are aggregated may take the place of others, also of the same batch. */
function aggregate(pairs: readonly Pair[], known: ReadonlyMap<string, Window>) {
  const deliveries = new Map<string, NewDelivery>()
  const replaced: NewDelivery[] = []
  const windows = new Map<string, WindowKey & Window>()
  for (const { told, subscription } of pairs) {
    const delivery = toDelivery(told, subscription)
    const aggregation = aggregationOf(subscription.directive, told.payload)
    if (!aggregation) {
      deliveries.set(delivery.deliveryId, delivery)
      continue
    }
    const { applicationId, subscriptionId } = subscription
    const key: WindowKey = { applicationId, subscriptionId, aggregationKey: aggregation.key }
    const id = windowId(key)
    const before = windows.get(id) ?? known.get(id)
    const placed = place(before, delivery.deliveryId, told.occurredAt, aggregation.periodMilliseconds)
    windows.set(id, { ...key, ...placed.window })
    if (placed.replaces !== undefined && !deliveries.delete(placed.replaces)) {
      replaced.push({ ...delivery, deliveryId: placed.replaces })
    }
    deliveries.set(delivery.deliveryId, { ...delivery, dueAt: placed.dueAt })
  }
  return { deliveries: [...deliveries.values()], replaced, windows: [...windows.values()] }
}

function toDelivery({ eventId, part, sellerId, type, occurredAt, payload }: Told, to: Subscription): NewDelivery {
  return {
    applicationId: to.applicationId,
    destinationId: to.destinationId,
    deliveryId: uuidOf(eventId, part, to.subscriptionId),
    eventId,
    sellerId,
    subscriptionId: to.subscriptionId,
    notificationType: type,
    payloadVersion: to.payloadVersion,
    dueAt: occurredAt,
    eventTime: occurredAt,
    payload: JSON.stringify(payloadFor(type, to.payloadVersion, payload)),
  }
}
