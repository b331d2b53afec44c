import { findMarketplace } from '../marketplace/accounts/marketplaces.ts'
import { unknownSellers } from '../marketplace/accounts/sellers.ts'
import { type Feedback, findFeedback, upsertFeedback } from '../marketplace/trade/feedback.ts'
import { type Order, orderKey } from '../marketplace/trade/order.ts'
import { LOCKS_ORDERS } from '../marketplace/trade/order-writer.ts'
import { findOrder } from '../marketplace/trade/orders.ts'
import { findReturnViolations } from '../marketplace/trade/return-rules.ts'
import { countReturnedItems, findReturn, type Return, upsertReturns } from '../marketplace/trade/returns.ts'
import { cancelOrder } from '../marketplace/trade/shipments.ts'
import type { Transaction } from '../platform/database/port.ts'
import { ApiError, invalidParameter, invalidParameters, type Violation } from '../platform/errors/api-error.ts'
import { type ActDependencies, requireId } from './dependencies.ts'
import { newOrder, type SaleListing } from './new-order.ts'
import { newFeedback, newReturn, type ReturnedPieces } from './new-return.ts'
import { putOrder, requireOrder, requireOrderToChange } from './orders.ts'
import type { ListedSku } from './ports.ts'
import type { CancelAct, FeedbackAct, OrderAct, ReturnAct } from './schema.ts'

const DEFAULT_CANCEL_REASON = 'The buyer changed their mind.'
const MAX_ID_ATTEMPTS = 1000

export function createBuyerActs(dependencies: ActDependencies) {
  const { database, clock, ids, orders, findListedSkus, findDefaults } = dependencies
  return {
    async order(act: OrderAct): Promise<Order> {
      const asked = itemsOf(act)
      const defaults = await findDefaults()
      const sellerId = requireId('sellerId', act, defaults)
      return database.transact(async (tx) => {
        const [missing] = await unknownSellers(tx, [sellerId])
        if (missing !== undefined) throw invalidParameter('sellerId', 'does not exist')
        const listed = await findListedSkus(
          tx,
          sellerId,
          asked.map(({ sku }) => sku),
        )
        // Before the stock is looked at: an order with the same id may have taken the last pieces.
        const orderId = await chooseOrderId(tx, sellerId, act.orderId)
        const now = clock.now()
        const marketplaceId = chooseMarketplace(act, asked, listed, defaults.marketplaceId)
        const marketplace = await findMarketplace(tx, marketplaceId)
        if (!marketplace) throw invalidParameter('marketplaceId', 'does not exist')
        const items = requireForSale(
          asked,
          listed.filter((listing) => listing.marketplaceId === marketplaceId),
        )
        // Items are read in the order of their ids: the buyer's order, too.
        const itemIds = items.map(() => ids.next('orderItem')).sort()
        const sold = items.map((item, index) => ({ ...item, orderItemId: itemIds[index] as string }))
        const order = newOrder({ orderId, sellerId, marketplace, items: sold }, now)
        const after = withWishes(order, act)
        return putOrder(tx, orders, { after, now, pathOf: (field) => pathOf(asked, field) })
      }, LOCKS_ORDERS)
    },

    async cancel(act: CancelAct): Promise<Order> {
      const { orderId, reason = DEFAULT_CANCEL_REASON, isRequest } = act
      const sellerId = requireId('sellerId', act, await findDefaults())
      return database.transact(async (tx) => {
        const before = await requireOrderToChange(tx, { sellerId, orderId })
        const now = clock.now()
        const canceled = cancelOrder(before, { by: 'BUYER', reason }, now)
        if ('error' in canceled) throw invalidParameter('orderId', `cannot be canceled: the order is ${before.status}`)
        const items = before.items.map((item) => ({ ...item, buyerCancelReason: reason }))
        const after = isRequest ? { ...before, items, updatedAt: now.toISOString() } : canceled
        return putOrder(tx, orders, { before, after, now })
      }, LOCKS_ORDERS)
    },

    async return(act: ReturnAct): Promise<Return> {
      const { orderId, rmaId = ids.next('return'), items, reasonCode, status, aToZClaim } = act
      const sellerId = requireId('sellerId', act, await findDefaults())
      return database.transact(async (tx) => {
        const order = await requireOrder(tx, { sellerId, orderId })
        if (await findReturn(tx, { sellerId, rmaId })) throw invalidParameter('rmaId', 'already exists')
        refuseRepeated(items ?? [])
        const pieces = items ?? (await findReturnable(tx, order, rmaId))
        if (pieces.length === 0) throw invalidParameter('orderId', 'has no shipped pieces that are not returned yet')
        const one: Return = {
          ...newReturn(order, { rmaId, items: pieces, ...(reasonCode !== undefined && { reasonCode }) }, clock.now()),
          ...(status && { status }),
          ...(aToZClaim !== undefined && { aToZClaim }),
        }
        const violations = await findReturnViolations(tx, [one], new Map([[orderKey(order), order]]))
        if (violations.length > 0) {
          throw invalidParameters(violations.map(({ field, reason }) => ({ path: field, reason })))
        }
        await upsertReturns(tx, [one])
        return (await findReturn(tx, one)) ?? one
      })
    },

    async leaveFeedback(act: FeedbackAct): Promise<Feedback> {
      const { orderId } = act
      const sellerId = requireId('sellerId', act, await findDefaults())
      return database.transact(async (tx) => {
        const order = await requireOrder(tx, { sellerId, orderId })
        const feedback = newFeedback(order, act, clock.now())
        await upsertFeedback(tx, [feedback])
        return (await findFeedback(tx, feedback)) ?? feedback
      })
    },
  }

  /** A new id, because writing an order whose id exists would replace it. */
  async function chooseOrderId(tx: Transaction, sellerId: string, given: string | undefined): Promise<string> {
    if (given !== undefined) {
      if (await findOrder(tx, { sellerId, orderId: given })) {
        throw new ApiError('Conflict', `The order ${given} already exists.`, 'orderId already exists.')
      }
      return given
    }
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
      const orderId = ids.next('order')
      if (!(await findOrder(tx, { sellerId, orderId }))) return orderId
    }
    throw new Error('No new order id found')
  }
}

