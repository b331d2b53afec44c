import { setImmediate } from 'node:timers/promises'
import { productTypeChanges } from '../../src/areas/notifications/fan-out/product-type-changes.ts'
import { offerChanges } from '../../src/areas/pricing/notifications/offer-change.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import type { Expanders } from '../../src/platform/outbox/expander.ts'
import { createOutbox, type NewEvent } from '../../src/platform/outbox/outbox.ts'

/** The expanders of all areas. */
export const expanders: Expanders = { PRODUCT_TYPES_CHANGE: productTypeChanges, OFFER_CHANGE: offerChanges }

const outbox = createOutbox(new RandomIds())

/** Appends events as an operation does, in one transaction. */
export async function append(database: Database, events: readonly NewEvent[]): Promise<void> {
  await database.transact((tx) => outbox.append(tx, events))
  // The service has another connection, whose reads within one event-loop tick share a snapshot.
  await setImmediate()
}

/** An order change event. */
export const orderChange = (sellerId: string, occurredAt: Date, number: number, more: object = {}): NewEvent => ({
  sellerId,
  type: 'ORDER_CHANGE',
  occurredAt,
  payload: {
    OrderChangeNotification: {
      SellerId: sellerId,
      AmazonOrderId: String(number),
      OrderChangeType: 'OrderStatusChange',
      Summary: { MarketplaceId: 'ATVPDKIKX0DER' },
      ...more,
    },
  },
})

/** The order ids of notifications. */
export const ordersIn = (notifications: readonly Record<string, unknown>[]): number[] =>
  notifications.map(({ Payload }) => {
    const { OrderChangeNotification } = Payload as { OrderChangeNotification: { AmazonOrderId: string } }
    return Number(OrderChangeNotification.AmazonOrderId)
  })
