import { toStoredTime } from '../schema.ts'
import type { Order, OrderItem, Package } from './order.ts'
import { isNewSale, shippedOf } from './order-states.ts'
import type { TradeTables } from './tables.ts'

type OrderRow = TradeTables['orders']
type ItemRow = TradeTables['order_items']
type PackageRow = TradeTables['order_packages']

// Stored together as JSON, because no query filters by them.
const ORDER_DETAILS = [
  'buyer',
  'deliveryPreferences',
  'payments',
  'isBusinessOrder',
  'isPrime',
  'isPremiumOrder',
  'replacedOrderId',
  'pickupStatus',
  'cancellation',
  'regulatedInfo',
] as const
const ADDRESS_DETAILS = [
  'name',
  'companyName',
  'addressLine1',
  'addressLine2',
  'addressLine3',
  'county',
  'district',
  'municipality',
  'phone',
  'addressType',
] as const
const ITEM_DETAILS = [
  'shippingTaxMinor',
  'shippingDiscountMinor',
  'promotionDiscountMinor',
  'promotionIds',
  'conditionType',
  'conditionNote',
  'points',
  'gift',
  'customizedUrl',
  'buyerCancelReason',
] as const

const NO_DETAILS = '{}'

function pick<Name extends string>(from: object, names: readonly Name[]): Record<string, unknown> | undefined {
  let picked: Record<string, unknown> | undefined
  for (const name of names) {
    const value = (from as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    picked ??= {}
    picked[name] = value
  }
  return picked
}

function toDetails(order: Order): string {
  const details = pick(order, ORDER_DETAILS)
  const shipTo = order.shipTo && pick(order.shipTo, ADDRESS_DETAILS)
  return details || shipTo ? JSON.stringify({ ...details, ...(shipTo && { shipTo }) }) : NO_DETAILS
}

const parseDetails = (text: string) => (text === NO_DETAILS ? undefined : JSON.parse(text))

type Details = Pick<Order, (typeof ORDER_DETAILS)[number] | 'shipTo'>

let parsed: { text: string; details: Details } = { text: NO_DETAILS, details: {} }

/** The details of a row. Several columns of a report ask for those of the same order. */
export function detailsOf({ details: text }: Pick<OrderRow, 'details'>): Details {
  if (parsed.text !== text) parsed = { text, details: JSON.parse(text) }
  return parsed.details
}

const time = (text: string | null | undefined) => (text ? toStoredTime(text) : null)

/** What changes after the sale. */
export const toStateRow = (order: Order, now: Date) => ({
  seller_id: order.sellerId,
  order_id: order.orderId,
  status: order.status,
  updated_at: time(order.updatedAt) ?? now.toISOString(),
  shipped_at: time(order.shippedAt),
  delivered_at: time(order.deliveredAt),
  acknowledged_at: time(order.acknowledgedAt),
  details: toDetails(order),
})

export const toOrderRow = (order: Order, now: Date): OrderRow => ({
  ...toStateRow(order, now),
  marketplace_id: order.marketplaceId,
  fulfillment_channel: order.fulfillmentChannel,
  purchased_at: toStoredTime(order.purchasedAt),
  earliest_ship_at: time(order.earliestShipAt),
  latest_ship_at: time(order.latestShipAt),
  earliest_delivery_at: time(order.earliestDeliveryAt),
  latest_delivery_at: time(order.latestDeliveryAt),
  buyer_accepts_requests: Number(order.buyerAcceptsRequests ?? true),
  currency_code: order.currencyCode,
  ship_service_level: order.shipServiceLevel ?? 'Standard',
  ship_city: order.shipTo?.city ?? null,
  ship_state: order.shipTo?.stateOrRegion ?? null,
  ship_postal_code: order.shipTo?.postalCode ?? null,
  ship_country_code: order.shipTo?.countryCode ?? null,
  seller_order_id: order.sellerOrderId ?? null,
  buyer_email: order.buyer?.email ?? null,
  payment_method: order.paymentMethod ?? 'Other',
  easy_ship_status: order.easyShipStatus ?? null,
  invoice_status: order.invoiceStatus ?? null,
  supply_source_id: order.supplySourceId ?? null,
  store_chain_store_id: order.storeChainStoreId ?? null,
  is_pickup: Number(order.isPickup ?? false),
  takes_stock: Number(order.takesStock ?? isNewSale(order.status)),
})

export const toItemRow = ({ sellerId, orderId, status }: Order, item: OrderItem): ItemRow => {
  const details = pick(item, ITEM_DETAILS)
  return {
    seller_id: sellerId,
    order_id: orderId,
    order_item_id: item.orderItemId,
    sku: item.sku,
    asin: item.asin,
    title: item.title,
    quantity: item.quantity,
    quantity_shipped: shippedOf(status, item),
    price_minor: item.priceMinor,
    tax_minor: item.taxMinor ?? 0,
    shipping_price_minor: item.shippingPriceMinor ?? 0,
    details: details ? JSON.stringify(details) : NO_DETAILS,
  }
}

export const toItemRows = (order: Order): ItemRow[] => order.items.map((item) => toItemRow(order, item))

export const toPackageRow = ({ sellerId, orderId }: Order, one: Package, now: Date): PackageRow => ({
  seller_id: sellerId,
  order_id: orderId,
  package_reference_id: one.packageReferenceId,
  carrier_code: one.carrierCode,
  carrier_name: one.carrierName ?? null,
  shipping_method: one.shippingMethod ?? null,
  tracking_number: one.trackingNumber ?? null,
  shipped_at: toStoredTime(one.shippedAt),
  created_at: time(one.createdAt) ?? now.toISOString(),
  supply_source_id: one.supplySourceId ?? null,
  items: JSON.stringify(one.items),
})

export function fromOrderRow(row: OrderRow, items: readonly ItemRow[]): Order {
  const { shipTo, ...details } = parseDetails(row.details) ?? {}
  const order: Order = {
    sellerId: row.seller_id,
    orderId: row.order_id,
    marketplaceId: row.marketplace_id,
    status: row.status as Order['status'],
    fulfillmentChannel: row.fulfillment_channel as Order['fulfillmentChannel'],
    takesStock: row.takes_stock === 1,
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
      ...shipTo,
    },
    paymentMethod: row.payment_method as NonNullable<Order['paymentMethod']>,
    items: items.map(fromItemRow),
  }
  // Assigned one by one: an object made of many spreads takes several times as long to create and to read.
  if (row.seller_order_id !== null) order.sellerOrderId = row.seller_order_id
  if (row.easy_ship_status !== null) order.easyShipStatus = row.easy_ship_status as Order['easyShipStatus'] & string
  if (row.invoice_status !== null) order.invoiceStatus = row.invoice_status as Order['invoiceStatus'] & string
  if (row.supply_source_id !== null) order.supplySourceId = row.supply_source_id
  if (row.store_chain_store_id !== null) order.storeChainStoreId = row.store_chain_store_id
  if (row.is_pickup === 1) order.isPickup = true
  return Object.assign(order, details)
}