interface AskedItem {
  sku: string
  quantity: number
  /** In the request: `items[0].` or nothing. */
  path: string
}

function itemsOf({ sku, quantity, items }: OrderAct): AskedItem[] {
  if (items && (sku !== undefined || quantity !== undefined)) {
    throw invalidParameter('items', 'cannot be combined with sku and quantity')
  }
  if (items)
    return items.map((item, index) => ({ sku: item.sku, quantity: item.quantity ?? 1, path: `items[${index}].` }))
  if (sku === undefined) throw invalidParameter('sku', 'is required')
  return [{ sku, quantity: quantity ?? 1, path: '' }]
}

function withWishes(order: Order, act: OrderAct): Order {
  const { status, buyer, shipTo, shipServiceLevel, isPrime, isBusinessOrder, buyerAcceptsRequests } = act
  return {
    ...order,
    ...(status && { status }),
    ...(buyer && { buyer: { ...order.buyer, ...buyer } }),
    ...(shipTo !== undefined && { shipTo }),
    ...(shipServiceLevel !== undefined && { shipServiceLevel }),
    ...(isPrime !== undefined && { isPrime }),
    ...(isBusinessOrder !== undefined && { isBusinessOrder }),
    ...(buyerAcceptsRequests !== undefined && { buyerAcceptsRequests }),
  }
}

/** From the field of the order to that of the request: `items[0].quantity` is `quantity` where one SKU is ordered. */
function pathOf(asked: readonly AskedItem[], field: string): string {
  const [, index, name] = /^items\[(\d+)\]\.(\w+)$/.exec(field) ?? []
  const item = asked[Number(index)]
  return item && name !== undefined ? `${item.path}${name}` : field
}

