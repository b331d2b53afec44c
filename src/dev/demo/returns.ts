import type { Order } from '../../marketplace/trade/orders.ts'
import type { Return } from '../../marketplace/trade/returns.ts'
import { demoSeller, otherSeller } from './identities.ts'
import { DAY, ids, inLeipzig, inPortland, products } from './orders.ts'

const HOUR = DAY / 24
// A return report spans 60 days at most.
const MAX_AGE_DAYS = 59

const groups = [
  {
    seller: demoSeller,
    destination: inPortland,
    orderIds: ids(707, 68),
    rma: 'DUS',
    carriers: ['UPS', 'USPS', 'FedEx'],
  },
  { seller: demoSeller, destination: inLeipzig, orderIds: ids(303, 6), rma: 'DDE', carriers: ['DHL', 'Hermes'] },
  { seller: otherSeller, destination: inPortland, orderIds: ids(802, 5), rma: 'DOS', carriers: ['USPS'] },
]
type Group = (typeof groups)[number]

// The party that caused the return pays for its label.
const reasons = [
  { code: 'AMZ-PG-APP-TOO-SMALL', responsible: 'Customer' },
  { code: 'AMZ-PG-APP-TOO-LARGE', responsible: 'Customer' },
  { code: 'AMZ-PG-BAD-DESC', responsible: 'Seller' },
  { code: 'CR-UNWANTED_ITEM', responsible: 'Customer' },
  { code: 'CR-DEFECTIVE', responsible: 'Seller' },
  { code: 'AMZ-PG-APP-STYLE', responsible: 'Customer' },
  { code: 'CR-DAMAGED_BY_CARRIER', responsible: 'Amazon' },
] as const
const statuses = ['Completed', 'Approved', 'Completed', 'Closed', 'Rejected'] as const
const resolutions = ['StandardRefund', 'StandardRefund', 'Exchange', 'StandardRefund', 'StandardRefund', 'Replacement']

const at = <Item>(list: readonly Item[], index: number) => list[index % list.length] as Item

/** Demo returns from one hour to 59 days before `now`, each with its own order. */
export function demoReturns(now: Date): { order: Order; return: Return }[] {
  return groups.flatMap((group) =>
    group.orderIds.map((_, index) => {
      const daysAgo = (MAX_AGE_DAYS * index) / (group.orderIds.length - 1)
      const requestedAt = new Date(now.getTime() - HOUR - daysAgo * DAY)
      const order = returnedOrder(group, index, requestedAt)
      return { order, return: returnOf(order, group, index, requestedAt, daysAgo) }
    }),
  )
}

function returnedOrder({ seller, destination, orderIds }: Group, index: number, requestedAt: Date): Order {
  const orderId = orderIds[index] as string
  const purchased = requestedAt.getTime() - (8 + (index % 5)) * DAY
  const after = (days: number) => new Date(purchased + days * DAY).toISOString()
  const itemCount = index % 6 === 2 ? 2 : 1
  return {
    ...destination,
    sellerId: seller.sellerId,
    orderId,
    status: 'Shipped',
    fulfillmentChannel: 'MFN',
    purchasedAt: after(0),
    updatedAt: after(5),
    earliestShipAt: after(1),
    latestShipAt: after(2),
    shippedAt: after(1.5),
    earliestDeliveryAt: after(4),
    latestDeliveryAt: after(6),
    deliveredAt: after(5),
    items: Array.from({ length: itemCount }, (_, position) => {
      const { priceMinor, ...product } = at(products, index + position)
      const quantity = index % 8 === 5 ? 2 : 1
      return {
        ...product,
        orderItemId: `${orderId.replaceAll('-', '').slice(-13)}${position + 1}`,
        quantity,
        quantityShipped: quantity,
        priceMinor: priceMinor * quantity,
        taxMinor: Math.round(priceMinor * quantity * 0.08),
      }
    }),
  }
}

function returnOf(order: Order, group: Group, index: number, requestedAt: Date, daysAgo: number): Return {
  const reason = at(reasons, index)
  const resolution = at(resolutions, index)
  // The newest returns are still pending, and none is delivered within a week.
  const status = daysAgo < 3 ? 'Pending' : daysAgo < 7 ? 'Approved' : at(statuses, index)
  const isBack = status === 'Completed'
  const isOnItsWay = isBack || status === 'Approved'
  return {
    sellerId: order.sellerId,
    rmaId: `${group.rma}${String(index + 1).padStart(4, '0')}RRMA`,
    orderId: order.orderId,
    merchantRmaId: index % 9 === 4 ? `RMA-${1000 + index}` : null,
    requestedAt: requestedAt.toISOString(),
    status,
    isPrime: index % 10 === 7,
    aToZClaim: index % 25 === 18,
    label: {
      type: reason.responsible === 'Customer' ? 'AmazonUnPaidLabel' : 'AmazonPrePaidLabel',
      costMinor: reason.responsible === 'Customer' ? 0 : 795,
      carrier: isOnItsWay ? at(group.carriers, index) : null,
      trackingId: isOnItsWay ? `1Z50${group.rma}${String(index).padStart(9, '0')}` : null,
      paidBy: reason.responsible,
    },
    invoiceNumber: order.currencyCode === 'EUR' ? `RE-2026-${100 + index}` : null,
    deliveredAt: isBack ? new Date(requestedAt.getTime() + 6 * DAY).toISOString() : null,
    items: order.items.map(({ orderItemId, quantity, priceMinor }) => ({
      orderItemId,
      // Of two items, the buyer keeps one.
      quantity: 1,
      reasonCode: reason.code,
      inPolicy: status !== 'Rejected',
      resolution,
      category: 'Shoes',
      refundMinor: isBack && resolution === 'StandardRefund' ? priceMinor / quantity : 0,
    })),
  }
}
