import type { Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isOneOf } from '../../../platform/database/tuples.ts'
import type { NotificationTables } from '../tables.ts'
import type { DeliveryKey } from './delivery.ts'
import { DELIVERY_KEY, tupleOf } from './delivery-store.ts'

const db = queryBuilder<NotificationTables>()

/** Moves deliveries that were not attempted to a later time, without counting a failure. */
export async function postponeDeliveries(
  tx: Transaction,
  postponed: readonly { delivery: DeliveryKey; dueAt: Date }[],
): Promise<void> {
  for (const [time, some] of Map.groupBy(postponed, ({ dueAt }) => dueAt.toISOString())) {
    const keys = some.map(({ delivery }) => tupleOf(delivery))
    await tx.run(db.updateTable('deliveries').set({ due_at: time }).where(isOneOf(DELIVERY_KEY, keys)))
  }
}