/** The marketplace of an order whose buyer does not say: that of the listings, if it is the only one. */
function chooseMarketplace(
  { marketplaceId }: OrderAct,
  asked: readonly AskedItem[],
  listed: readonly ListedSku[],
  preferred: string | undefined,
): string {
  if (marketplaceId !== undefined) return marketplaceId
  const candidates = [...new Set(listed.map((listing) => listing.marketplaceId))].filter((candidate) =>
    asked.every(({ sku }) => listed.some((listing) => listing.sku === sku && listing.marketplaceId === candidate)),
  )
  const [only, ...others] = candidates
  if (preferred !== undefined && candidates.includes(preferred)) return preferred
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined)
    throw invalidParameter('marketplaceId', `is required: the seller lists it in ${candidates.join(', ')}`)
  const unlisted = asked.filter(({ sku }) => !listed.some((listing) => listing.sku === sku))
  if (unlisted.length === 0) throw invalidParameter('items', 'must be listed in the same marketplace')
  throw invalidParameters(
    unlisted.map(({ path }) => ({ path: `${path}sku`, reason: 'is not a listing of the seller' })),
  )
}

function requireForSale(asked: readonly AskedItem[], listed: readonly ListedSku[]) {
  const bySku = new Map(listed.map((listing) => [listing.sku, listing]))
  const violations = asked.flatMap(({ sku, path }) => {
    const reason = findUnsalable(bySku.get(sku))
    return reason ? [{ path: `${path}sku`, reason }] : []
  })
  if (violations.length > 0) throw invalidParameters(violations)
  const items = asked.map(({ sku, quantity }) => ({ listing: bySku.get(sku) as SaleListing, quantity }))
  const impossible = [...findOtherChannels(asked, items), ...findTooExpensive(asked, items)]
  if (impossible.length > 0) throw invalidParameters(impossible)
  return items
}

type SaleItem = { listing: SaleListing; quantity: number }

/** An order has one channel, which decides whose stock its pieces come from. */
function findOtherChannels(asked: readonly AskedItem[], items: readonly SaleItem[]): Violation[] {
  const channel = items[0]?.listing.fulfillmentType
  return asked.flatMap(({ path }, index) =>
    items[index]?.listing.fulfillmentType === channel
      ? []
      : [{ path: `${path}sku`, reason: `is not fulfilled as the first item is: ${channel}. Order it separately` }],
  )
}

/** The total must be a number that can be stored exactly. */
function findTooExpensive(asked: readonly AskedItem[], items: readonly SaleItem[]): Violation[] {
  let total = 0
  return items.flatMap(({ listing, quantity }, index) => {
    total += listing.price.minor * quantity
    return total > Number.MAX_SAFE_INTEGER
      ? [{ path: `${asked[index]?.path}quantity`, reason: 'makes the order too expensive' }]
      : []
  })
}

/** Returns why no buyer can order from the listing, unless it is sold out: the stock decides that. */
function findUnsalable(listing: ListedSku | undefined): string | undefined {
  if (!listing) return 'is not a listing of the seller in the marketplace'
  if (!listing.price || listing.asin === undefined) return 'has no offer: the listing has issues'
  return listing.isBuyable || listing.isSoldOut ? undefined : 'cannot be bought: the listing has issues'
}

function refuseRepeated(items: readonly ReturnedPieces[]): void {
  const violations = items.flatMap(({ orderItemId }, index) =>
    items.findIndex((other) => other.orderItemId === orderItemId) < index
      ? [{ path: `items[${index}].orderItemId`, reason: 'is duplicated' }]
      : [],
  )
  if (violations.length > 0) throw invalidParameters(violations)
}

async function findReturnable(tx: Transaction, order: Order, rmaId: string): Promise<ReturnedPieces[]> {
  const returned = await countReturnedItems(tx, [{ ...order, rmaId }])
  return order.items.flatMap(({ orderItemId, quantityShipped = 0 }) => {
    const quantity = quantityShipped - (returned.get(`${orderKey(order)} ${orderItemId}`) ?? 0)
    return quantity > 0 ? [{ orderItemId, quantity }] : []
  })
}
