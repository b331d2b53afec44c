import type { AliasedRawBuilder } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isOneOf } from '../../platform/database/tuples.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import {
  CountryCode,
  CurrencyCode,
  DateTime,
  MarketplaceId,
  MinorUnits,
  Name,
  Nullable,
  OrderId,
  SellerId,
  strict,
  toStoredTime,
} from '../schema.ts'
import type { TradeTables } from './tables.ts'

export const ORDER_STATUSES = [
  'PendingAvailability',
  'Pending',
  'Unshipped',
  'PartiallyShipped',
  'Shipped',
  'InvoiceUnconfirmed',
  'Canceled',
  'Unfulfillable',
] as const

const Time = Type.Optional(Nullable(DateTime))
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })

export const OrderItem = Type.Object(
  {
    orderItemId: Type.String({ pattern: '^\\d{1,20}$' }),
    sku: Type.String({ minLength: 1, maxLength: 255 }),
    asin: Type.String({ pattern: '^[A-Z0-9]{10}$' }),
    title: Name,
    quantity: Count,
    quantityShipped: Type.Optional(Count),
    priceMinor: MinorUnits,
    taxMinor: Type.Optional(MinorUnits),
    shippingPriceMinor: Type.Optional(MinorUnits),
  },
  strict,
)

export const Order = Type.Object(
  {
    sellerId: SellerId,
    orderId: OrderId,
    marketplaceId: MarketplaceId,
    status: Type.Enum(ORDER_STATUSES),
    fulfillmentChannel: Type.Enum(['AFN', 'MFN']),
    purchasedAt: DateTime,
    updatedAt: Type.Optional(DateTime),
    earliestShipAt: Time,
    latestShipAt: Time,
    earliestDeliveryAt: Time,
    latestDeliveryAt: Time,
    shippedAt: Time,
    deliveredAt: Time,
    acknowledgedAt: Type.Optional(Nullable({ ...DateTime, description: 'When the seller acknowledged the order.' })),
    buyerAcceptsRequests: Type.Optional(
      Type.Boolean({ description: 'False if the buyer opted out of review requests. Default: true' }),
    ),
    currencyCode: CurrencyCode,
    shipServiceLevel: Type.Optional(Name),
    shipTo: Type.Optional(
      Nullable(
        Type.Object(
          {
            city: Type.Optional(Nullable(Name)),
            stateOrRegion: Type.Optional(Nullable(Name)),
            postalCode: Type.Optional(Nullable(Name)),
            countryCode: Type.Optional(Nullable(CountryCode)),
          },
          strict,
        ),
      ),
    ),
    items: Type.Array(OrderItem, { minItems: 1, maxItems: 100 }),
  },
  strict,
)
export type Order = Static<typeof Order>
export type OrderItem = Static<typeof OrderItem>
export type OrderKey = Pick<Order, 'sellerId' | 'orderId'>

/** Identifies an order in a map. */
export const orderKey = ({ sellerId, orderId }: OrderKey) => `${sellerId} ${orderId}`

/**
 * Called in the transaction that writes orders. `before` has those of them that existed, `after` has all of them as
 * stored.
 */
export type OnOrdersChanged = (
  tx: Transaction,
  before: readonly Order[],
  after: readonly Order[],
  now: Date,
) => Promise<void>

const db = queryBuilder<TradeTables>()

/** Replaces orders with all of their items. */
export async function upsertOrders(tx: Transaction, orders: readonly Order[], now: Date): Promise<void> {
  if (orders.length === 0) return
  await upsertMany(
    tx,
    'orders',
    ['seller_id', 'order_id'],
    orders.map((order) => toRow(order, now)),
  )
  await tx.run(db.deleteFrom('order_items').where(ofOrders(orders)))
  await upsertMany(tx, 'order_items', ['seller_id', 'order_id', 'order_item_id'], orders.flatMap(toItemRows))
}

export async function findOrder(reader: Reader, { sellerId, orderId }: OrderKey): Promise<Order | undefined> {
  const query = db.selectFrom('orders').selectAll().where('seller_id', '=', sellerId).where('order_id', '=', orderId)
  const row = await reader.first(query)
  return row && (await withItems(reader, [row]))[0]
}

/** Prepares a query for an order's delivery and one column of the caller's own tables, so that one statement reads both. */
export const prepareDeliveryQuery = <Value, Alias extends string>(column: AliasedRawBuilder<Value, Alias>) =>
  prepare((key: OrderKey) =>
    db
      .selectFrom('orders')
      .select([
        'marketplace_id',
        'delivered_at',
        'earliest_delivery_at',
        'latest_delivery_at',
        'buyer_accepts_requests',
        column,
      ])
      .where('seller_id', '=', key.sellerId)
      .where('order_id', '=', key.orderId),
  )

