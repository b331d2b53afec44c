import type { OrderView } from './order.ts'

export interface OpenItem {
  orderItemId: string
  title: string
  quantity: number
}

/** What can happen to an order next. The service checks it again. */
export interface PossibleActs {
  /** The pieces that the seller can ship. */
  ship: OpenItem[]
  deliver: boolean
  cancel: boolean
  /** The shipped pieces that are not returned yet. */
  giveBack: OpenItem[]
  leaveFeedback: boolean
}

export function findPossibleActs({ order, history }: OrderView): PossibleActs {
  const { status } = history
  const isOpen = status === 'Unshipped' || status === 'PartiallyShipped'
  const isShipped = status === 'Shipped' || status === 'InvoiceUnconfirmed'
  const isBySeller = order.fulfillment?.fulfilledBy === 'MERCHANT'
  const isPickup = order.programs?.includes('IN_STORE_PICK_UP') ?? false
  return {
    ship: isOpen && isBySeller && !isPickup ? piecesOf(order, ({ unshipped }) => unshipped) : [],
    deliver:
      history.deliveredAt === undefined && (isShipped || status === 'PartiallyShipped' || (isOpen && !isBySeller)),
    cancel: status === 'Pending' || status === 'Unshipped',
    giveBack: piecesOf(order, ({ orderItemId, shipped }) => shipped - countReturned(history, orderItemId)),
    leaveFeedback: history.feedback === undefined && (isShipped || status === 'PartiallyShipped'),
  }
}

interface Pieces {
  orderItemId: string
  shipped: number
  unshipped: number
}

function piecesOf({ orderItems }: OrderView['order'], count: (pieces: Pieces) => number): OpenItem[] {
  return orderItems
    .map(({ orderItemId, product, fulfillment }) => ({
      orderItemId,
      title: product.title ?? product.sellerSku ?? orderItemId,
      quantity: count({
        orderItemId,
        shipped: fulfillment?.quantityFulfilled ?? 0,
        unshipped: fulfillment?.quantityUnfulfilled ?? 0,
      }),
    }))
    .filter(({ quantity }) => quantity > 0)
}

function countReturned({ returns }: OrderView['history'], orderItemId: string): number {
  return returns
    .filter(({ status }) => status !== 'Rejected')
    .flatMap(({ items }) => items)
    .filter((item) => item.orderItemId === orderItemId)
    .reduce((sum, { quantity }) => sum + quantity, 0)
}
