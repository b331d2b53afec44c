import { toStoredTime } from '../../marketplace/schema.ts'
import type { Feedback } from '../../marketplace/trade/feedback.ts'
import { isNewSale, shippedOf } from '../../marketplace/trade/order-states.ts'
import { piecesTakenBy, type TakenPieces } from '../../marketplace/trade/order-stock.ts'
import { listOrderViolations } from '../../marketplace/trade/order-writer.ts'
import { type Order, type OrderItem, type OrderKey, orderKey } from '../../marketplace/trade/orders.ts'
import { listReturnViolations } from '../../marketplace/trade/return-rules.ts'
import type { Return } from '../../marketplace/trade/returns.ts'
import { type Accounts, dateOf } from './accounts.ts'
import { derivedOrderItemId } from './derived.ts'
import type { StoredSolicitation } from './ports.ts'
import { listingKey, type Products } from './products.ts'
import type { Reading } from './reading.ts'
import type { Seed } from './schema.ts'
import { inSteps, mapInSteps } from './steps.ts'

export type SeededStock = OrderKey & TakenPieces

export interface Trade {
  orders: Order[]
  stockTaken: SeededStock[]
  returns: readonly Return[]
  feedback: readonly Feedback[]
  solicitations: StoredSolicitation[]
}

type SeedOrder = NonNullable<Seed['orders']>[number]
type Views = Products['views']

export async function readTrade(reading: Reading, { sellers }: Accounts, { views }: Products): Promise<Trade> {
  const { orders: seeds = [], returns = [], feedback = [], solicitations = [] } = reading.seed
  const sellerIds = new Set(sellers.map(({ sellerId }) => sellerId))
  const stockTaken: SeededStock[] = []
  const orders = await mapInSteps(seeds, (seed, index) => {
    const path = `orders[${index}]`
    const order = readOrder(reading, seed, views, path)
    if (!sellerIds.has(seed.sellerId)) {
      reading.refuse(`${path}.sellerId`, `there is no seller ${seed.sellerId}; add it to sellers`)
    } else stockTaken.push(...readStock(reading, seed, order, views, path))
    return order
  })
  await inSteps(orders, (some, first) => {
    for (const { index, field, reason } of listOrderViolations([], some)) {
      reading.refuse(`orders[${first + index}].${field}`, reason)
    }
  })
  const byKey = new Map(await mapInSteps(orders, (order) => [orderKey(order), withShipped(order)] as const))
  for (const [index, one] of returns.entries()) {
    reading.claim('return', [one.sellerId, one.rmaId], `returns[${index}]`)
    requireOrder(reading, byKey, one, `returns[${index}]`)
    checkItems(reading, one.items, `returns[${index}].items`)
  }
  for (const { index, field, reason } of listReturnViolations(returns, byKey, new Map())) {
    reading.refuse(`returns[${index}].${field}`, reason)
  }
  for (const [index, one] of feedback.entries()) {
    reading.claim('feedback', [one.sellerId, one.orderId], `feedback[${index}]`)
    requireOrder(reading, byKey, one, `feedback[${index}]`)
  }
  return {
    orders,
    stockTaken,
    returns,
    feedback,
    solicitations: solicitations.map(({ sellerId, orderId, sentThrough = 'api', sentAt }, index) => {
      reading.claim('solicitation', [sellerId, orderId], `solicitations[${index}]`)
      requireOrder(reading, byKey, { sellerId, orderId }, `solicitations[${index}]`)
      return { sellerId, orderId, sentThrough, sentAt: sentAt === undefined ? reading.now : dateOf(sentAt) }
    }),
  }
}

/** Returns can only be of what is shipped, by default or not. */
const withShipped = (order: Order): Order => ({
  ...order,
  items: order.items.map((item) => ({
    ...item,
    quantityShipped: shippedOf(order.status, item),
  })),
})

function requireOrder(reading: Reading, orders: ReadonlyMap<string, Order>, key: OrderKey, path: string): void {
  if (orders.has(orderKey(key))) return
  reading.refuse(`${path}.orderId`, `seller ${key.sellerId} has no order ${key.orderId}; add it to orders`)
}

