import { ORDER_STATUSES, type OrderStatus } from '../../../marketplace/trade/order-states.ts'

export const FULFILLMENT_STATUSES = [
  'PENDING_AVAILABILITY',
  'PENDING',
  'UNSHIPPED',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'CANCELLED',
  'UNFULFILLABLE',
] as const
export type FulfillmentStatus = (typeof FULFILLMENT_STATUSES)[number]

const BY_STATUS: Readonly<Record<OrderStatus, FulfillmentStatus>> = {
  PendingAvailability: 'PENDING_AVAILABILITY',
  Pending: 'PENDING',
  Unshipped: 'UNSHIPPED',
  PartiallyShipped: 'PARTIALLY_SHIPPED',
  Shipped: 'SHIPPED',
  // Shipped, but for its invoice.
  InvoiceUnconfirmed: 'SHIPPED',
  Canceled: 'CANCELLED',
  Unfulfillable: 'UNFULFILLABLE',
}

export const fulfillmentStatusOf = (status: OrderStatus): FulfillmentStatus => BY_STATUS[status]

export const statusesOf = (wanted: readonly FulfillmentStatus[]): OrderStatus[] =>
  ORDER_STATUSES.filter((status) => wanted.includes(BY_STATUS[status]))
