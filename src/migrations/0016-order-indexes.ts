import type { Migration } from '../platform/database/migrate.ts'

const STATE = 'seller_id, marketplace_id, fulfillment_channel, status'

/** What the orders API filters by. */
export const orderIndexes: Migration = {
  name: '0016-order-indexes',
  indexes: [
    // A list of orders is merged from one range of these per marketplace, channel and status.
    { name: 'orders_by_state_and_purchase', isUnique: true, on: `orders (${STATE}, purchased_at, order_id)` },
    { name: 'orders_by_state_and_update', isUnique: true, on: `orders (${STATE}, updated_at, order_id)` },
    { name: 'orders_by_seller_order', on: 'orders (seller_id, seller_order_id) where seller_order_id is not null' },
    { name: 'orders_by_buyer', on: 'orders (seller_id, buyer_email) where buyer_email is not null' },
  ],
}