const fromItemRow = (item: ItemRow): OrderItem => ({
  orderItemId: item.order_item_id,
  sku: item.sku,
  asin: item.asin,
  title: item.title,
  quantity: item.quantity,
  quantityShipped: item.quantity_shipped,
  priceMinor: item.price_minor,
  taxMinor: item.tax_minor,
  shippingPriceMinor: item.shipping_price_minor,
  ...parseDetails(item.details),
})

export const fromPackageRow = (row: PackageRow): Package => ({
  packageReferenceId: row.package_reference_id,
  carrierCode: row.carrier_code,
  ...(row.carrier_name !== null && { carrierName: row.carrier_name }),
  ...(row.shipping_method !== null && { shippingMethod: row.shipping_method }),
  ...(row.tracking_number !== null && { trackingNumber: row.tracking_number }),
  shippedAt: row.shipped_at,
  createdAt: row.created_at,
  ...(row.supply_source_id !== null && { supplySourceId: row.supply_source_id }),
  items: JSON.parse(row.items),
})

/** The order as it is read after it was written: times and defaults filled in, items in the order of their ids. */
export function toStoredOrder(order: Order, now: Date): Order {
  const items = toItemRows(order).sort((a, b) => (a.order_item_id < b.order_item_id ? -1 : 1))
  return fromOrderRow(toOrderRow(order, now), items)
}
