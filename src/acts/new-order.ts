import type { Marketplace } from '../marketplace/accounts/marketplaces.ts'
import type { ConditionType } from '../marketplace/offers/conditions.ts'
import type { Order, OrderItem } from '../marketplace/trade/order.ts'
import { inventBuyer } from './invented-buyer.ts'
import type { ListedSku } from './ports.ts'

const HOUR_MILLISECONDS = 60 * 60 * 1000

// As the offers of the listing promise: the marketplace ships within a day, a seller within two.
const PROMISED_HOURS = {
  AFN: { ship: [0, 24], deliver: [24, 72] },
  MFN: { ship: [0, 48], deliver: [72, 168] },
} as const

export type SaleListing = Pick<ListedSku, 'sku' | 'title' | 'conditionType' | 'fulfillmentType'> & {
  asin: string
  price: NonNullable<ListedSku['price']>
}

export interface Sale {
  orderId: string
  sellerId: string
  marketplace: Pick<Marketplace, 'marketplaceId' | 'countryCode' | 'currencyCode'>
  /** All of one fulfillment type, which becomes the channel of the order. */
  items: readonly { orderItemId: string; listing: SaleListing; quantity: number }[]
}

/** An order of today, with everything that the buyer does not say. */
export function newOrder({ orderId, sellerId, marketplace, items }: Sale, now: Date): Order {
  const { marketplaceId, countryCode, currencyCode } = marketplace
  const fulfillmentChannel = items[0]?.listing.fulfillmentType ?? 'MFN'
  const promised = PROMISED_HOURS[fulfillmentChannel]
  const after = (hours: number) => new Date(now.getTime() + hours * HOUR_MILLISECONDS).toISOString()
  return {
    sellerId,
    orderId,
    marketplaceId,
    status: 'Unshipped',
    fulfillmentChannel,
    purchasedAt: now.toISOString(),
    updatedAt: now.toISOString(),
    earliestShipAt: after(promised.ship[0]),
    latestShipAt: after(promised.ship[1]),
    earliestDeliveryAt: after(promised.deliver[0]),
    latestDeliveryAt: after(promised.deliver[1]),
    currencyCode,
    ...inventBuyer(orderId, countryCode),
    items: items.map(
      ({ orderItemId, listing, quantity }): OrderItem => ({
        orderItemId,
        sku: listing.sku,
        asin: listing.asin,
        title: listing.title ?? listing.sku,
        quantity,
        priceMinor: listing.price.minor * quantity,
        conditionType: listing.conditionType as ConditionType,
      }),
    ),
  }
}
