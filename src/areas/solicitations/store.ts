import { sql } from 'kysely'
import { prepareDeliveryQuery } from '../../marketplace/trade/orders.ts'
import { type PromisedTime, preparePromisedDeliveries } from '../../marketplace/trade/promised-deliveries.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type { Channel, SolicitableOrder } from './eligibility.ts'
import type { SolicitationTables } from './tables.ts'

const db = queryBuilder<SolicitationTables>()
const KEY = ['seller_id', 'order_id']

const findOrder = prepareDeliveryQuery(
  sql<
    string | null
  >`(select sent_through from solicitations where seller_id = orders.seller_id and order_id = orders.order_id)`.as(
    'sent_through',
  ),
)

const isUnsolicited = sql<boolean>`not exists (select 1 from solicitations where solicitations.seller_id = orders.seller_id and solicitations.order_id = orders.order_id)`

const unsolicited = {
  earliest: preparePromisedDeliveries('earliest', isUnsolicited),
  latest: preparePromisedDeliveries('latest', isUnsolicited),
}

const insertSolicitation = prepare((row: SolicitationTables['solicitations']) =>
  db
    .insertInto('solicitations')
    .values({ ...row })
    .onConflict((conflict) => conflict.doNothing()),
)

export async function loadSolicitableOrder(
  reader: Reader,
  sellerId: string,
  orderId: string,
): Promise<SolicitableOrder | undefined> {
  const row = await reader.first(findOrder, { sellerId, orderId })
  if (!row) return undefined
  return {
    marketplaceId: row.marketplace_id,
    deliveredAt: row.delivered_at,
    earliestDeliveryAt: row.earliest_delivery_at,
    latestDeliveryAt: row.latest_delivery_at,
    buyerAcceptsRequests: row.buyer_accepts_requests === 1,
    sentThrough: (row.sent_through as Channel | null) ?? undefined,
  }
}

/** Delivered orders without a review request that were promised after a time, in the order of these times. */
export async function findUnsolicited(reader: Reader, promise: PromisedTime, after: Date, limit: number) {
  const rows = await reader.all(unsolicited[promise], { after: after.toISOString(), limit })
  return rows.map((row) => ({
    sellerId: row.seller_id,
    orderId: row.order_id,
    deliveryAt: new Date(row.delivery_at),
  }))
}

export interface Solicitation {
  sellerId: string
  orderId: string
  sentThrough: Channel
  sentAt: Date
}

/** Records many at once, for the stand-in. */
export async function recordSolicitations(tx: Transaction, solicitations: readonly Solicitation[]): Promise<void> {
  await upsertMany(tx, 'solicitations', KEY, solicitations.map(toRow))
}

export async function listSolicitations(reader: Reader, page: PageRequest): Promise<Solicitation[]> {
  let query = db.selectFrom('solicitations').selectAll().orderBy('seller_id').orderBy('order_id').limit(page.limit)
  if (page.after) query = query.where(isAfter(KEY, page.after))
  return (await reader.all(query)).map((row) => ({
    sellerId: row.seller_id,
    orderId: row.order_id,
    sentThrough: row.sent_through as Channel,
    sentAt: new Date(row.sent_at),
  }))
}

const toRow = ({ sellerId, orderId, sentThrough, sentAt }: Solicitation): SolicitationTables['solicitations'] => ({
  seller_id: sellerId,
  order_id: orderId,
  sent_through: sentThrough,
  sent_at: sentAt.toISOString(),
})

/** Returns false if a request was sent for the order before. */
export async function recordSolicitation(tx: Transaction, solicitation: Solicitation): Promise<boolean> {
  return (await tx.run(insertSolicitation, toRow(solicitation))) === 1
}
