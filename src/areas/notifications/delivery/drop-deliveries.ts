import type { Dialect } from '../../../platform/database/dialect.ts'
import type { Database, Reader, Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { type RowLimits, StepSize, writeStep } from '../../../platform/database/step-size.ts'
import { inSteps } from '../../../platform/sweeps.ts'
import { deleteWindowsOf } from '../fan-out/window-store.ts'
import type { NotificationTables } from '../tables.ts'
import type { DeliveryKey } from './delivery.ts'
import { deleteDeliveries } from './delivery-store.ts'

/** Deliveries of a subscription, or those of a destination that have no subscription. */
export type DeliveryOrigin =
  | { applicationId: string; subscriptionId: string }
  | { applicationId: string; destinationId: string }

const db = queryBuilder<NotificationTables>()
// On PostgreSQL many more than one step deletes, because each query scans all rows deleted before. On SQLite nothing
// else runs during a query.
const DELIVERIES_PER_QUERY: Record<Dialect, number> = { sqlite: 1_000, postgres: 10_000 }
const DELIVERIES_PER_STEP: Record<Dialect, RowLimits> = {
  sqlite: { min: 10, max: 250 },
  postgres: { min: 250, max: 500 },
}

/**
 * Deleting a subscription or a destination deletes its deliveries and aggregation windows. For an unavailable queue
 * that can be 100,000 and more, and other writers wait for each transaction, so all but those that arrive meanwhile are
 * deleted first, in steps of a few milliseconds. `check` throws in the transaction of a step if they must stay. After a
 * crash, the caller deletes the rest.
 */
export async function dropDeliveries(
  database: Database,
  origin: DeliveryOrigin,
  check: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<void> {
  if ('subscriptionId' in origin) await inSteps({ database }, (tx, limit) => deleteWindowsOf(tx, origin, limit))
  const stepSize = new StepSize(database.dialect, DELIVERIES_PER_STEP[database.dialect])
  const limit = DELIVERIES_PER_QUERY[database.dialect]
  for (;;) {
    const found = await database.read((reader) => findDeliveriesOf(reader, origin, limit))
    for (let start = 0; start < found.length; ) {
      const some = found.slice(start, start + stepSize.maxRows)
      await writeStep({ database, stepSize }, { rows: some.length }, async (tx) => {
        await check(tx)
        await deleteDeliveries(tx, some)
      })
      start += some.length
      await stepSize.pause()
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
