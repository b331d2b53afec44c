import { newOrder } from '../../acts/index.ts'
import type { Order } from '../../marketplace/trade/order.ts'
import { OrderWriteError, type OrderWriter } from '../../marketplace/trade/order-writer.ts'
import { findOrders, orderKey } from '../../marketplace/trade/orders.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { Choice, MarketView } from './market-view.ts'
import type { LifeRules } from './options.ts'
import { toOrderId } from './order-ids.ts'
import { Random } from './random.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
// Orders API clients poll up to two minutes ago, so an order must not appear with an older date.
const MAX_AGE_MILLISECONDS = 60_000
const FEATURED_WEIGHT = 10
const OTHER_WEIGHT = 1
const QUANTITIES = [
  { quantity: 1, weight: 82 },
  { quantity: 2, weight: 13 },
  { quantity: 3, weight: 5 },
] as const

/** By the hour in UTC: few buyers at night, most in the evening. The mean is 1. */
const hourlyShare = (now: Date) => 1 - 0.6 * Math.cos(((now.getUTCHours() - 6) / 24) * 2 * Math.PI)

export function countBuyers({ ordersPerDay, seed }: LifeRules, step: number, length: number, now: Date): number {
  const expected = ((ordersPerDay * length) / DAY_MILLISECONDS) * hourlyShare(now)
  return Math.floor(expected + Random.of(seed, 'count', step).fraction())
}

export interface Purchases {
  orders: Order[]
  /** The choices whose last piece was sold. */
  soldOut: Choice[]
}

export interface PurchaseInput {
  view: MarketView
  seed: number
  run: number
  step: number
  /** The number of orders so far. */
  firstNumber: number
  count: number
  now: Date
}

/** Has buyers choose among the offers of sellers, most often a featured one. Takes the pieces from the view. */
export function choosePurchases({ view, seed, run, step, firstNumber, count, now }: PurchaseInput): Purchases {
  const orders: Order[] = []
  const soldOut: Choice[] = []
  for (let index = 0; index < count; index++) {
    const random = Random.of(seed, 'buyer', step, index)
    const choice = random.pickWeighted(view.choices, weightOf)
    if (!choice) break
    const { offer, market, marketplace } = choice
    const wanted = random.pickWeighted(QUANTITIES, ({ weight }) => weight)?.quantity ?? 1
    const quantity = hasOwnStock(choice) ? Math.min(wanted, offer.quantity) : wanted
    const number = firstNumber + orders.length
    const purchasedAt = new Date(now.getTime() - random.integer(0, MAX_AGE_MILLISECONDS))
    const orderId = toOrderId(run, number)
    const listing = {
      ...offer,
      title: market.product.itemName,
      price: { minor: offer.priceMinor, currencyCode: offer.currencyCode },
      isBuyable: true,
    }
    const items = [{ orderItemId: `${number + 1}`.padStart(14, '0'), listing, quantity }]
    const order = newOrder({ orderId, sellerId: offer.sellerId, marketplace, items }, purchasedAt)
    orders.push({ ...order, updatedAt: now.toISOString() })
    if (!hasOwnStock(choice)) continue
    offer.quantity -= quantity
    if (offer.quantity === 0) soldOut.push(choice)
  }
  return { orders, soldOut }
}

const hasOwnStock = ({ offer }: Choice) => offer.fulfillmentType === 'MFN'

function weightOf(choice: Choice): number {
  if (hasOwnStock(choice) && choice.offer.quantity === 0) return 0
  return choice.isFeatured ? FEATURED_WEIGHT : OTHER_WEIGHT
}

/** Writes orders, without those that are not possible any more. Returns the written ones. */
export async function placeOrders(
  tx: Transaction,
  writer: OrderWriter,
  orders: readonly Order[],
  now: Date,
): Promise<Order[]> {
  const existing = new Set((await findOrders(tx, orders)).map(orderKey))
  let possible = orders.filter((order) => !existing.has(orderKey(order)))
  while (possible.length > 0) {
    try {
      await writer.put(tx, [], possible, now)
      break
    } catch (error) {
      // A seller has changed a listing since the markets were loaded.
      if (!(error instanceof OrderWriteError)) throw error
      const refused = new Set(error.violations.map(({ index }) => index))
      possible = possible.filter((_, index) => !refused.has(index))
    }
  }
  return possible
}