function checkItems(reading: Reading, items: readonly { orderItemId: string }[], path: string): void {
  const seen = new Set<string>()
  for (const [index, { orderItemId }] of items.entries()) {
    if (seen.has(orderItemId)) reading.refuse(`${path}[${index}].orderItemId`, 'is duplicated')
    seen.add(orderItemId)
  }
}

function readOrder(reading: Reading, { stockTaken: _, ...seed }: SeedOrder, views: Views, path: string): Order {
  const { sellerId, orderId, marketplaceId, status } = seed
  reading.claim('order', [sellerId, orderId], path)
  const marketplace = reading.requireMarketplace(`${path}.marketplaceId`, marketplaceId)
  const items = seed.items.map((item, index): OrderItem => {
    const view = views.get(listingKey({ sellerId, marketplaceId, sku: item.sku }))
    const listed = { asin: view?.asin, title: view?.title, priceMinor: view?.priceMinor }
    const { asin = listed.asin, title = listed.title } = item
    const priceMinor =
      item.priceMinor ?? (listed.priceMinor === undefined ? undefined : listed.priceMinor * item.quantity)
    const orderItemId = item.orderItemId ?? derivedOrderItemId(orderId, index)
    if (asin === undefined || title === undefined || priceMinor === undefined) {
      reading.refuse(
        `${path}.items[${index}].sku`,
        view
          ? `the listing of the SKU ${item.sku} has no ASIN, title or price; give them here`
          : `no listing has the SKU ${item.sku} of seller ${sellerId} in marketplace ${marketplaceId}; add it to listings, or give asin, title and priceMinor here`,
      )
    }
    return { ...item, orderItemId, asin: asin ?? '', title: title ?? '', priceMinor: priceMinor ?? 0 }
  })
  checkItems(reading, items, `${path}.items`)
  const first = views.get(listingKey({ sellerId, marketplaceId, sku: items[0]?.sku ?? '' }))
  return {
    ...seed,
    takesStock: seed.takesStock ?? isNewSale(status),
    fulfillmentChannel: seed.fulfillmentChannel ?? first?.fulfillmentType ?? 'MFN',
    currencyCode: seed.currencyCode ?? marketplace?.currencyCode ?? '',
    updatedAt: seed.updatedAt ?? toStoredTime(seed.purchasedAt),
    items,
  }
}

/** What an order gives back when it is canceled: by default all of its pieces, to listings that count them. */
function readStock(reading: Reading, seed: SeedOrder, order: Order, views: Views, path: string): SeededStock[] {
  const { sellerId, orderId, marketplaceId } = order
  const viewOf = (sku: string) => views.get(listingKey({ sellerId, marketplaceId, sku }))
  const toStock = (sku: string, pieces: number): SeededStock[] => {
    const view = viewOf(sku)
    return view ? [{ sellerId, orderId, sku, stockId: view.createdAt.toISOString(), pieces }] : []
  }
  if (seed.stockTaken) {
    for (const [index, { sku }] of seed.stockTaken.entries()) {
      reading.claim('stock', [sellerId, orderId, sku], `${path}.stockTaken[${index}]`)
      if (!viewOf(sku)) {
        reading.refuse(`${path}.stockTaken[${index}].sku`, `no listing has the SKU ${sku} of seller ${sellerId}`)
      }
    }
    return seed.stockTaken.flatMap(({ sku, pieces }) => toStock(sku, pieces))
  }
  return [...piecesTakenBy(order)].flatMap(([sku, pieces]) => {
    const view = viewOf(sku)
    if (!view?.isKnown) {
      const index = order.items.findIndex((item) => item.sku === sku)
      const remedy = 'add it to listings, or set takesStock to false'
      reading.refuse(
        `${path}.items[${index}].sku`,
        `no listing has the SKU ${sku} of seller ${sellerId} in marketplace ${marketplaceId}; ${remedy}`,
      )
    }
    return view?.countsStock && pieces > 0 ? toStock(sku, pieces) : []
  })
}
