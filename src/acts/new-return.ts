import type { Feedback } from '../marketplace/trade/feedback.ts'
import type { Order } from '../marketplace/trade/order.ts'
import type { Return } from '../marketplace/trade/returns.ts'

const DEFAULT_REASON = 'CR-UNWANTED_ITEM'

export interface ReturnedPieces {
  orderItemId: string
  quantity: number
}

/** A return of some pieces of an order, with the refund of what they cost. */
export function newReturn(
  { sellerId, orderId, items: ordered, isPrime }: Order,
  {
    rmaId,
    items,
    reasonCode = DEFAULT_REASON,
  }: { rmaId: string; items: readonly ReturnedPieces[]; reasonCode?: string },
  now: Date,
): Return {
  return {
    sellerId,
    rmaId,
    orderId,
    requestedAt: now.toISOString(),
    status: 'Approved',
    ...(isPrime && { isPrime }),
    items: items.map(({ orderItemId, quantity }) => {
      const item = ordered.find((one) => one.orderItemId === orderItemId)
      const refundMinor = item && item.quantity > 0 ? Math.round((item.priceMinor * quantity) / item.quantity) : 0
      return { orderItemId, quantity, reasonCode, refundMinor }
    }),
  }
}

const COMMENTS: Readonly<Record<number, string>> = {
  1: 'Never again.',
  2: 'Not as described.',
  3: 'Okay, but late.',
  4: 'Good, and as described.',
  5: 'Fast delivery, just as described.',
}

export const newFeedback = (
  { sellerId, orderId, buyer }: Order,
  { rating = 5, comment }: { rating?: number; comment?: string },
  now: Date,
): Feedback => ({
  sellerId,
  orderId,
  submittedAt: now.toISOString(),
  rating,
  comment: comment ?? COMMENTS[rating] ?? '',
  ...(buyer?.email && { raterEmail: buyer.email }),
})
