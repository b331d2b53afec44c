import type { Model } from './linearizability.ts'
import type { ListingChange } from './steps.ts'

export type OrderStatus = 'Unshipped' | 'PartiallyShipped' | 'Shipped' | 'Canceled'

/** What happens to a listing and to the orders of it, with its result. */
export type ListingInput =
  | ({ kind: 'change'; step: number } & ListingChange)
  | { kind: 'order'; order: number; quantity: number }
  | { kind: 'cancel'; order: number }
  | { kind: 'ship'; order: number; quantity: number }
  /** Everything that is left. */
  | { kind: 'shipAll'; order: number }
  | { kind: 'readOrder'; order: number; status: OrderStatus | undefined; shipped: number | undefined }
  | { kind: 'read'; listing: ReadListing | undefined }

export interface ReadListing {
  title: string | undefined
  price: number | undefined
  quantity: number | undefined
}

interface ListingState {
  /** The step that created it. What is left of an order goes back only to the stock that it was taken from. */
  createdBy: number
  title: string
  price: number
  quantity: number
}

interface OrderState {
  quantity: number
  shipped: number
  isCanceled: boolean
  takenFrom: number
}

export interface StockState {
  /** `vague` after a change of attributes of a SKU that does not exist, until it is put or deleted. */
  listing: ListingState | 'vague' | undefined
  orders: Record<number, OrderState>
}

/** A seller's listing as a plain value: what must be true of stock, prices and orders, and nothing of how. */
export const listingModel: Model<StockState, ListingInput> = {
  initial: { listing: undefined, orders: {} },
  apply(state, input) {
    switch (input.kind) {
      case 'change':
        return { ...state, listing: changeListing(state.listing, input) }
      case 'order':
        return placeOrder(state, input)
      case 'cancel':
        return cancelOrder(state, input.order)
      case 'ship':
        return ship(state, input.order, input.quantity)
      case 'shipAll': {
        const order = state.orders[input.order]
        return order && ship(state, input.order, order.quantity - order.shipped)
      }
      case 'readOrder':
        return isSameOrder(state.orders[input.order], input) ? state : undefined
      case 'read':
        return isSeen(state.listing, input.listing) ? state : undefined
    }
  },
}

function changeListing(
  listing: StockState['listing'],
  change: Extract<ListingInput, { kind: 'change' }>,
): StockState['listing'] {
  if (change.change === 'delete') return undefined
  if (change.change === 'put') {
    const { step, price, quantity } = change
    const createdBy = typeof listing === 'object' ? listing.createdBy : step
    return { createdBy, title: `Boot of step ${step}`, price, quantity }
  }
  if (typeof listing !== 'object') return 'vague'
  return change.change === 'setPrice' ? { ...listing, price: change.price } : { ...listing, quantity: change.quantity }
}

function placeOrder(
  { listing, orders }: StockState,
  { order, quantity }: Extract<ListingInput, { kind: 'order' }>,
): StockState | undefined {
  if (typeof listing !== 'object' || listing.quantity < quantity || orders[order]) return undefined
  const placed = { quantity, shipped: 0, isCanceled: false, takenFrom: listing.createdBy }
  return { listing: { ...listing, quantity: listing.quantity - quantity }, orders: { ...orders, [order]: placed } }
}

function cancelOrder({ listing, orders }: StockState, id: number): StockState | undefined {
  const order = orders[id]
  if (!order || order.isCanceled || order.shipped > 0) return undefined
  const isBack = typeof listing === 'object' && listing.createdBy === order.takenFrom
  return {
    listing: isBack ? { ...listing, quantity: listing.quantity + order.quantity } : listing,
    orders: { ...orders, [id]: { ...order, isCanceled: true } },
  }
}

function ship({ listing, orders }: StockState, id: number, quantity: number): StockState | undefined {
  const order = orders[id]
  if (!order || order.isCanceled || quantity < 1 || quantity > order.quantity - order.shipped) return undefined
  return { listing, orders: { ...orders, [id]: { ...order, shipped: order.shipped + quantity } } }
}

export function statusOf(order: OrderState | undefined): OrderStatus | undefined {
  if (!order) return undefined
  if (order.isCanceled) return 'Canceled'
  if (order.shipped === 0) return 'Unshipped'
  return order.shipped < order.quantity ? 'PartiallyShipped' : 'Shipped'
}

function isSameOrder(
  order: OrderState | undefined,
  { status, shipped }: { status?: OrderStatus | undefined; shipped?: number | undefined },
): boolean {
  return statusOf(order) === status && (order === undefined || order.shipped === shipped)
}

function isSeen(listing: StockState['listing'], seen: ReadListing | undefined): boolean {
  if (listing === 'vague') return true
  if (!listing || !seen) return !listing && !seen
  return listing.title === seen.title && listing.price === seen.price && listing.quantity === seen.quantity
}
