import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { chunks, isOneOf, MAX_TUPLES } from '../../../platform/database/tuples.ts'
import type { NotificationTables } from '../tables.ts'
import type { Window } from './aggregation.ts'

const db = queryBuilder<NotificationTables>()
const KEY = ['application_id', 'subscription_id', 'aggregation_key']

export interface WindowKey {
  applicationId: string
  subscriptionId: string
  aggregationKey: string
}

export const windowId = ({ applicationId, subscriptionId, aggregationKey }: WindowKey) =>
  [applicationId, subscriptionId, aggregationKey].join('\n')

/** Finds windows, keyed by `windowId`. */
export async function findWindows(reader: Reader, keys: readonly WindowKey[]): Promise<Map<string, Window>> {
  const found = new Map<string, Window>()
  for (const some of chunks(keys, MAX_TUPLES)) {
    const tuples = some.map((key) => [key.applicationId, key.subscriptionId, key.aggregationKey])
    const rows = await reader.all(db.selectFrom('aggregation_windows').selectAll().where(isOneOf(KEY, tuples)))
    for (const row of rows) {
      const id = [row.application_id, row.subscription_id, row.aggregation_key].join('\n')
      found.set(id, { endsAt: new Date(row.ends_at), heldDeliveryId: row.held_delivery_id ?? undefined })
    }
  }
  return found
}

const write = prepare((row: NotificationTables['aggregation_windows']) =>
  db
    .insertInto('aggregation_windows')
    .columns(['application_id', 'subscription_id', 'aggregation_key', 'ends_at', 'held_delivery_id'])
    .expression(
      db
        .selectFrom('subscriptions')
        .select(['application_id', 'subscription_id'])
        .select([
          sql<string>`${row.aggregation_key}`.as('aggregation_key'),
          sql<string>`${row.ends_at}`.as('ends_at'),
          sql<string | null>`${row.held_delivery_id}`.as('held_delivery_id'),
        ])
        .where('application_id', '=', row.application_id)
        .where('subscription_id', '=', row.subscription_id),
    )
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'subscription_id', 'aggregation_key']).doUpdateSet((eb) => ({
        ends_at: eb.ref('excluded.ends_at'),
        held_delivery_id: eb.ref('excluded.held_delivery_id'),
      })),
    ),
)

/** Writes nothing for deleted subscriptions. */
export async function writeWindows(tx: Transaction, windows: readonly (WindowKey & Window)[]): Promise<void> {
  if (windows.length === 0) return
  await tx.runEach(
    write,
    windows.map(({ applicationId, subscriptionId, aggregationKey, endsAt, heldDeliveryId }) => ({
      application_id: applicationId,
      subscription_id: subscriptionId,
      aggregation_key: aggregationKey,
      ends_at: endsAt.toISOString(),
      held_delivery_id: heldDeliveryId ?? null,
    })),
  )
}

export async function deleteWindowsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = await tx.all(
    db
      .selectFrom('aggregation_windows')
      .select(['application_id', 'subscription_id', 'aggregation_key'])
      .where('ends_at', '<', before.toISOString())
      .orderBy('ends_at')
      .limit(limit),
  )
  if (old.length === 0) return 0
  const keys = old.map((row) => [row.application_id, row.subscription_id, row.aggregation_key])
  return tx.run(db.deleteFrom('aggregation_windows').where(isOneOf(KEY, keys)))
}

const holding = prepare((params: { after: string; limit: number }) =>
  db
    .selectFrom('aggregation_windows')
    .select(['subscription_id', 'aggregation_key', 'ends_at'])
    .where('ends_at', '>', params.after)
    .where('held_delivery_id', 'is not', null)
    .orderBy('ends_at')
    .orderBy('application_id')
    .orderBy('subscription_id')
    .orderBy('aggregation_key')
    .limit(params.limit),
)

/** Windows that end later and then send what they hold, earliest first. */
export async function findHoldingWindows(reader: Reader, after: Date, limit: number) {
  const rows = await reader.all(holding, { after: after.toISOString(), limit })
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    aggregationKey: row.aggregation_key,
    endsAt: new Date(row.ends_at),
  }))
}
