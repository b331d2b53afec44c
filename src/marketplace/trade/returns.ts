import { type Static, Type } from 'typebox'
import { nestRows, parseNested } from '../../platform/database/nested-rows.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isOneOf } from '../../platform/database/tuples.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { DateTime, MinorUnits, Name, Nullable, OrderId, SellerId, strict, toStoredTime } from '../schema.ts'
import { OrderItemId } from './order.ts'
import type { TradeTables } from './tables.ts'

export const RETURN_STATUSES = ['Pending', 'Approved', 'Rejected', 'Completed', 'Closed'] as const
const LABEL_PAYERS = ['Customer', 'Seller', 'Amazon'] as const

// A pattern instead of an enum: the public lists of these codes are incomplete.
const CODE = '^[\\w-]{1,100}$'
const code = (description: string) => Type.Optional(Type.String({ pattern: CODE, description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const ReturnItem = Type.Object(
  {
    orderItemId: OrderItemId,
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    reasonCode: Type.String({ pattern: CODE, examples: ['AMZ-PG-APP-TOO-SMALL'] }),
    inPolicy: flag('Whether the return is within policy. Default: true'),
    resolution: code('Default: StandardRefund'),
    category: Type.Optional(Type.String({ maxLength: 500 })),
    refundMinor: Type.Optional(MinorUnits),
  },
  strict,
)

export const Return = Type.Object(
  {
    sellerId: SellerId,
    rmaId: Type.String({ pattern: '^[A-Za-z0-9-]{1,50}$', description: 'Identifier of a return' }),
    orderId: OrderId,
    merchantRmaId: Type.Optional(Nullable(Name)),
    requestedAt: DateTime,
    status: Type.Enum(RETURN_STATUSES),
    isPrime: flag('Default: false'),
    aToZClaim: flag('Whether the buyer filed an A-to-z claim. Default: false'),
    returnType: code('Default: C-Returns'),
    label: Type.Optional(
      Type.Object(
        {
          type: code('Default: AmazonUnPaidLabel'),
          costMinor: Type.Optional(MinorUnits),
          carrier: Type.Optional(Nullable(Name)),
          trackingId: Type.Optional(Nullable(Name)),
          paidBy: Type.Optional(Type.Enum(LABEL_PAYERS, { description: 'Default: Customer' })),
        },
        strict,
      ),
    ),
    invoiceNumber: Type.Optional(Nullable(Name)),
    deliveredAt: Type.Optional(Nullable(DateTime)),
    items: Type.Array(ReturnItem, { minItems: 1, maxItems: 100 }),
  },
  { ...strict, description: 'A return. Amounts are in the currency of the order.' },
)
export type Return = Static<typeof Return>
type ReturnKey = Pick<Return, 'sellerId' | 'rmaId'>

const db = queryBuilder<TradeTables>()
type ReturnRow = TradeTables['returns']
type ItemRow = TradeTables['return_items']
const RETURN_KEY = ['seller_id', 'rma_id']
const ITEM_COLUMNS: readonly (keyof ItemRow)[] = [
  'order_item_id',
  'quantity',
  'reason_code',
  'in_policy',
  'resolution',
  'category',
  'refund_minor',
]

/** Replaces returns with all of their items. */
export async function upsertReturns(tx: Transaction, returns: readonly Return[]): Promise<void> {
  if (returns.length === 0) return
  await upsertMany(tx, 'returns', RETURN_KEY, returns.map(toRow))
  await tx.run(db.deleteFrom('return_items').where(ofReturns(returns)))
  await upsertMany(tx, 'return_items', [...RETURN_KEY, 'order_item_id'], returns.flatMap(toItemRows))
}

/** Returns with their items, in one statement: a return is replaced with all of its items. */
const selectReturns = ({ dialect }: Reader) =>
  db
    .selectFrom('returns')
    .selectAll('returns')
    .select(
      nestRows<ItemRow, 'item_rows'>(
        dialect,
        { table: 'return_items', columns: ITEM_COLUMNS, of: 'returns', by: RETURN_KEY },
        'item_rows',
      ),
    )

export async function findReturn(reader: Reader, { sellerId, rmaId }: ReturnKey): Promise<Return | undefined> {
  const row = await reader.first(selectReturns(reader).where('seller_id', '=', sellerId).where('rma_id', '=', rmaId))
  return row && fromRow(row)
}

/** Lists the returns of an order, newest first. */
export async function listReturnsOfOrder(
  reader: Reader,
  { sellerId, orderId }: Pick<Return, 'sellerId' | 'orderId'>,
  limit: number,
): Promise<Return[]> {
  const query = selectReturns(reader)
    .where('seller_id', '=', sellerId)
    .where('order_id', '=', orderId)
    .orderBy('requested_at', 'desc')
    .orderBy('rma_id')
    .limit(limit)
  return (await reader.all(query)).map(fromRow)
}

export async function listReturns(reader: Reader, page: PageRequest & { sellerId?: string }): Promise<Return[]> {
  let query = selectReturns(reader).orderBy('seller_id').orderBy('rma_id').limit(page.limit)
  if (page.sellerId) query = query.where('seller_id', '=', page.sellerId)
  if (page.after) query = query.where(isAfter(RETURN_KEY, page.after))
  return (await reader.all(query)).map(fromRow)
}

/**
 * Counts the pieces that come back in other returns of the same orders, by seller, order and item. The given returns are
 * about to be replaced, and rejected ones return nothing.
 */
export async function countReturnedItems(
  reader: Reader,
  returns: readonly (ReturnKey & Pick<Return, 'orderId'>)[],
): Promise<Map<string, number>> {
  const orders = returns.map(({ sellerId, orderId }) => [sellerId, orderId])
  const rows = await reader.all(
    db
      .selectFrom('returns')
      .innerJoin('return_items', (join) =>
        join
          .onRef('return_items.seller_id', '=', 'returns.seller_id')
          .onRef('return_items.rma_id', '=', 'returns.rma_id'),
      )
      .select(['returns.seller_id', 'returns.rma_id', 'order_id', 'order_item_id', 'quantity'])
      .where(isOneOf(['returns.seller_id', 'order_id'], orders))
      .where('status', '<>', 'Rejected'),
  )
  const replaced = new Set(returns.map(({ sellerId, rmaId }) => `${sellerId} ${rmaId}`))
  const counts = new Map<string, number>()
  for (const row of rows) {
    if (replaced.has(`${row.seller_id} ${row.rma_id}`)) continue
    const key = `${row.seller_id} ${row.order_id} ${row.order_item_id}`
    counts.set(key, (counts.get(key) ?? 0) + row.quantity)
  }
  return counts
}

const ofReturns = (keys: readonly ReturnKey[]) =>
  isOneOf(
    RETURN_KEY,
    keys.map(({ sellerId, rmaId }) => [sellerId, rmaId]),
  )

const toRow = (one: Return): ReturnRow => ({
  seller_id: one.sellerId,
  rma_id: one.rmaId,
  order_id: one.orderId,
  merchant_rma_id: one.merchantRmaId ?? null,
  requested_at: toStoredTime(one.requestedAt),
  status: one.status,
  is_prime: Number(one.isPrime ?? false),
  a_to_z_claim: Number(one.aToZClaim ?? false),
  return_type: one.returnType ?? 'C-Returns',
  label_type: one.label?.type ?? 'AmazonUnPaidLabel',
  label_cost_minor: one.label?.costMinor ?? 0,
  label_carrier: one.label?.carrier ?? null,
  label_tracking_id: one.label?.trackingId ?? null,
  label_paid_by: one.label?.paidBy ?? 'Customer',
  invoice_number: one.invoiceNumber ?? null,
  delivered_at: one.deliveredAt ? toStoredTime(one.deliveredAt) : null,
})

const toItemRows = (one: Return): ItemRow[] =>
  one.items.map((item) => ({
    seller_id: one.sellerId,
    rma_id: one.rmaId,
    order_item_id: item.orderItemId,
    quantity: item.quantity,
    reason_code: item.reasonCode,
    in_policy: Number(item.inPolicy ?? true),
    resolution: item.resolution ?? 'StandardRefund',
    category: item.category ?? '',
    refund_minor: item.refundMinor ?? 0,
  }))

const fromRow = (row: ReturnRow & { item_rows: string | null }): Return => ({
  sellerId: row.seller_id,
  rmaId: row.rma_id,
  orderId: row.order_id,
  merchantRmaId: row.merchant_rma_id,
  requestedAt: row.requested_at,
  status: row.status as Return['status'],
  isPrime: row.is_prime === 1,
  aToZClaim: row.a_to_z_claim === 1,
  returnType: row.return_type,
  label: {
    type: row.label_type,
    costMinor: row.label_cost_minor,
    carrier: row.label_carrier,
    trackingId: row.label_tracking_id,
    paidBy: row.label_paid_by as NonNullable<Return['label']>['paidBy'],
  },
  invoiceNumber: row.invoice_number,
  deliveredAt: row.delivered_at,
  items: parseNested<ItemRow>(row.item_rows, 'order_item_id').map((item) => ({
    orderItemId: item.order_item_id,
    quantity: item.quantity,
    reasonCode: item.reason_code,
    inPolicy: item.in_policy === 1,
    resolution: item.resolution,
    category: item.category,
    refundMinor: item.refund_minor,
  })),
})
