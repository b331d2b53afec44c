import type { OrderItemRow } from '../../../marketplace/trade/order-item-pages.ts'

/** Flat files and XML name the party that fulfills the order. */
export const fulfillmentChannel = (row: OrderItemRow) => (row.fulfillment_channel === 'AFN' ? 'Amazon' : 'Merchant')

/** Reports use the spelling "Cancelled"; the rest of the API uses "Canceled". */
export const orderStatus = ({ status }: OrderItemRow) => (status === 'Canceled' ? 'Cancelled' : status)

/** Items have no stored status; it is derived from the shipped quantity. */
export function itemStatus(row: OrderItemRow): string {
  if (row.status === 'Canceled') return 'Cancelled'
  return row.quantity_shipped >= row.quantity && row.quantity > 0 ? 'Shipped' : 'Unshipped'
}
