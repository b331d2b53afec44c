import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import type { NotificationTables } from '../tables.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import { fromRow, toRow } from './delivery-store.ts'

const db = queryBuilder<NotificationTables>()

/** The order of an index. */
const PAGE_KEY = ['application_id', 'destination_id', 'due_at', 'event_id', 'delivery_id'] as const

export interface DeliveryFilter {
  state: DeliveryState
  applicationId?: string
  destinationId?: string
  sellerId?: string
  notificationType?: string
}

/** Lists deliveries by destination, in the order of sending. */
export async function listDeliveries(
  reader: Reader,
  { state, applicationId, destinationId, sellerId, notificationType, after, limit }: PageRequest & DeliveryFilter,
): Promise<Delivery[]> {
  let query = db.selectFrom('deliveries').selectAll().where('state', '=', state).limit(limit)
  if (applicationId !== undefined) query = query.where('application_id', '=', applicationId)
  if (destinationId !== undefined) query = query.where('destination_id', '=', destinationId)
  if (sellerId !== undefined) query = query.where('seller_id', '=', sellerId)
  if (notificationType !== undefined) query = query.where('notification_type', '=', notificationType)
  for (const column of PAGE_KEY) query = query.orderBy(column)
  if (after) query = query.where(isAfter(PAGE_KEY, after))
  return (await reader.all(query)).map(fromRow)
}

/** The key in a page token. */
export const pageKeyOf = (delivery: Delivery): string[] => {
  const row = toRow(delivery)
  return PAGE_KEY.map((column) => row[column])
}
