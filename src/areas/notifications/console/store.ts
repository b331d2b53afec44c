import { sql } from 'kysely'
import { mergeRanges } from '../../../platform/database/merge-ranges.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isBefore } from '../../../platform/database/tuples.ts'
import type { Delivery, DeliveryState } from '../delivery/delivery.ts'
import { findDeliveries } from '../delivery/delivery-store.ts'
import type { Subscription } from '../subscriptions/subscription-store.ts'
import type { NotificationTables } from '../tables.ts'

const db = queryBuilder<NotificationTables>()

const TIME = ['event_time', 'delivery_id'] as const

/** Lists deliveries of subscriptions, newest first. Reads a range of an index for each subscription and state. */
export async function listNewestDeliveries(
  reader: Reader,
  subscriptions: readonly Subscription[],
  { states, before, limit }: { states: readonly DeliveryState[]; before?: readonly string[]; limit: number },
): Promise<Delivery[]> {
  const ranges = subscriptions.flatMap((subscription) => states.map((state) => rangeOf(subscription, state, before)))
  if (ranges.length === 0) return []
  const newestFirst = sql`event_time desc, delivery_id desc`
  const newest = mergeRanges(reader.dialect, ranges, { order: newestFirst, limit })
  const keys = await reader.all(db.selectFrom(sql<KeyRow>`(${newest})`.as('keys')).selectAll().orderBy(newestFirst))
  const order = new Map(keys.map((key, index) => [key.delivery_id, index]))
  const found = await findDeliveries(
    reader,
    keys.map((key) => ({
      applicationId: key.application_id,
      destinationId: key.destination_id,
      deliveryId: key.delivery_id,
    })),
  )
  return found.sort((one, other) => (order.get(one.deliveryId) ?? 0) - (order.get(other.deliveryId) ?? 0))
}

type KeyRow = Pick<NotificationTables['deliveries'], 'event_time' | 'delivery_id' | 'application_id' | 'destination_id'>

// All deliveries of a subscription have its destination. Text, because SQLite accepts no parentheses around the ranges.
const rangeOf = (
  { applicationId, subscriptionId, destinationId }: Subscription,
  state: DeliveryState,
  before: readonly string[] | undefined,
) => sql`
  select event_time, delivery_id, application_id, cast(${destinationId} as text) as destination_id from deliveries
  where application_id = ${applicationId} and subscription_id = ${subscriptionId} and state = ${state}
  and ${before ? isBefore(TIME, before) : sql`true`}`
