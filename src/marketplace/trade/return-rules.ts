import type { Reader } from '../../platform/database/port.ts'
import { type Order, orderKey } from './orders.ts'
import { countReturnedItems, type Return } from './returns.ts'

export interface ReturnViolation {
  /** Position in the list of returns. */
  index: number
  /** Relative to the return. */
  field: string
  reason: string
}

/** Returned items must be items of the order that were shipped, and in all returns together at most as many. */
export async function findReturnViolations(
  reader: Reader,
  returns: readonly Return[],
  orders: ReadonlyMap<string, Order>,
): Promise<ReturnViolation[]> {
  if (returns.length === 0) return []
  return listReturnViolations(returns, orders, await countReturnedItems(reader, returns))
}

/** The same by what is known. `returned` has the pieces of other returns, by seller, order and item. */
export function listReturnViolations(
  returns: readonly Return[],
  orders: ReadonlyMap<string, Order>,
  returned: Map<string, number>,
): ReturnViolation[] {
  return returns.flatMap((one, index) => {
    const order = orders.get(orderKey(one))
    if (!order) return []
    return one.items.flatMap((item, itemIndex): ReturnViolation[] => {
      const found = findViolation(one, item, order, returned)
      return found ? [{ index, field: `items[${itemIndex}].${found.field}`, reason: found.reason }] : []
    })
  })
}

function findViolation(
  { status }: Return,
  { orderItemId, quantity }: Return['items'][number],
  order: Order,
  returned: Map<string, number>,
): { field: string; reason: string } | undefined {
  const ordered = order.items.find((item) => item.orderItemId === orderItemId)
  if (!ordered) return { field: 'orderItemId', reason: 'is not an item of the order' }
  if (quantity > ordered.quantity) {
    return { field: 'quantity', reason: `exceeds the ordered quantity: ${ordered.quantity}` }
  }
  // A rejected return returns nothing.
  if (status === 'Rejected') return undefined
  const key = `${orderKey(order)} ${orderItemId}`
  const before = returned.get(key) ?? 0
  const left = (ordered.quantityShipped ?? 0) - before
  if (quantity > left) {
    return { field: 'quantity', reason: `exceeds the shipped quantity that is not returned yet: ${left}` }
  }
  returned.set(key, before + quantity)
  return undefined
}
