import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isBefore } from '../../../platform/database/tuples.ts'
import { prepareInserts } from '../../../platform/database/upsert.ts'
import { joinText } from '../../../platform/outbox/event-payload.ts'
import type { NotificationTables } from '../tables.ts'
import type { DueDelivery } from './due-deliveries.ts'

const db = queryBuilder<NotificationTables>()
type Row = NotificationTables['sent_notifications']
const KEY = ['seller_id', 'event_time', 'delivery_id'] as const
const TIME = ['event_time', 'delivery_id'] as const

/** A notification that a destination accepted. */
export interface SentNotification {
  sellerId: string
  applicationId: string
  destinationId: string
  subscriptionId: string
  deliveryId: string
  notificationType: string
  payloadVersion: string
  eventTime: Date
  sentAt: Date
  attempts: number
  /** JSON */
  payload: string
}

const insert = prepareInserts<Row>('sent_notifications', { numbers: ['attempts'], existing: KEY })

const trim = prepare(({ sellerId, kept }: { sellerId: string; kept: number }) =>
  db
    .deleteFrom('sent_notifications')
    .where('seller_id', '=', sellerId)
    .where(
      sql<boolean>`(event_time, delivery_id) <= (select event_time, delivery_id from sent_notifications
        where seller_id = ${sellerId} order by event_time desc, delivery_id desc limit 1 offset ${kept})`,
    ),
)

/** Keeps the newest notifications of each seller. Those about an application, and tests, are of no seller. */
export async function keepSent(
  tx: Transaction,
  sent: readonly DueDelivery[],
  { now, kept }: { now: Date; kept: number },
): Promise<void> {
  if (kept === 0) return
  const bySeller = Map.groupBy(
    sent.flatMap((delivery) => toRow(delivery, now)),
    ({ seller_id }) => seller_id,
  )
  // In one order, so that relays which send for the same sellers wait for each other instead of deadlocking.
  const sellerIds = [...bySeller.keys()].sort()
  // The others would be deleted at once.
  const rows = sellerIds.flatMap((sellerId) => (bySeller.get(sellerId) ?? []).slice(-kept))
  await insert(tx, rows)
  await tx.runEach(
    trim,
    sellerIds.map((sellerId) => ({ sellerId, kept })),
  )
}

export interface SentFilter {
  sellerId: string
  applicationId?: string
  notificationType?: string
}

/** Newest first. A seller has few of them, so filters need no index. */
export async function listSent(
  reader: Reader,
  { sellerId, applicationId, notificationType }: SentFilter,
  { before, limit }: { before?: readonly string[]; limit: number },
): Promise<SentNotification[]> {
  let query = db.selectFrom('sent_notifications').selectAll().where('seller_id', '=', sellerId).limit(limit)
  for (const column of TIME) query = query.orderBy(column, 'desc')
  if (applicationId !== undefined) query = query.where('application_id', '=', applicationId)
  if (notificationType !== undefined) query = query.where('notification_type', '=', notificationType)
  if (before) query = query.where(isBefore(TIME, before))
  return (await reader.all(query)).map(fromRow)
}

export async function deleteSentBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('sent_notifications')
    .select(['seller_id', ...TIME])
    .where('event_time', '<', before.toISOString())
    .orderBy('event_time')
    .limit(limit)
  return tx.run(db.deleteFrom('sent_notifications').where(sql<boolean>`(seller_id, event_time, delivery_id) in ${old}`))
}

function toRow(delivery: DueDelivery, now: Date): Row[] {
  const { sellerId, subscriptionId } = delivery
  if (sellerId === undefined || subscriptionId === undefined) return []
  return [
    {
      seller_id: sellerId,
      event_time: delivery.eventTime.toISOString(),
      delivery_id: delivery.deliveryId,
      application_id: delivery.applicationId,
      destination_id: delivery.destinationId,
      subscription_id: subscriptionId,
      notification_type: delivery.notificationType,
      payload_version: delivery.payloadVersion,
      sent_at: now.toISOString(),
      attempts: delivery.attempts + 1,
      payload: joinText(delivery.payload),
    },
  ]
}

const fromRow = (row: Row): SentNotification => ({
  sellerId: row.seller_id,
  applicationId: row.application_id,
  destinationId: row.destination_id,
  subscriptionId: row.subscription_id,
  deliveryId: row.delivery_id,
  notificationType: row.notification_type,
  payloadVersion: row.payload_version,
  eventTime: new Date(row.event_time),
  sentAt: new Date(row.sent_at),
  attempts: row.attempts,
  payload: row.payload,
})
