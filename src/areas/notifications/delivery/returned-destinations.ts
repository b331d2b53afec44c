import { type Expression, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../../platform/database/dialect.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import type { NotificationTables } from '../tables.ts'
import { type HeldDestination, heldBy, isHeld } from './destination-lease-store.ts'

const db = queryBuilder<NotificationTables>()

/** Rows that meet the condition, but none that another transaction has locked. */
const unlocked = (condition: Expression<SqlBool>, dialect: Dialect) => {
  const keys = db.selectFrom('delivery_turns').select(['application_id', 'destination_id']).where(condition)
  return sql<boolean>`(application_id, destination_id) in (${dialect === 'postgres' ? keys.forUpdate().skipLocked() : keys})`
}

/** Makes the destinations of these leases due now. */
export async function returnDestinations(tx: Transaction, leases: readonly string[], now: Date): Promise<void> {
  const isAnyHeld = sql<boolean>`due_at > ${now.toISOString()} and lease in (${sql.join(leases)})`
  const command = db.updateTable('delivery_turns').set({ due_at: now.toISOString(), lease: null })
  await tx.run(command.where(unlocked(isAnyHeld, tx.dialect)))
}

const postpone = prepare((params: HeldDestination & { dueAt: string; leastFailures: number }, dialect) =>
  db
    .updateTable('delivery_turns')
    .set((eb) => ({
      due_at: params.dueAt,
      lease: null,
      failures: eb
        .case()
        .when('failures', '<', params.leastFailures)
        .then(params.leastFailures)
        .else(eb.ref('failures'))
        .end(),
    }))
    .where(unlocked(isHeld(params), dialect)),
)

export interface PostponedDestination extends HeldDestination {
  dueAt: Date
  /** A failing destination is not due sooner because of new deliveries. */
  isFailing: boolean
}

/** Returns destinations until they are due again. */
export async function postponeDestinations(tx: Transaction, some: readonly PostponedDestination[]): Promise<void> {
  const postponed = some.map(({ dueAt, isFailing, lease, ...key }) => ({
    ...heldBy(key, lease),
    dueAt: dueAt.toISOString(),
    leastFailures: isFailing ? 1 : 0,
  }))
  await tx.runEach(postpone, postponed)
}
