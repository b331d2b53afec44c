import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { demo } from '../../src/dev/demo/index.ts'

/** Stores events that a seller's subscription waits for, as if they had happened now. */
export function seedEvents(file: string, count: number): void {
  const sqlite = new Sqlite(file)
  try {
    const add = sqlite.prepare(
      'insert into events (event_id, occurred_at, seller_id, event_type, payload) values (?, ?, ?, ?, ?)',
    )
    const occurredAt = new Date().toISOString()
    sqlite.transaction(() => {
      for (let index = 0; index < count; index++) {
        const payload = {
          OrderChangeNotification: {
            NotificationLevel: 'OrderLevel',
            SellerId: demo.sellerId,
            AmazonOrderId: `100-0000000-${String(index).padStart(7, '0')}`,
            OrderChangeType: 'OrderStatusChange',
            OrderChangeTrigger: { TimeOfOrderChange: occurredAt, ChangeReason: 'Order created' },
            Summary: {
              MarketplaceId: demo.marketplaceId,
              OrderStatus: 'Unshipped',
              PurchaseDate: occurredAt,
              DestinationPostalCode: '97201',
              FulfillmentType: 'MFN',
              OrderType: 'StandardOrder',
              OrderItems: [{ OrderItemId: '1', SellerSKU: 'SOUK-SHOE-001', SupplySourceId: null, Quantity: 1 }],
            },
          },
        }
        const eventId = `${String(index).padStart(8, '0')}-${randomUUID()}`
        add.run(eventId, occurredAt, demo.sellerId, 'ORDER_CHANGE', JSON.stringify(payload))
      }
    })()
  } finally {
    sqlite.close()
  }
}
