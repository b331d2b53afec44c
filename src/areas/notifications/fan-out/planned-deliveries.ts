import type { Dialect } from '../../../platform/database/dialect.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { EventPayload, type JsonText } from '../../../platform/outbox/event-payload.ts'
import { insertBundles } from '../delivery/bundle-store.ts'
import { type DeliveryKey, type PlannedDelivery, uuidOf } from '../delivery/delivery.ts'
import { deleteUnsentDeliveries } from '../delivery/delivery-store.ts'
import { destinationIdOf, findFailing, scheduleDestinations } from '../delivery/destination-lease-store.ts'
import { insertDeliveries } from '../delivery/new-deliveries.ts'
import type { WrittenDeliveries } from '../delivery/recent-payloads.ts'
import { aggregationOf } from '../filters/directive.ts'
import { downgradePayload } from '../payload-versions.ts'
import type { Subscription } from '../subscriptions/subscription-store.ts'
import { scheduleDelivery, type Window } from './aggregation.ts'
import type { OutgoingNotification, SharedNotification } from './step.ts'
import { findWindows, type PlannedWindow, type WindowKey, windowId, writeWindows } from './window-store.ts'

/** The writes of a step, planned before its transaction to keep that short. */
export interface DeliveryPlan {
  deliveries: PlannedDelivery[]
  /** Waiting deliveries replaced by newer ones. */
  replaced: DeliveryKey[]
  windows: PlannedWindow[]
}

export async function planDeliveries(
  reader: Reader,
  outgoing: readonly OutgoingNotification[],
  payloads = new Payloads(),
): Promise<DeliveryPlan> {
  return aggregate(outgoing, await findWindows(reader, windowKeysOf(outgoing)), payloads)
}

/** Writes nothing for deleted subscriptions. */
export async function writeDeliveries(
  tx: Transaction,
  dialect: Dialect,
  { deliveries, replaced, windows }: DeliveryPlan,
): Promise<WrittenDeliveries> {
  await writeWindows(tx, dialect, windows)
  await deleteUnsentDeliveries(tx, replaced)
  const bundled = dialect === 'postgres' ? await findSentNow(tx, deliveries, windows) : new Set<PlannedDelivery>()
  const bundles = await insertBundles(tx, [...bundled])
  const stored = deliveries.filter((delivery) => !bundled.has(delivery))
  await insertDeliveries(tx, dialect, stored)
  // Last, because other relays wait for these rows until the commit.
  await scheduleDestinations(tx, deliveries)
  return { stored, bundles }
}

/**
 * Finds the deliveries that are sent now, which are stored together. Those of a destination that fails are stored one
 * by one: each can be retried, listed and given up. So are those of a subscription with aggregation, as others wait for
 * the end of the period: what is stored one by one is in the order of its time, and is sent before what is bundled.
 */
async function findSentNow(
  tx: Transaction,
  deliveries: readonly PlannedDelivery[],
  windows: readonly PlannedWindow[],
): Promise<Set<PlannedDelivery>> {
  const failing = await findFailing(tx, deliveries)
  const aggregated = new Set(windows.map(subscriptionOf))
  return new Set(deliveries.filter((one) => !aggregated.has(subscriptionOf(one)) && !failing.has(destinationIdOf(one))))
}

const subscriptionOf = ({ applicationId, subscriptionId }: Pick<PlannedDelivery, 'applicationId' | 'subscriptionId'>) =>
  `${applicationId} ${subscriptionId}`

const windowKeysOf = (outgoing: readonly OutgoingNotification[]): WindowKey[] =>
  outgoing.flatMap(({ notification, subscription: { applicationId, subscriptionId, directive } }) => {
    const aggregation = aggregationOf(directive, notification.payload.value)
    return aggregation ? [{ applicationId, subscriptionId, aggregationKey: aggregation.key }] : []
  })

/** Schedules deliveries. An aggregated one can replace another, also of the same batch. */
function aggregate(
  outgoing: readonly OutgoingNotification[],
  known: ReadonlyMap<string, Window>,
  payloads: Payloads,
): DeliveryPlan {
  const deliveries = new Map<string, PlannedDelivery>()
  const replaced: DeliveryKey[] = []
  const windows = new Map<string, PlannedWindow>()
  for (const one of outgoing) {
    const delivery = toDelivery(one, payloads)
    const { notification, subscription, event } = one
    const aggregation = aggregationOf(subscription.directive, notification.payload.value)
    if (!aggregation) {
      deliveries.set(delivery.deliveryId, delivery)
      continue
    }
    const { applicationId, subscriptionId } = subscription
    const key: WindowKey = { applicationId, subscriptionId, aggregationKey: aggregation.key }
    const id = windowId(key)
    const before = windows.get(id) ?? known.get(id)
    const scheduled = scheduleDelivery(before, delivery.deliveryId, event.occurredAt, aggregation.periodMilliseconds)
    windows.set(id, { ...key, ...scheduled.window, replaces: known.get(id) })
    if (scheduled.replaces !== undefined && !deliveries.delete(scheduled.replaces)) {
      replaced.push({ ...delivery, deliveryId: scheduled.replaces })
    }
    deliveries.set(delivery.deliveryId, { ...delivery, dueAt: scheduled.dueAt })
  }
  return { deliveries: [...deliveries.values()], replaced, windows: [...windows.values()] }
}

/** The payloads of a step as text. Older versions are serialized once for all subscribers that want them. */
export class Payloads {
  readonly #downgraded = new Map<EventPayload, Map<string, EventPayload>>()
  count = 0
  bytes = 0

  add({ notification, subscription }: OutgoingNotification): void {
    this.count++
    this.bytes += this.#payloadOf(notification, subscription.payloadVersion).length
  }

  textOf(notification: SharedNotification, version: string): JsonText {
    return this.#payloadOf(notification, version).parts
  }

  #payloadOf({ type, payload }: SharedNotification, version: string): EventPayload {
    const known = this.#downgraded.get(payload)?.get(version)
    if (known) return known
    const value = downgradePayload(type, version, payload.value)
    if (value === payload.value) return payload
    const downgraded = EventPayload.ofValue(value)
    const versions = this.#downgraded.get(payload) ?? new Map<string, EventPayload>()
    this.#downgraded.set(payload, versions.set(version, downgraded))
    return downgraded
  }
}

function toDelivery({ event, notification, subscription }: OutgoingNotification, payloads: Payloads): PlannedDelivery {
  const { eventId, occurredAt } = event
  return {
    applicationId: subscription.applicationId,
    destinationId: subscription.destinationId,
    deliveryId: deliveryIdOf(eventId, notification, subscription),
    eventId,
    sellerId: notification.sellerId,
    subscriptionId: subscription.subscriptionId,
    notificationType: notification.type,
    payloadVersion: subscription.payloadVersion,
    dueAt: occurredAt,
    eventTime: occurredAt,
    payload: payloads.textOf(notification, subscription.payloadVersion),
  }
}

const deliveryIdOf = (eventId: string, { type, sellerId, key }: SharedNotification, { subscriptionId }: Subscription) =>
  uuidOf(eventId, `${type} ${sellerId} ${key}`, subscriptionId)
