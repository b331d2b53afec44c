import type { Feedback } from '../../marketplace/trade/feedback.ts'
import type { Order } from '../../marketplace/trade/orders.ts'
import { DAY } from './orders.ts'

// By order id prefix: these orders have feedback always, or in one of four cases.
const ALWAYS_RATED = /^(704|706|303|802)-/
const SOMETIMES_RATED = /^707-/
const hasFeedback = ({ orderId }: Order) =>
  ALWAYS_RATED.test(orderId) || (SOMETIMES_RATED.test(orderId) && Number(orderId.slice(-7)) % 4 === 1)

const comments: Pick<Feedback, 'rating' | 'comment' | 'response'>[] = [
  { rating: 5, comment: 'Arrived two days early, fits well.' },
  { rating: 4, comment: 'Good shoe, the box was dented.' },
  { rating: 1, comment: 'One size too small.\tAnd this:\nnobody answered me.', response: 'We did, on the same day.' },
  { rating: 5, comment: '👟👟 sehr schön, danke! 😀' },
  { rating: 3, comment: 'Listing said <b>brown & grey</b>, a note said ]]> and the shoe is brown.' },
  { rating: 2, comment: 'Sole came off after a week.', response: 'A new pair is on its way to you.' },
  { rating: 5, comment: '' },
]

/** Feedback of some buyers, a day and a half after delivery. */
export function demoFeedback(orders: readonly Order[]): Feedback[] {
  return orders.filter(hasFeedback).map(({ sellerId, orderId, deliveredAt }, index) => ({
    sellerId,
    orderId,
    submittedAt: new Date(Date.parse(deliveredAt as string) + 1.5 * DAY).toISOString(),
    ...(comments[index % comments.length] as (typeof comments)[number]),
    raterEmail: index % 4 === 3 ? null : `buyer-${index + 1}@marketplace.example`,
  }))
}
