import { ORDER_STATES } from '../../src/marketplace/trade/order-states.ts'
import type { Order } from '../../src/marketplace/trade/orders.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** An order that is eligible for a solicitation at `now`. */
export function buildOrder(now: Date, overrides: Partial<Order> & Pick<Order, 'sellerId' | 'orderId'>): Order {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MILLISECONDS).toISOString()
  const { status = 'Shipped' } = overrides
  const isShipped = ORDER_STATES[status].shipped !== 'none'
  return {
    marketplaceId: 'ATVPDKIKX0DER',
    status,
    fulfillmentChannel: 'MFN',
    // The SKU has no listing.
    takesStock: false,
    purchasedAt: daysAgo(20),
    earliestDeliveryAt: daysAgo(12),
    latestDeliveryAt: daysAgo(10),
    deliveredAt: isShipped ? daysAgo(11) : null,
    currencyCode: 'USD',
    items: [
      {
        orderItemId: '10000000000001',
        sku: 'SKU-1',
        asin: 'B0SOUK0001',
        title: 'Shoe',
        quantity: 1,
        priceMinor: 8990,
      },
    ],
    ...overrides,
  }
}
