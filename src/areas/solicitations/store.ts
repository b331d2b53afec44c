import { sql } from 'kysely'
import { prepareDeliveryQuery } from '../../marketplace/trade/orders.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import type { Channel, SolicitableOrder } from './eligibility.ts'
import type { SolicitationTables } from './tables.ts'

const db = queryBuilder<SolicitationTables>()

const findOrder = prepareDeliveryQuery(
  sql<
    string | null
  >`(select sent_through from solicitations where seller_id = orders.seller_id and order_id = orders.order_id)`.as(
    'sent_through',
  ),
)

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

/** Returns false if a request was sent for the order before. */
export async function recordSolicitation(
  tx: Transaction,
  solicitation: { sellerId: string; orderId: string; sentThrough: Channel; sentAt: Date },
): Promise<boolean> {
  const inserted = await tx.run(insertSolicitation, {
    seller_id: solicitation.sellerId,
    order_id: solicitation.orderId,
    sent_through: solicitation.sentThrough,
    sent_at: solicitation.sentAt.toISOString(),
  })
  return inserted === 1
}
