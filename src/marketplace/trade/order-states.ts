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
export function findContradictions(before: StatefulOrder | undefined, after: StatefulOrder): Contradiction[] {
  const { status, items, deliveredAt } = after
  const found: Contradiction[] = []
  if (before && before.marketplaceId !== after.marketplaceId) {
    found.push({ field: 'marketplaceId', reason: `cannot change: the order was placed in ${before.marketplaceId}` })
  }
  // The other rules depend on the status.
  if (before && !canBecome(before.status, status)) {
    return [{ field: 'status', reason: `cannot be ${status}: the order is ${before.status}` }, ...found]
  }
  const shippedBefore = new Map(
    before?.items.map(({ orderItemId, quantityShipped = 0 }) => [orderItemId, quantityShipped]),
  )
  for (const [orderItemId, shipped] of shippedBefore) {
    if (shipped === 0 || items.some((item) => item.orderItemId === orderItemId)) continue
    found.push({ field: 'items', reason: `must contain item ${orderItemId}, of which ${shipped} are shipped` })
  }
  for (const [index, item] of items.entries()) {
    const reason = findPiecesContradiction(status, item, shippedBefore.get(item.orderItemId) ?? 0)
    if (reason) found.push({ field: `items[${index}].quantityShipped`, reason })
  }
  if (deliveredAt && ORDER_STATES[status].shipped === 'none') {
    found.push({ field: 'deliveredAt', reason: `must be absent from an order that is ${status}` })
  }
  return found
}

function findPiecesContradiction(status: OrderStatus, item: Pieces, before: number): string | undefined {
  const { shipped } = ORDER_STATES[status]
  const pieces = shippedOf(status, item)
  if (pieces < before) return `must be at least ${before}: they are shipped`
  if (pieces > item.quantity) return `exceeds the quantity: ${item.quantity}`
  if (shipped === 'none' && pieces > 0) return `must be 0 in an order that is ${status}`
  if (shipped === 'all' && pieces < item.quantity) return `must be ${item.quantity} in an order that is ${status}`
  return undefined
}
