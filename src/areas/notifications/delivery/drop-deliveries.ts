import type { Database, Reader, Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { chunks, MAX_TUPLES } from '../../../platform/database/tuples.ts'
import { endOfTick } from '../../../platform/end-of-tick.ts'
import type { NotificationTables } from '../tables.ts'
import type { DeliveryKey } from './delivery.ts'
import { deleteDeliveries } from './delivery-store.ts'

/** Deliveries of a subscription, or those of a destination that have no subscription. */
export type DeliveryOrigin =
  | { applicationId: string; subscriptionId: string }
  | { applicationId: string; destinationId: string }

const db = queryBuilder<NotificationTables>()
// Many more than one step deletes, because on PostgreSQL each query scans all rows deleted before.
const DELIVERIES_AT_A_LOOK = 10_000

/**
 * Deleting a subscription or a destination deletes its deliveries. For an unavailable queue that can be 100,000 and more,
 * and other writers wait for each transaction, so all but those that arrive meanwhile are deleted in small steps first.
 * `check` throws in the transaction of a step if they must stay. After a crash, the caller deletes the rest.
 */
export async function dropDeliveries(
  database: Database,
  origin: DeliveryOrigin,
  check: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<void> {
  for (;;) {
    const found = await database.read((reader) => findDeliveriesOf(reader, origin))
    for (const some of chunks(found, MAX_TUPLES)) {
      await database.transact(async (tx) => {
        await check(tx)
        await deleteDeliveries(tx, some)
      })
      // Transactions of SQLite that follow each other leave no time for requests.
      await endOfTick()
    }
    if (found.length < DELIVERIES_AT_A_LOOK) return
  }
}

/** In no particular order. */
function findDeliveriesOf(reader: Reader, origin: DeliveryOrigin): Promise<DeliveryKey[]> {
  const query = db
    .selectFrom('deliveries')
    .select(['application_id as applicationId', 'destination_id as destinationId', 'delivery_id as deliveryId'])
    .where('application_id', '=', origin.applicationId)
    .limit(DELIVERIES_AT_A_LOOK)
  if ('subscriptionId' in origin) return reader.all(query.where('subscription_id', '=', origin.subscriptionId))
  return reader.all(query.where('destination_id', '=', origin.destinationId).where('subscription_id', 'is', null))
}
