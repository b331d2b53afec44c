import { parseTimestamp } from '../../platform/timestamps.ts'
import { MAX_PACKAGES, type Order, type Package } from './order.ts'
import { canCancel, canShip } from './order-states.ts'

export interface ShippedItem {
  orderItemId: string
  /** Default: the quantity not yet shipped. */
  quantity?: number
}

/** Why something cannot be done with an order. */
export interface OrderFailure {
  error: string
  /** Position of the item that is to blame. */
  item?: number
  /** What is wrong with the ship date, if it is to blame. */
  shipDate?: string
  /** What would be possible in the place of what is not. */
  nearest?: { shipDate?: string; orderItemId?: string; quantity?: number } | undefined
}

const FULFILLED_BY_MARKETPLACE: OrderFailure = { error: 'The marketplace fulfills this order.' }

/** Only its seller ships an order, cancels it or hands it over, and only if the marketplace does not fulfill it. */
export const findForeignFulfillment = ({ fulfillmentChannel }: Order): OrderFailure | undefined =>
  fulfillmentChannel === 'MFN' ? undefined : FULFILLED_BY_MARKETPLACE

/** A date without a time is the whole day, so it can be that of the order, and then begins with it. */
export function shipTimeOf({ purchasedAt }: Order, shipDate: string): Date {
  const shippedAt = parseTimestamp(shipDate)
  const purchased = new Date(purchasedAt)
  const isSameDay = shipDate === purchased.toISOString().slice(0, 'YYYY-MM-DD'.length)
  return isSameDay && shippedAt < purchased ? purchased : shippedAt
}

function findWrongShipTime({ purchasedAt }: Order, shippedAt: Date, now: Date): OrderFailure | undefined {
  if (shippedAt > now) return wrongShipDate('must not be in the future', now)
  const purchased = new Date(purchasedAt)
  return shippedAt < purchased ? wrongShipDate('must not be before the order was placed', purchased) : undefined
}

const wrongShipDate = (reason: string, nearest: Date): OrderFailure => ({
  error: `The ship date ${reason}.`,
  shipDate: reason,
  nearest: { shipDate: nearest.toISOString() },
})

/** The nearest is the item that the order has, if it has only one. */
export function noSuchItem({ items }: Order, orderItemId: string, index: number): OrderFailure {
  const [only, ...others] = items
  const nearest = only && others.length === 0 ? { orderItemId: only.orderItemId } : undefined
  return { error: `The order has no item ${orderItemId}.`, item: index, nearest }
}

/** Ships some pieces of an order, or all that are left. */
export function shipOrder(
  order: Order,
  { items: given, shippedAt }: { items: readonly ShippedItem[]; shippedAt: Date },
  now: Date,
): Order | OrderFailure {
  const failure = findForeignFulfillment(order) ?? findWrongShipTime(order, shippedAt, now)
  if (failure) return failure
  if (!canShip(order.status)) return { error: `The order is ${order.status} and cannot be shipped.` }
  const shippedItems = given.length > 0 ? given : order.items.map(({ orderItemId }): ShippedItem => ({ orderItemId }))
  const items = order.items.map((item) => ({ ...item, quantityShipped: item.quantityShipped ?? 0 }))
  for (const [index, { orderItemId, quantity }] of shippedItems.entries()) {
    const item = items.find((candidate) => candidate.orderItemId === orderItemId)
    if (!item) return noSuchItem(order, orderItemId, index)
    const left = item.quantity - item.quantityShipped
    if ((quantity ?? left) > left) {
      const nearest = left > 0 ? { quantity: left } : undefined
      return { error: `Only ${left} of item ${orderItemId} remain to be shipped.`, item: index, nearest }
    }
    item.quantityShipped += quantity ?? left
  }
  const isComplete = items.every((item) => item.quantityShipped >= item.quantity)
  return {
    ...order,
    items,
    status: isComplete ? 'Shipped' : 'PartiallyShipped',
    shippedAt: shippedAt.toISOString(),
    updatedAt: now.toISOString(),
  }
}

export function cancelOrder(
  order: Order,
  cancellation: NonNullable<Order['cancellation']>,
  now: Date,
): Order | OrderFailure {
  const failure = cancellation.by === 'MERCHANT' ? findForeignFulfillment(order) : undefined
  if (failure) return failure
  if (!canCancel(order.status)) return { error: `The order is ${order.status} and can no longer be cancelled.` }
  return { ...order, status: 'Canceled', cancellation, updatedAt: now.toISOString() }
}

/**
 * Ships the pieces of a package. A package of the order with the same id is edited: it may get more pieces, not fewer,
 * because a shipped piece does not become unshipped.
 */
export function shipPackage(
  order: Order,
  packages: readonly Package[],
  one: Package,
  now: Date,
): { order: Order; package: Package } | OrderFailure {
  const failure = findForeignFulfillment(order) ?? findWrongShipTime(order, new Date(one.shippedAt), now)
  if (failure) return failure
  const known = packages.find(({ packageReferenceId }) => packageReferenceId === one.packageReferenceId)
  if (!known && packages.length >= MAX_PACKAGES) return { error: `The order already has ${MAX_PACKAGES} packages.` }
  const inPackage = new Map(known?.items.map(({ orderItemId, quantity }) => [orderItemId, quantity]))
  const missing = known?.items.find((item) => !one.items.some(({ orderItemId }) => orderItemId === item.orderItemId))
  if (missing)
    return { error: `Item ${missing.orderItemId} is already confirmed for this package and cannot be left out.` }
  const added: { orderItemId: string; quantity: number; index: number }[] = []
  for (const [index, { orderItemId, quantity }] of one.items.entries()) {
    const before = inPackage.get(orderItemId) ?? 0
    if (quantity < before) {
      return {
        error: `${before} of item ${orderItemId} are already confirmed for this package.`,
        item: index,
        nearest: { quantity: before },
      }
    }
    if (quantity > before) added.push({ orderItemId, quantity: quantity - before, index })
  }
  const createdAt = known?.createdAt ?? now.toISOString()
  const written = { ...one, createdAt }
  if (added.length === 0) return { order: { ...order, updatedAt: now.toISOString() }, package: written }
  const shipped = shipOrder(order, { items: added, shippedAt: new Date(one.shippedAt) }, now)
  if (!('error' in shipped)) return { order: shipped, package: written }
  const refused = shipped.item === undefined ? undefined : added[shipped.item]
  if (!refused) return shipped
  const { quantity: more } = shipped.nearest ?? {}
  // The quantity of a package includes what it had before.
  const quantity = more === undefined ? undefined : more + (inPackage.get(refused.orderItemId) ?? 0)
  return { ...shipped, item: refused.index, ...(quantity !== undefined && { nearest: { quantity } }) }
}

/** The lowest number that no package of an order has. */
export function nextPackageReferenceId(packages: readonly Pick<Package, 'packageReferenceId'>[]): string {
  const taken = new Set(packages.map(({ packageReferenceId }) => packageReferenceId))
  let number = 1
  while (taken.has(String(number))) number++
  return String(number)
}
