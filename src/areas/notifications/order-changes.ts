import { type OnOrdersChanged, type Order, orderKey } from '../../marketplace/trade/orders.ts'
import type { NewEvent, Outbox } from '../../platform/outbox/outbox.ts'

/** Publishes ORDER_CHANGE for orders that are new or that subscribers would see differently. */
export const createOrderChangePublisher =
  (outbox: Outbox): OnOrdersChanged =>
  (tx, before, after, now) =>
    outbox.append(tx, createEvents(before, after, now))

function createEvents(before: readonly Order[], after: readonly Order[], now: Date): NewEvent[] {
  const known = new Map(before.map((order) => [orderKey(order), order]))
  return after.flatMap((order) => {
    const previous = known.get(orderKey(order))
    if (previous && JSON.stringify(summarize(previous)) === JSON.stringify(summarize(order))) return []
    const OrderChangeNotification = {
      NotificationLevel: 'OrderLevel',
      SellerId: order.sellerId,
      AmazonOrderId: order.orderId,
      OrderChangeType: 'OrderStatusChange',
      OrderChangeTrigger: { TimeOfOrderChange: now.toISOString(), ChangeReason: reasonOf(previous, order) },
      Summary: summarize(order),
    }
    return [{ sellerId: order.sellerId, type: 'ORDER_CHANGE', occurredAt: now, payload: { OrderChangeNotification } }]
  })
}

function reasonOf(before: Order | undefined, { status }: Order): string {
  if (!before) return 'Order created'
  return before.status === status ? 'Order details changed' : `Order status changed from ${before.status} to ${status}`
}

function summarize(order: Order) {
  const shipped = order.items.reduce((sum, { quantityShipped = 0 }) => sum + quantityShipped, 0)
  const ordered = order.items.reduce((sum, { quantity }) => sum + quantity, 0)
  const times = {
    EarliestDeliveryDate: order.earliestDeliveryAt,
    LatestDeliveryDate: order.latestDeliveryAt,
    EarliestShipDate: order.earliestShipAt,
    LatestShipDate: order.latestShipAt,
  }
  return {
    MarketplaceId: order.marketplaceId,
    OrderStatus: order.status,
    PurchaseDate: order.purchasedAt,
    DestinationPostalCode: order.shipTo?.postalCode ?? null,
    FulfillmentType: order.fulfillmentChannel,
    OrderType: 'StandardOrder',
    NumberOfItemsShipped: shipped,
    NumberOfItemsUnshipped: Math.max(0, ordered - shipped),
    ...Object.fromEntries(Object.entries(times).filter(([, time]) => typeof time === 'string')),
    OrderItems: order.items.map(({ orderItemId, sku, quantity, quantityShipped = 0 }) => ({
      OrderItemId: orderItemId,
      SellerSKU: sku,
      SupplySourceId: null,
      OrderItemStatus: quantityShipped < quantity ? 'Unshipped' : 'Shipped',
      Quantity: quantity,
      QuantityShipped: quantityShipped,
    })),
  }
}
