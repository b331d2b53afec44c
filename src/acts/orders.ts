import type { Order, OrderKey } from '../marketplace/trade/order.ts'
import { toStoredOrder } from '../marketplace/trade/order-rows.ts'
import { OrderWriteError, type OrderWriter } from '../marketplace/trade/order-writer.ts'
import { findOrder, findOrderToChange } from '../marketplace/trade/orders.ts'
import type { Reader, Transaction } from '../platform/database/port.ts'
import { invalidParameter, invalidParameters } from '../platform/errors/api-error.ts'

/** Orders of other sellers are treated as missing. */
export async function requireOrder(reader: Reader, key: OrderKey): Promise<Order> {
  return requireFound(await findOrder(reader, key))
}

/** The same for a transaction that changes the order, which is locked. */
export async function requireOrderToChange(tx: Transaction, key: OrderKey): Promise<Order> {
  return requireFound(await findOrderToChange(tx, key))
}

function requireFound(order: Order | undefined): Order {
  if (!order) throw invalidParameter('orderId', 'does not exist')
  return order
}

/** Writes a new order, or what happened to one. `pathOf` maps a field of the order to one of the request. */
export async function putOrder(
  tx: Transaction,
  writer: OrderWriter,
  { before, after, now, pathOf = () => 'orderId' }: OrderStep,
): Promise<Order> {
  try {
    await writer.put(tx, before ? [before] : [], [after], now)
  } catch (error) {
    if (!(error instanceof OrderWriteError)) throw error
    throw invalidParameters(error.violations.map(({ field, reason }) => ({ path: pathOf(field), reason })))
  }
  return toStoredOrder(after, now)
}

interface OrderStep {
  before?: Order
  after: Order
  now: Date
  pathOf?(field: string): string
}
