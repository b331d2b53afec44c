// The acts as `startSouk` has them. Users compile these types, so they refer to no dependency.
import type { ConditionType } from '../marketplace/offers/conditions.ts'

/** An order, or its id if it is of the demo seller. The result of `buyer.order` is one. */
export type OrderReference = string | { orderId: string; sellerId?: string }

export interface OrderedItem {
  orderItemId: string
  sku: string
  asin: string
  title: string
  quantity: number
  quantityShipped?: number
  /** Of all pieces. */
  priceMinor: number
}

/** An order as the operator API returns it. It has more fields than these. */
export interface PlacedOrder {
  sellerId: string
  orderId: string
  marketplaceId: string
  status: string
  fulfillmentChannel: 'AFN' | 'MFN'
  purchasedAt: string
  updatedAt?: string
  shippedAt?: string | null
  deliveredAt?: string | null
  currencyCode: string
  items: OrderedItem[]
}

export interface OrderWishes {
  /** Default: the demo seller. */
  sellerId?: string
  /** Default: where the seller lists the SKU. */
  marketplaceId?: string
  /** Default: a new id. */
  orderId?: string
  sku?: string
  /** Default: 1. */
  quantity?: number
  /** Instead of `sku` and `quantity`. */
  items?: { sku: string; quantity?: number }[]
  /** Default: Unshipped. */
  status?: 'Pending' | 'Unshipped'
  buyer?: { name?: string | null; email?: string | null }
  shipTo?: {
    name?: string | null
    addressLine1?: string | null
    city?: string | null
    stateOrRegion?: string | null
    postalCode?: string | null
    countryCode?: string | null
    phone?: string | null
  }
  /** Default: Standard. */
  shipServiceLevel?: string
  isPrime?: boolean
  isBusinessOrder?: boolean
  /** False if the buyer opted out of review requests. Default: true. */
  buyerAcceptsRequests?: boolean
}

export interface CancelOptions {
  reason?: string
  /** Only ask the seller to cancel. The order stays open. Default: false. */
  isRequest?: boolean
}

export interface ReturnOptions {
  /** Default: a new id. */
  rmaId?: string
  /** Default: Approved. */
  status?: 'Pending' | 'Approved' | 'Rejected' | 'Completed' | 'Closed'
  /** Default: CR-UNWANTED_ITEM. */
  reasonCode?: string
  /** Default: all shipped pieces that are not returned yet. */
  items?: { orderItemId: string; quantity: number }[]
  aToZClaim?: boolean
}

/** A return as the operator API returns it. It has more fields than these. */
export interface ReturnedOrder {
  sellerId: string
  rmaId: string
  orderId: string
  requestedAt: string
  status: string
  items: { orderItemId: string; quantity: number; reasonCode: string; refundMinor?: number }[]
}

export interface LeftFeedback {
  sellerId: string
  orderId: string
  submittedAt: string
  rating: number
  comment: string
}

export interface Buyer {
  /** Places an order. Its pieces are taken from the listing. */
  order(wishes: OrderWishes): Promise<PlacedOrder>
  /** Cancels an order that is not shipped. Its pieces go back to the listing. */
  cancel(order: OrderReference, options?: CancelOptions): Promise<PlacedOrder>
  /** Returns shipped pieces of an order. */
  return(order: OrderReference, options?: ReturnOptions): Promise<ReturnedOrder>
  /** Rates an order. A later rating replaces the earlier one. Default: 5 stars. */
  leaveFeedback(order: OrderReference, options?: { rating?: number; comment?: string }): Promise<LeftFeedback>
}

export interface Carrier {
  /** Delivers an order that is shipped. One that the marketplace fulfills is shipped by this, too. */
  deliver(order: OrderReference, options?: { deliveredAt?: string }): Promise<PlacedOrder>
}

interface Product {
  asin: string
  /** Default: the demo marketplace. */
  marketplaceId?: string
}

/** A competitor's offer as the operator API returns it. It has more fields than these. */
export interface OfferOfCompetitor {
  marketplaceId: string
  asin: string
  sellerId: string
  sku?: string
  conditionType: string
  fulfillmentType: 'AFN' | 'MFN'
  priceMinor: number
  shippingMinor?: number
  currencyCode: string
  quantity?: number
}

export interface NewPrice extends Product {
  /** Default: the competitor with the best offer. */
  sellerId?: string
  /** Needed where a competitor has several offers. */
  sku?: string
  /** An amount in the marketplace's currency: 59.9. */
  price: number
  /** Default: as it is. */
  shipping?: number
}

export interface NewCompetitor extends Product {
  /** Default: a new competitor. */
  sellerId?: string
  sku?: string
  /** Default: the lowest price of the product. */
  price?: number
  /** Default: 0. */
  shipping?: number
  /** Default: new_new. */
  conditionType?: ConditionType
  /** Default: MFN. */
  fulfillmentType?: 'AFN' | 'MFN'
  /** Default: 10. */
  quantity?: number
}

export interface LeavingCompetitor extends Product {
  /** Default: the competitor with the best offer. */
  sellerId?: string
  /** Default: all offers of the competitor. */
  sku?: string
}

export interface Competitor {
  setPrice(price: NewPrice): Promise<OfferOfCompetitor>
  /** Adds an offer to a product. */
  join(offer: NewCompetitor): Promise<OfferOfCompetitor>
  /** Removes the offers of a competitor from a product. */
  leave(competitor: LeavingCompetitor): Promise<void>
}
