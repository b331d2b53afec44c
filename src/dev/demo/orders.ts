import type { Order } from '../../marketplace/trade/orders.ts'
import { DE, demoSeller, otherSeller, US } from './identities.ts'

export const DAY = 24 * 60 * 60 * 1000

/** Whether a review request can be sent for an order. */
type Eligibility = 'eligible' | 'notDelivered' | 'tooEarly' | 'tooLate' | 'optedOut' | 'alreadySolicited'

// Days since the earliest promised delivery. Negative for a future delivery.
const promisedDaysAgo: Record<Eligibility, number> = {
  eligible: 7,
  notDelivered: -2,
  tooEarly: 2,
  tooLate: 45,
  optedOut: 10,
  alreadySolicited: 12,
}

export const products = [
  { sku: 'SOUK-SHOE-001', asin: 'B0SOUK0001', title: 'Trail running shoe, grey', priceMinor: 8990 },
  { sku: 'SOUK-SHOE-002', asin: 'B0SOUK0002', title: 'Leather ankle boot, brown', priceMinor: 12950 },
  { sku: 'SOUK-SHOE-003', asin: 'B0SOUK0003', title: 'Canvas sneaker, white', priceMinor: 4990 },
  { sku: 'SOUK-SHOE-004', asin: 'B0SOUK0004', title: 'Hiking boot, waterproof', priceMinor: 15900 },
  { sku: 'SOUK-SHOE-005', asin: 'B0SOUK0005', title: 'House slipper, wool', priceMinor: 2995 },
  { sku: 'SOUK-SHOE-006', asin: 'B0SOUK0006', title: 'Sandal with cork sole', priceMinor: 5990 },
] as const

export const skus = products.map((product) => product.sku)
export const asins = products.map((product) => product.asin)

type ShippingDestination = Pick<Order, 'marketplaceId' | 'currencyCode' | 'shipTo'>

export const inPortland: ShippingDestination = {
  marketplaceId: US,
  currencyCode: 'USD',
  shipTo: { city: 'Portland', stateOrRegion: 'OR', postalCode: '97201', countryCode: 'US' },
}
export const inLeipzig: ShippingDestination = {
  marketplaceId: DE,
  currencyCode: 'EUR',
  shipTo: { city: 'Leipzig', stateOrRegion: null, postalCode: '04109', countryCode: 'DE' },
}

export const ids = (prefix: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-0000000-${String(index + 1).padStart(7, '0')}`)

/** The demo seller's orders in the United States by eligibility. The first is the order of the public examples. */
export const orderIds = {
  eligible: ['123-1234567-1234567', ...ids(701, 23)],
  notDelivered: ids(702, 4),
  tooEarly: ids(703, 4),
  tooLate: ids(704, 4),
  optedOut: ids(705, 4),
  alreadySolicited: ids(706, 4),
} satisfies Record<Eligibility, string[]>

const germanOrderIds = ids(302, 6)
const otherSellersOrderIds = ids(801, 6)

const buyers = ['Nadia Benali', 'Tom Fischer', 'Ana Ribeiro', 'Omar Haddad', 'Lena Vogel', 'Sam Carter']

/** An invented buyer, who differs from order to order. */
function demoBuyer(orderId: string, { shipTo }: ShippingDestination): Pick<Order, 'buyer' | 'shipTo'> {
  const number = Number(orderId.slice(-3))
  const name = buyers[number % buyers.length] as string
  return {
    buyer: { name, email: `buyer-${orderId}@marketplace.example` },
    shipTo: { ...shipTo, name, addressLine1: `${number + 1} Bazaar Street`, addressType: 'Residential' },
  }
}

/** All demo orders. Their eligibility does not change within ten days from `now`. */
export function demoOrders(now: Date): Order[] {
  const conditions = Object.entries(orderIds) as [Eligibility, string[]][]
  return [
    ...conditions.flatMap(([condition, orderIds]) =>
      orderIds.map((id, index) => order(id, condition, index, inPortland)),
    ),
    ...germanOrderIds.map((id, index) => order(id, 'eligible', index, inLeipzig)),
    ...otherSellersOrderIds.map((id, index) => ({
      ...order(id, 'eligible', index, inPortland),
      sellerId: otherSeller.sellerId,
    })),
  ]

  function order(orderId: string, condition: Eligibility, index: number, destination: ShippingDestination): Order {
    const promised = now.getTime() - (promisedDaysAgo[condition] + index * 0.25) * DAY
    const after = (days: number) => new Date(promised + days * DAY).toISOString()
    const delivered = condition !== 'notDelivered'
    const product = products[index % products.length] as (typeof products)[number]
    const quantity = 1 + (index % 2)
    const isShipped = delivered || index > 0
    const orderItemId = orderId.replaceAll('-', '').slice(-14)
    return {
      ...destination,
      ...demoBuyer(orderId, destination),
      sellerId: demoSeller.sellerId,
      orderId,
      status: isShipped ? 'Shipped' : 'Unshipped',
      fulfillmentChannel: 'MFN',
      // The quantities of the demo listings are those after these orders.
      takesStock: false,
      purchasedAt: after(-6),
      updatedAt: after(delivered ? 1 : -4),
      earliestShipAt: after(-5),
      latestShipAt: after(-4),
      shippedAt: isShipped ? after(-4.5) : null,
      earliestDeliveryAt: after(0),
      latestDeliveryAt: after(1),
      deliveredAt: delivered ? after(0.5) : null,
      buyerAcceptsRequests: condition !== 'optedOut',
      shipServiceLevel: index % 3 === 0 ? 'Expedited' : 'Standard',
      items: [
        {
          orderItemId,
          sku: product.sku,
          asin: product.asin,
          title: product.title,
          quantity,
          quantityShipped: isShipped ? quantity : 0,
          priceMinor: product.priceMinor * quantity,
          taxMinor: Math.round(product.priceMinor * quantity * 0.08),
          shippingPriceMinor: index % 3 === 0 ? 790 : 0,
        },
      ],
      packages: isShipped
        ? [
            {
              packageReferenceId: '1',
              carrierCode: 'UPS',
              shippingMethod: 'Ground',
              trackingNumber: `1Z50${orderItemId}`,
              shippedAt: after(-4.5),
              createdAt: after(-4.5),
              items: [{ orderItemId, quantity }],
            },
          ]
        : [],
    }
  }
}
