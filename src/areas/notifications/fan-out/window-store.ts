import { type SelectQueryBuilder, sql } from 'kysely'
import type { Dialect } from '../../../platform/database/dialect.ts'
import { lookUpEach, toOrderedList } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { prepareWrite, writeRows } from '../../../platform/database/write-rows.ts'
import { OutdatedExpansionError } from '../../../platform/outbox/expander.ts'
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

/** A window to write, with the one from which it was computed. */
export interface PlannedWindow extends WindowKey, Window {
  replaces: Window | undefined
}

type Row = NotificationTables['aggregation_windows']

const find = prepare((params: { keys: string }, dialect) =>
  db.selectFrom(lookUpEach<Row>(params.keys, dialect, { table: 'aggregation_windows', by: KEY })).selectAll(),
)

const lock = prepare((params: { keys: string }, dialect) =>
  db
    .selectFrom(lookUpEach<Row>(params.keys, dialect, { table: 'aggregation_windows', by: KEY, forUpdate: true }))
    .selectAll(),
)

/** Finds windows, keyed by `windowId`. */
export async function findWindows(reader: Reader, keys: readonly WindowKey[]): Promise<Map<string, Window>> {
  if (keys.length === 0) return new Map()
  return toWindows(await reader.all(find, { keys: toJson(keys) }))
}

/** In one order, so that relays which lock the same windows wait for each other instead of deadlocking. */
const toJson = (keys: readonly WindowKey[]) =>
  toOrderedList(keys.map((key) => [key.applicationId, key.subscriptionId, key.aggregationKey]))

const toWindows = (rows: readonly Row[]) =>
  new Map(
    rows.map((row): [string, Window] => [
      [row.application_id, row.subscription_id, row.aggregation_key].join('\n'),
      { endsAt: new Date(row.ends_at), heldDeliveryId: row.held_delivery_id ?? undefined },
    ]),
  )

const writer = (isReplacing: boolean) =>
  prepareWrite<Row>(['application_id', 'subscription_id', 'aggregation_key', 'ends_at', 'held_delivery_id'], (given) =>
    db
      .insertInto('aggregation_windows')
      .columns(['application_id', 'subscription_id', 'aggregation_key', 'ends_at', 'held_delivery_id'])
      .expression(
        db
          .selectFrom(given)
          .innerJoin('subscriptions', (join) =>
            join
              .onRef('subscriptions.application_id', '=', 'given.application_id')
              .onRef('subscriptions.subscription_id', '=', 'given.subscription_id'),
          )
          .select([
            'given.application_id',
            'given.subscription_id',
            'given.aggregation_key',
            'given.ends_at',
            'given.held_delivery_id',
          ])
          // SQLite would take the conflict clause for a condition of the join.
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => {
        const key = conflict.columns(['application_id', 'subscription_id', 'aggregation_key'])
        if (!isReplacing) return key.doNothing()
        return key.doUpdateSet((eb) => ({
          ends_at: eb.ref('excluded.ends_at'),
          held_delivery_id: eb.ref('excluded.held_delivery_id'),
        }))
      }),
  )

const insertMissing = writer(false)
const replace = writer(true)

/** Writes nothing for deleted subscriptions. Throws if another relay has written one of the windows since the plan. */
export async function writeWindows(
  tx: Transaction,
  dialect: Dialect,
  windows: readonly PlannedWindow[],
): Promise<void> {
  if (windows.length === 0) return
  const rows = windows.map(toRow).sort((one, other) => (rowId(one) < rowId(other) ? -1 : 1))
  // SQLite has one writer, and one relay.
  if (dialect === 'postgres') {
    await writeRows(
      tx,
      dialect,
      insertMissing,
      rows.map((row) => ({ ...row, ends_at: NO_WINDOW, held_delivery_id: null })),
    )
    const current = await tx.all(lock, { keys: toJson(windows) })
    const stored = toWindows(current.filter((row) => row.ends_at !== NO_WINDOW))
    if (windows.some((window) => !isSame(stored.get(windowId(window)), window.replaces))) {
      throw new OutdatedExpansionError('An aggregation window was written')
    }
  }
  await writeRows(tx, dialect, replace, rows)
}

/** A row that only this transaction sees, so that two relays cannot both find no window. */
const NO_WINDOW = ''

const isSame = (one: Window | undefined, other: Window | undefined) =>
  one?.endsAt.getTime() === other?.endsAt.getTime() && one?.heldDeliveryId === other?.heldDeliveryId

const rowId = (row: Row) => [row.application_id, row.subscription_id, row.aggregation_key].join('\n')

const toRow = ({ applicationId, subscriptionId, aggregationKey, endsAt, heldDeliveryId }: PlannedWindow): Row => ({
  application_id: applicationId,
  subscription_id: subscriptionId,
  aggregation_key: aggregationKey,
  ends_at: endsAt.toISOString(),
  held_delivery_id: heldDeliveryId ?? null,
})

export async function deleteWindowsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db.selectFrom('aggregation_windows').where('ends_at', '<', before.toISOString()).orderBy('ends_at')
  return deleteSome(tx, old, limit)
}

/** A subscription with aggregation has a window for each product that has changed lately. */
export async function deleteWindowsOf(
  tx: Transaction,
  { applicationId, subscriptionId }: Omit<WindowKey, 'aggregationKey'>,
  limit: number,
): Promise<number> {
  const own = db
    .selectFrom('aggregation_windows')
    .where('application_id', '=', applicationId)
    .where('subscription_id', '=', subscriptionId)
  return deleteSome(tx, own, limit)
}

function deleteSome(
  tx: Transaction,
  windows: SelectQueryBuilder<NotificationTables, 'aggregation_windows', object>,
  limit: number,
): Promise<number> {
  const keys = windows.select(['application_id', 'subscription_id', 'aggregation_key']).limit(limit)
  const isOneOfThem = sql<boolean>`(application_id, subscription_id, aggregation_key) in ${keys}`
  return tx.run(db.deleteFrom('aggregation_windows').where(isOneOfThem))
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
