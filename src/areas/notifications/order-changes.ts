import type { OrderItem } from '../../marketplace/trade/order.ts'
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
    return changesOf(previous, order).map(([type, reason]) => {
      const OrderChangeNotification = {
        NotificationLevel: 'OrderLevel',
        SellerId: order.sellerId,
        AmazonOrderId: order.orderId,
        OrderChangeType: type,
        OrderChangeTrigger: { TimeOfOrderChange: now.toISOString(), ChangeReason: reason },
        Summary: summarize(order),
      }
      return { sellerId: order.sellerId, type: 'ORDER_CHANGE', occurredAt: now, payload: { OrderChangeNotification } }
    })
  })
}

/** The types of change with their reasons: a buyer may ask for a cancellation of an order that changes, too. */
function changesOf(before: Order | undefined, after: Order): [type: string, reason: string][] {
  const changes: [type: string, reason: string][] = []
  if (!before || looksDifferent(before, after)) changes.push(['OrderStatusChange', reasonOf(before, after)])
  if (before && asksToCancel(before, after)) changes.push(['BuyerRequestedChange', 'Buyer requested cancellation'])
  return changes
}

function asksToCancel(before: Order, after: Order): boolean {
  const asked = new Set(before.items.filter(isCancelRequested).map(({ orderItemId }) => orderItemId))
  return after.items.some((item) => isCancelRequested(item) && !asked.has(item.orderItemId))
}

const isCancelRequested = ({ buyerCancelReason }: OrderItem) => typeof buyerCancelReason === 'string'

/** Most changes are of the status, which is cheaper to compare than the rest. */
const looksDifferent = (before: Order, after: Order): boolean =>
  before.status !== after.status || summaryOf(before) !== summaryOf(after)

/** What subscribers see, except for a request of the buyer. */
function summaryOf({ items, ...order }: Order): string {
  return JSON.stringify(summarize({ ...order, items: items.map((item) => ({ ...item, buyerCancelReason: null })) }))
}

function reasonOf(before: Order | undefined, { status }: Order): string {
  if (!before) return 'Order created'
  return before.status === status ? 'Order details changed' : `Order status changed from ${before.status} to ${status}`
}

function summarize(order: Order) {
  const shipped = order.items.reduce((sum, { quantityShipped = 0 }) => sum + quantityShipped, 0)
  const ordered = order.items.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    MarketplaceId: order.marketplaceId,
    OrderStatus: order.status,
    PurchaseDate: order.purchasedAt,
    DestinationPostalCode: order.shipTo?.postalCode ?? null,
    FulfillmentType: order.fulfillmentChannel,
    OrderType: 'StandardOrder',
    NumberOfItemsShipped: shipped,
    NumberOfItemsUnshipped: Math.max(0, ordered - shipped),
    EarliestDeliveryDate: order.earliestDeliveryAt ?? undefined,
    LatestDeliveryDate: order.latestDeliveryAt ?? undefined,
    EarliestShipDate: order.earliestShipAt ?? undefined,
    LatestShipDate: order.latestShipAt ?? undefined,
    OrderItems: order.items.map((item) => ({
      OrderItemId: item.orderItemId,
      SellerSKU: item.sku,
      SupplySourceId: null,
      OrderItemStatus: (item.quantityShipped ?? 0) < item.quantity ? 'Unshipped' : 'Shipped',
      Quantity: item.quantity,
      QuantityShipped: item.quantityShipped ?? 0,
      ...(isCancelRequested(item) && { IsBuyerRequestedCancel: true }),
    })),
  }
}
