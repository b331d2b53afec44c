export const ORDER_STATUSES = [
  'PendingAvailability',
  'Pending',
  'Unshipped',
  'PartiallyShipped',
  'Shipped',
  'InvoiceUnconfirmed',
  'Canceled',
  'Unfulfillable',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

interface State {
  /** The states that follow. An order never goes back. */
  next: readonly OrderStatus[]
  /** How many of its pieces are shipped. */
  shipped: 'none' | 'some' | 'all'
  /** The pieces belong to the buyer: they are taken from the stock, and given back when this ends. */
  isSale: boolean
}

/**
 * All states of an order and the ways between them. Delivered, returned and refunded are not states: they are facts
 * beside the state, and only pieces that are shipped can have them.
 */
export const ORDER_STATES: Readonly<Record<OrderStatus, State>> = {
  PendingAvailability: { next: ['Pending'], shipped: 'none', isSale: true },
  Pending: { next: ['Unshipped', 'Canceled'], shipped: 'none', isSale: true },
  Unshipped: {
    next: ['PartiallyShipped', 'Shipped', 'InvoiceUnconfirmed', 'Canceled', 'Unfulfillable'],
    shipped: 'none',
    isSale: true,
  },
  PartiallyShipped: { next: ['Shipped', 'InvoiceUnconfirmed'], shipped: 'some', isSale: true },
  InvoiceUnconfirmed: { next: ['Shipped'], shipped: 'all', isSale: true },
  Shipped: { next: [], shipped: 'all', isSale: true },
  Canceled: { next: [], shipped: 'none', isSale: false },
  Unfulfillable: { next: [], shipped: 'none', isSale: false },
}

/** Whether an order can get from one state to the other, through any states between them. */
export const canBecome = (from: OrderStatus, to: OrderStatus): boolean =>
  from === to || ORDER_STATES[from].next.some((next) => canBecome(next, to))

export const canShip = (status: OrderStatus): boolean => ORDER_STATES[status].next.includes('Shipped')

export const canCancel = (status: OrderStatus): boolean => ORDER_STATES[status].next.includes('Canceled')

/** Whether a new order in this state is a sale of today. One that is shipped or canceled is history. */
export const isNewSale = (status: OrderStatus): boolean =>
  ORDER_STATES[status].isSale && ORDER_STATES[status].shipped === 'none'

interface Pieces {
  quantity: number
  quantityShipped?: number
}

interface ItemPieces extends Pieces {
  orderItemId: string
}

/** How many pieces of an item are shipped. All of them or none if the operator does not say. */
export const shippedOf = (status: OrderStatus, item: Pieces): number =>
  item.quantityShipped ?? shippedByDefault(status, item)

const shippedByDefault = (status: OrderStatus, { quantity }: Pieces): number =>
  ORDER_STATES[status].shipped === 'all' ? quantity : 0

interface StatefulOrder {
  marketplaceId: string
  status: OrderStatus
  deliveredAt?: string | null
  items: readonly ItemPieces[]
}

export interface Contradiction {
  /** Relative to the order: `items[0].quantityShipped`. */
  field: string
  reason: string
}

/** Returns why an order cannot become this one, or be created as this one. */
export function findContradiction(before: StatefulOrder | undefined, after: StatefulOrder): Contradiction | undefined {
  const { status, items, deliveredAt } = after
  if (before && !canBecome(before.status, status)) {
    return { field: 'status', reason: `cannot be ${status}: the order is ${before.status}` }
  }
  if (before && before.marketplaceId !== after.marketplaceId) {
    return { field: 'marketplaceId', reason: `cannot change: the order was placed in ${before.marketplaceId}` }
  }
  for (const { orderItemId, quantityShipped = 0 } of before?.items ?? []) {
    const index = items.findIndex((item) => item.orderItemId === orderItemId)
    const item = items[index]
    if (!item && quantityShipped > 0) {
      return { field: 'items', reason: `must contain item ${orderItemId}, of which ${quantityShipped} are shipped` }
    }
    if (item && shippedOf(status, item) < quantityShipped) {
      return {
        field: `items[${index}].quantityShipped`,
        reason: `must be at least ${quantityShipped}: they are shipped`,
      }
    }
  }
  const { shipped } = ORDER_STATES[status]
  for (const [index, item] of items.entries()) {
    const field = `items[${index}].quantityShipped`
    if (shippedOf(status, item) > item.quantity) return { field, reason: `exceeds the quantity: ${item.quantity}` }
    if (shipped === 'none' && shippedOf(status, item) > 0)
      return { field, reason: `must be 0 in an order that is ${status}` }
    if (shipped === 'all' && shippedOf(status, item) < item.quantity) {
      return { field, reason: `must be ${item.quantity} in an order that is ${status}` }
    }
  }
  if (deliveredAt && shipped === 'none') {
    return { field: 'deliveredAt', reason: `must be absent from an order that is ${status}` }
  }
  return undefined
}
