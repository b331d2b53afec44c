import type { Dialect } from '../../../platform/database/dialect.ts'
import type { Database, Reader, Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { MAX_TUPLES } from '../../../platform/database/tuples.ts'
import { endOfTick } from '../../../platform/end-of-tick.ts'
import { StepSize, writeStep } from '../fan-out/step-size.ts'
import type { NotificationTables } from '../tables.ts'
import type { DeliveryKey } from './delivery.ts'
import { deleteDeliveries } from './delivery-store.ts'

/** Deliveries of a subscription, or those of a destination that have no subscription. */
export type DeliveryOrigin =
  | { applicationId: string; subscriptionId: string }
  | { applicationId: string; destinationId: string }

const db = queryBuilder<NotificationTables>()
// On PostgreSQL many more than one step deletes, because each query scans all rows deleted before. On SQLite nothing else runs
// during a query.
const DELIVERIES_PER_QUERY: Record<Dialect, number> = { sqlite: 1_000, postgres: 10_000 }

/**
 * Deleting a subscription or a destination deletes its deliveries. For an unavailable queue that can be 100,000 and more,
 * and other writers wait for each transaction, so all but those that arrive meanwhile are deleted first, in steps of a
 * few milliseconds.
 * `check` throws in the transaction of a step if they must stay. After a crash, the caller deletes the rest.
 */
export async function dropDeliveries(
  database: Database,
  origin: DeliveryOrigin,
  check: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<void> {
  const stepSize = new StepSize(database.dialect)
  const limit = DELIVERIES_PER_QUERY[database.dialect]
  for (;;) {
    const found = await database.read((reader) => findDeliveriesOf(reader, origin, limit))
    for (let start = 0; start < found.length; ) {
      const some = found.slice(start, start + Math.min(stepSize.maxDeliveries, MAX_TUPLES))
      await writeStep({ database, stepSize }, { deliveries: some.length }, async (tx) => {
        await check(tx)
        await deleteDeliveries(tx, some)
      })
      start += some.length
      // Transactions of SQLite that follow each other leave no time for requests.
      await endOfTick()
    }
    if (found.length < limit) return
  }
}

/** In no particular order. */
function findDeliveriesOf(reader: Reader, origin: DeliveryOrigin, limit: number): Promise<DeliveryKey[]> {
  const query = db
    .selectFrom('deliveries')
    .select(['application_id as applicationId', 'destination_id as destinationId', 'delivery_id as deliveryId'])
    .where('application_id', '=', origin.applicationId)
    .limit(limit)
  if ('subscriptionId' in origin) return reader.all(query.where('subscription_id', '=', origin.subscriptionId))
  return reader.all(query.where('destination_id', '=', origin.destinationId).where('subscription_id', 'is', null))
}
