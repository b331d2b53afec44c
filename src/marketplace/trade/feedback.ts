import { type Static, Type } from 'typebox'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isAfter } from '../../platform/database/tuples.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { DateTime, Nullable, OrderId, SellerId, strict, toStoredTime } from '../schema.ts'
import type { SaleScope } from './sale-scope.ts'
import type { TradeTables } from './tables.ts'

const MAX_COMMENT_LENGTH = 5000

export const Feedback = Type.Object(
  {
    sellerId: SellerId,
    orderId: OrderId,
    submittedAt: DateTime,
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    comment: Type.String({ maxLength: MAX_COMMENT_LENGTH }),
    response: Type.Optional(
      Nullable(Type.String({ maxLength: MAX_COMMENT_LENGTH, description: "The seller's response" })),
    ),
    raterEmail: Type.Optional(Nullable(Type.String({ pattern: '^[^\\s@]{1,64}@[^\\s@]{1,255}$' }))),
  },
  { ...strict, description: 'Feedback of a buyer, one per order.' },
)
export type Feedback = Static<typeof Feedback>
type FeedbackKey = Pick<Feedback, 'sellerId' | 'orderId'>

const db = queryBuilder<TradeTables>()

export async function upsertFeedback(tx: Transaction, feedback: readonly Feedback[]): Promise<void> {
  await upsertMany(tx, 'feedback', ['seller_id', 'order_id'], feedback.map(toRow))
}

export async function findFeedback(reader: Reader, { sellerId, orderId }: FeedbackKey): Promise<Feedback | undefined> {
  const query = db.selectFrom('feedback').selectAll().where('seller_id', '=', sellerId).where('order_id', '=', orderId)
  const row = await reader.first(query)
  return row && fromRow(row)
}

export async function listFeedback(reader: Reader, page: PageRequest & { sellerId?: string }): Promise<Feedback[]> {
  let query = db.selectFrom('feedback').selectAll().orderBy('seller_id').orderBy('order_id').limit(page.limit)
  if (page.sellerId) query = query.where('seller_id', '=', page.sellerId)
  if (page.after) query = query.where(isAfter(['seller_id', 'order_id'], page.after))
  return (await reader.all(query)).map(fromRow)
}

export type SubmittedFeedbackRow = Awaited<ReturnType<typeof listSubmittedFeedback>>[number]

/** Lists feedback by the time of its submission. */
export async function listSubmittedFeedback(
  reader: Reader,
  { sellerId, marketplaceIds, from, to }: SaleScope,
  { after, limit }: { after?: { submitted_at: string; order_id: string } | undefined; limit: number },
) {
  let query = db
    .selectFrom('feedback')
    .innerJoin('orders', (join) =>
      join.onRef('orders.seller_id', '=', 'feedback.seller_id').onRef('orders.order_id', '=', 'feedback.order_id'),
    )
    .select(['submitted_at', 'rating', 'comment', 'response', 'feedback.order_id', 'rater_email'])
    .where('feedback.seller_id', '=', sellerId)
    .where('submitted_at', '>=', from)
    .where('submitted_at', '<=', to)
    .where('orders.marketplace_id', 'in', marketplaceIds)
    .orderBy('submitted_at')
    .orderBy('feedback.order_id')
    .limit(limit)
  if (after) query = query.where(isAfter(['submitted_at', 'feedback.order_id'], [after.submitted_at, after.order_id]))
  return reader.all(query)
}

const toRow = (feedback: Feedback): TradeTables['feedback'] => ({
  seller_id: feedback.sellerId,
  order_id: feedback.orderId,
  submitted_at: toStoredTime(feedback.submittedAt),
  rating: feedback.rating,
  comment: feedback.comment,
  response: feedback.response ?? null,
  rater_email: feedback.raterEmail ?? null,
})

const fromRow = (row: TradeTables['feedback']): Feedback => ({
  sellerId: row.seller_id,
  orderId: row.order_id,
  submittedAt: row.submitted_at,
  rating: row.rating,
  comment: row.comment,
  response: row.response,
  raterEmail: row.rater_email,
})
