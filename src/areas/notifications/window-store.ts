import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { isOneOf } from '../../platform/database/tuples.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { Window } from './aggregation.ts'
import type { NotificationTables } from './tables.ts'

const db = queryBuilder<NotificationTables>()
const KEY = ['application_id', 'subscription_id', 'aggregation_key']

export interface WindowKey {
  applicationId: string
  subscriptionId: string
  aggregationKey: string
}

export const windowId = ({ applicationId, subscriptionId, aggregationKey }: WindowKey) =>
  [applicationId, subscriptionId, aggregationKey].join('\n')

/** By `windowId`. */
export async function findWindows(reader: Reader, keys: readonly WindowKey[]): Promise<Map<string, Window>> {
  if (keys.length === 0) return new Map()
  const tuples = keys.map((key) => [key.applicationId, key.subscriptionId, key.aggregationKey])
  const rows = await reader.all(db.selectFrom('aggregation_windows').selectAll().where(isOneOf(KEY, tuples)))
  return new Map(
    rows.map((row) => [
      [row.application_id, row.subscription_id, row.aggregation_key].join('\n'),
      { endsAt: new Date(row.ends_at), heldDeliveryId: row.held_delivery_id ?? undefined },
    ]),
  )
}

export async function writeWindows(tx: Transaction, windows: readonly (WindowKey & Window)[]): Promise<void> {
  const rows = windows.map(({ applicationId, subscriptionId, aggregationKey, endsAt, heldDeliveryId }) => ({
    application_id: applicationId,
    subscription_id: subscriptionId,
    aggregation_key: aggregationKey,
    ends_at: endsAt.toISOString(),
    held_delivery_id: heldDeliveryId ?? null,
  }))
  await upsertMany(tx, 'aggregation_windows', KEY, rows)
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