/** Returns existing orders, in no particular order. */
export async function findOrders(reader: Reader, keys: readonly OrderKey[]): Promise<Order[]> {
  if (keys.length === 0) return []
  return withItems(reader, await reader.all(db.selectFrom('orders').selectAll().where(ofOrders(keys))))
}

export async function listOrders(reader: Reader, page: PageRequest & { sellerId?: string }): Promise<Order[]> {
  let query = db.selectFrom('orders').selectAll().orderBy('seller_id').orderBy('order_id').limit(page.limit)
  if (page.sellerId) query = query.where('seller_id', '=', page.sellerId)
  if (page.after) query = query.where(isAfter(['seller_id', 'order_id'], page.after))
  return withItems(reader, await reader.all(query))
}

const ofOrders = (keys: readonly OrderKey[]) =>
  isOneOf(
    ['seller_id', 'order_id'],
    keys.map(({ sellerId, orderId }) => [sellerId, orderId]),
  )

async function withItems(reader: Reader, rows: TradeTables['orders'][]): Promise<Order[]> {
  if (rows.length === 0) return []
  const keys = rows.map((row) => ({ sellerId: row.seller_id, orderId: row.order_id }))
  const items = await reader.all(
    db.selectFrom('order_items').selectAll().where(ofOrders(keys)).orderBy('order_item_id'),
  )
  const byOrder = Map.groupBy(items, (item) => `${item.seller_id} ${item.order_id}`)
  return rows.map((row) => fromRow(row, byOrder.get(`${row.seller_id} ${row.order_id}`) ?? []))
}

const time = (text: string | null | undefined) => (text ? toStoredTime(text) : null)

const toRow = (order: Order, now: Date): TradeTables['orders'] => ({
  seller_id: order.sellerId,
  order_id: order.orderId,
  marketplace_id: order.marketplaceId,
  status: order.status,
  fulfillment_channel: order.fulfillmentChannel,
  purchased_at: toStoredTime(order.purchasedAt),
  updated_at: time(order.updatedAt) ?? now.toISOString(),
  earliest_ship_at: time(order.earliestShipAt),
  latest_ship_at: time(order.latestShipAt),
  earliest_delivery_at: time(order.earliestDeliveryAt),
  latest_delivery_at: time(order.latestDeliveryAt),
  shipped_at: time(order.shippedAt),
  delivered_at: time(order.deliveredAt),
  acknowledged_at: time(order.acknowledgedAt),
  buyer_accepts_requests: Number(order.buyerAcceptsRequests ?? true),
  currency_code: order.currencyCode,
  ship_service_level: order.shipServiceLevel ?? 'Standard',
  ship_city: order.shipTo?.city ?? null,
  ship_state: order.shipTo?.stateOrRegion ?? null,
  ship_postal_code: order.shipTo?.postalCode ?? null,
  ship_country_code: order.shipTo?.countryCode ?? null,
})

const toItemRows = (order: Order): TradeTables['order_items'][] =>
  order.items.map((item) => ({
    seller_id: order.sellerId,
    order_id: order.orderId,
    order_item_id: item.orderItemId,
    sku: item.sku,
    asin: item.asin,
    title: item.title,
    quantity: item.quantity,
    quantity_shipped: item.quantityShipped ?? 0,
    price_minor: item.priceMinor,
    tax_minor: item.taxMinor ?? 0,
    shipping_price_minor: item.shippingPriceMinor ?? 0,
  }))

const fromRow = (row: TradeTables['orders'], items: TradeTables['order_items'][]): Order => ({
  sellerId: row.seller_id,
  orderId: row.order_id,
  marketplaceId: row.marketplace_id,
  status: row.status as Order['status'],
  fulfillmentChannel: row.fulfillment_channel as Order['fulfillmentChannel'],
  purchasedAt: row.purchased_at,
  updatedAt: row.updated_at,
  earliestShipAt: row.earliest_ship_at,
  latestShipAt: row.latest_ship_at,
  earliestDeliveryAt: row.earliest_delivery_at,
  latestDeliveryAt: row.latest_delivery_at,
  shippedAt: row.shipped_at,
  deliveredAt: row.delivered_at,
  acknowledgedAt: row.acknowledged_at,
  buyerAcceptsRequests: row.buyer_accepts_requests === 1,
  currencyCode: row.currency_code,
  shipServiceLevel: row.ship_service_level,
  shipTo: {
    city: row.ship_city,
    stateOrRegion: row.ship_state,
    postalCode: row.ship_postal_code,
    countryCode: row.ship_country_code,
  },
  items: items.map((item) => ({
    orderItemId: item.order_item_id,
    sku: item.sku,
    asin: item.asin,
    title: item.title,
    quantity: item.quantity,
    quantityShipped: item.quantity_shipped,
    priceMinor: item.price_minor,
    taxMinor: item.tax_minor,
    shippingPriceMinor: item.shipping_price_minor,
  })),
})
