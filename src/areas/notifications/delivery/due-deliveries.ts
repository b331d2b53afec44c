import type { Reader } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { type JsonText, splitText } from '../../../platform/outbox/event-payload.ts'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'
import type { Delivery } from './delivery.ts'
import { factsFromRow, payloadsOf } from './delivery-store.ts'
import type { RecentPayloads } from './recent-payloads.ts'

const db = queryBuilder<NotificationTables>()

/** A delivery to send. */
export interface DueDelivery extends Omit<Delivery, 'payload'> {
  payload: JsonText
}

const firstDue = prepare((params: DestinationKey & { now: string; limit: number }) =>
  db
    .selectFrom('deliveries')
    .select(['application_id', 'destination_id', 'delivery_id', 'event_id', 'seller_id', 'subscription_id'])
    .select(['notification_type', 'payload_version', 'state', 'due_at', 'event_time', 'attempts', 'last_error'])
    .where('state', '=', 'PENDING')
    .where('application_id', '=', params.applicationId)
    .where('destination_id', '=', params.destinationId)
    .where('due_at', '<=', params.now)
    .orderBy('due_at')
    .orderBy('event_id')
    .orderBy('delivery_id')
    .limit(params.limit),
)

/** Finds due deliveries in the order of sending. Takes their payloads from `recent`, and reads the others. */
export async function findDueDeliveries(
  reader: Reader,
  { applicationId, destinationId }: DestinationKey,
  { now, limit, recent }: { now: Date; limit: number; recent: RecentPayloads },
): Promise<DueDelivery[]> {
  const rows = await reader.all(firstDue, { applicationId, destinationId, now: now.toISOString(), limit })
  const due = rows.map(factsFromRow)
  const payloads = new Map<string, JsonText>()
  const unknown: string[] = []
  for (const delivery of due) {
    const payload = recent.take(delivery)
    if (payload) payloads.set(delivery.deliveryId, payload)
    else unknown.push(delivery.deliveryId)
  }
  if (unknown.length > 0) {
    const params = { applicationId, destinationId, deliveryIds: JSON.stringify(unknown) }
    const read = await reader.all(payloadsOf, params)
    for (const row of read) {
      const { start, end } = splitText(row.payload)
      payloads.set(row.delivery_id, { start, ...(end !== '' && { end: recent.ends.ofText(end) }) })
    }
  }
  return due.flatMap((delivery) => {
    const payload = payloads.get(delivery.deliveryId)
    // Otherwise it was deleted in between, with its subscription.
    return payload ? [{ ...delivery, payload }] : []
  })
}
