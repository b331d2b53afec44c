import { sql } from 'kysely'
import type { Dialect } from '../../../platform/database/dialect.ts'
import { isTupleInJson, lookUpEach } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'

const db = queryBuilder<NotificationTables>()

/** A claimed destination. No other relay sends to it until the lease expires. */
export interface DestinationClaim extends DestinationKey {
  failures: number
}

const earliest = prepare((_: object) => db.selectFrom('delivery_turns').select('due_at').orderBy('due_at').limit(1))

export async function nextDestinationDueAt(reader: Reader): Promise<Date | undefined> {
  const row = await reader.first(earliest, {})
  return row && new Date(row.due_at)
}

const waiting = prepare((params: { after: string; limit: number }) =>
  db
    .selectFrom('delivery_turns')
    .select(['destination_id', 'due_at', 'failures'])
    .where('due_at', '>', params.after)
    .where('lease', 'is', null)
    .orderBy('due_at')
    .orderBy('application_id')
    .orderBy('destination_id')
    .limit(params.limit),
)

/** Destinations that are due later, earliest first. */
export async function findWaitingDestinations(reader: Reader, after: Date, limit: number) {
  const rows = await reader.all(waiting, { after: after.toISOString(), limit })
  return rows.map((row) => ({ destinationId: row.destination_id, dueAt: new Date(row.due_at), failures: row.failures }))
}

interface DestinationSchedule extends DestinationKey {
  dueAt: string
}

const wake = prepare((params: DestinationSchedule) =>
  db
    .insertInto('delivery_turns')
    .columns(['application_id', 'destination_id', 'due_at', 'failures'])
    .expression(
      // Inserts nothing for a deleted destination.
      db
        .selectFrom('destinations')
        .select(['application_id', 'destination_id'])
        .select([sql<string>`${params.dueAt}`.as('due_at'), sql<number>`0`.as('failures')])
        .where('application_id', '=', params.applicationId)
        .where('destination_id', '=', params.destinationId),
    )
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'destination_id']).doUpdateSet((eb) => ({
        // Written even if unchanged, so that it waits for a relay that releases the destination at the same time: see
        // `lockDestination`.
        due_at: eb
          .case()
          .when(
            eb.and([
              eb('delivery_turns.lease', 'is', null),
              eb('delivery_turns.failures', '=', 0),
              eb('delivery_turns.due_at', '>', eb.ref('excluded.due_at')),
            ]),
          )
          .then(eb.ref('excluded.due_at'))
          .else(eb.ref('delivery_turns.due_at'))
          .end(),
      })),
    ),
)

/**
 * Makes each destination due when its first new delivery is due. A claimed destination is checked again before its
 * release, and a destination in backoff stays in backoff.
 */
export async function scheduleDestinations(
  tx: Transaction,
  deliveries: readonly (DestinationKey & { dueAt: Date })[],
): Promise<void> {
  const first = new Map<string, DestinationSchedule>()
  for (const { applicationId, destinationId, dueAt } of deliveries) {
    const waking = { applicationId, destinationId, dueAt: dueAt.toISOString() }
    const id = destinationIdOf(waking)
    const known = first.get(id)
    if (!known || known.dueAt > waking.dueAt) first.set(id, waking)
  }
  // In one order, so that relays which schedule the same destinations wait for each other instead of deadlocking.
  const inOrder = [...first].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, waking]) => waking)
  if (inOrder.length > 0) await tx.runEach(wake, inOrder)
}

export const destinationIdOf = ({ applicationId, destinationId }: DestinationKey) => `${applicationId} ${destinationId}`

const failing = prepare((params: { destinations: string }, dialect) =>
  db
    .selectFrom(
      lookUpEach<NotificationTables['delivery_turns']>(params.destinations, dialect, {
        table: 'delivery_turns',
        by: ['application_id', 'destination_id'],
      }),
    )
    .select(['application_id as applicationId', 'destination_id as destinationId'])
    .where('failures', '>', 0),
)

/** Returns the ids of those destinations whose last attempt failed. */
export async function findFailing(reader: Reader, some: readonly DestinationKey[]): Promise<Set<string>> {
  if (some.length === 0) return new Set()
  const keys = new Map(some.map((key) => [destinationIdOf(key), [key.applicationId, key.destinationId]]))
  const rows = await reader.all(failing, { destinations: JSON.stringify([...keys.values()]) })
  return new Set(rows.map(destinationIdOf))
}

const lock = prepare((params: DestinationKey & { lease: string }, dialect) => {
  const held = db
    .selectFrom('delivery_turns')
    .select('destination_id')
    .where('application_id', '=', params.applicationId)
    .where('destination_id', '=', params.destinationId)
    .where('lease', '=', params.lease)
  return dialect === 'postgres' ? held.forUpdate() : held
})

/**
 * Keeps others from scheduling the destination until the end of the transaction: what it reads then is all there is to
 * send. Returns false if another relay holds the lease.
 */
export async function lockDestination(tx: Transaction, key: DestinationKey, lease: string): Promise<boolean> {
  const { applicationId, destinationId } = key
  return (await tx.first(lock, { applicationId, destinationId, lease })) !== undefined
}

export interface ClaimOptions {
  now: Date
  lease: string
  leaseEnds: Date
  limit: number
  except: readonly DestinationKey[]
  /** Claims either destinations whose last attempt failed, or all others. */
  isFailing: boolean
}

interface ClaimParams {
  now: string
  lease: string
  leaseEnds: string
  limit: number
  except: string
}

/** On PostgreSQL, the lists lead to the rows by their key. It may read the whole table to compare each row with tuples. */
function isOneOf(table: string, dialect: Dialect) {
  const isListed = sql<boolean>`(application_id, destination_id) in (select application_id, destination_id from ${sql.table(table)})`
  if (dialect === 'sqlite') return isListed
  const isAny = (column: string) =>
    sql`${sql.ref(column)} = any (array(select ${sql.ref(column)} from ${sql.table(table)}))`
  return sql<boolean>`${isAny('application_id')} and ${isAny('destination_id')} and ${isListed}`
}

const claimer = (isFailing: boolean) =>
  prepare((params: ClaimParams, dialect) => {
    const due = db
      .selectFrom('delivery_turns')
      .select(['application_id', 'destination_id'])
      .where('due_at', '<=', params.now)
      .where('failures', isFailing ? '>' : '=', sql.lit(0))
      .where((eb) => eb.not(isTupleInJson(['application_id', 'destination_id'], params.except, dialect)))
      .orderBy('due_at')
      .limit(params.limit)
    return (
      db
        // Otherwise PostgreSQL may look for due ones once for each row, and claim more than the limit.
        .with(
          (cte) => cte('due').materialized(),
          () => (dialect === 'postgres' ? due.forUpdate().skipLocked() : due),
        )
        .updateTable('delivery_turns')
        .set({ due_at: params.leaseEnds, lease: params.lease })
        .where(isOneOf('due', dialect))
        .returning(['application_id', 'destination_id', 'failures'])
    )
  })

const claimWorking = claimer(false)
const claimFailing = claimer(true)

/** Claims due destinations. No other relay claims them until the lease expires. */
export async function claimDestinations(
  tx: Transaction,
  { now, lease, leaseEnds, limit, except, isFailing }: ClaimOptions,
): Promise<DestinationClaim[]> {
  if (limit <= 0) return []
  const rows = await tx.all(isFailing ? claimFailing : claimWorking, {
    now: now.toISOString(),
    lease,
    leaseEnds: leaseEnds.toISOString(),
    limit,
    except: JSON.stringify(except.map(({ applicationId, destinationId }) => [applicationId, destinationId])),
  })
  return rows.map((row) => ({
    applicationId: row.application_id,
    destinationId: row.destination_id,
    failures: row.failures,
  }))
}

/** A destination that this relay has claimed. */
export interface HeldDestination extends DestinationKey {
  lease: string
}

export const heldBy = ({ applicationId, destinationId }: DestinationKey, lease: string): HeldDestination => ({
  applicationId,
  destinationId,
  lease,
})

export const isHeld = ({ applicationId, destinationId, lease }: HeldDestination) =>
  sql<boolean>`application_id = ${applicationId} and destination_id = ${destinationId} and lease = ${lease}`

const extend = prepare((params: HeldDestination & { leaseEnds: string; failures: number }) =>
  db
    .updateTable('delivery_turns')
    .set({ due_at: params.leaseEnds, failures: params.failures, last_error: null })
    .where(isHeld(params)),
)

/** Extends the lease and sets the failures. Returns false if another relay holds the lease. */
export async function extendDestinationLease(
  tx: Transaction,
  key: DestinationKey,
  lease: string,
  { leaseEnds, failures }: { leaseEnds: Date; failures: number },
): Promise<boolean> {
  return (await tx.run(extend, { ...heldBy(key, lease), leaseEnds: leaseEnds.toISOString(), failures })) === 1
}

const release = prepare((params: HeldDestination & { dueAt: string; failures: number; error: string | null }) =>
  db
    .updateTable('delivery_turns')
    .set({ due_at: params.dueAt, lease: null, failures: params.failures, last_error: params.error })
    .where(isHeld(params)),
)

/** Releases a destination until it is due again. */
export async function releaseDestination(
  tx: Transaction,
  key: DestinationKey,
  lease: string,
  { dueAt, failures, error = null }: { dueAt: Date; failures: number; error?: string | null },
): Promise<void> {
  await tx.run(release, { ...heldBy(key, lease), dueAt: dueAt.toISOString(), failures, error })
}

const remove = prepare((params: HeldDestination) => db.deleteFrom('delivery_turns').where(isHeld(params)))

export async function deleteDestinationLease(tx: Transaction, key: DestinationKey, lease: string): Promise<void> {
  await tx.run(remove, heldBy(key, lease))
}

/** Makes a destination due now, even in backoff. */
export async function sendNow(tx: Transaction, key: DestinationKey, now: Date): Promise<void> {
  await scheduleDestinations(tx, [{ ...key, dueAt: now }])
  await tx.run(
    db
      .updateTable('delivery_turns')
      .set({ due_at: now.toISOString() })
      .where('application_id', '=', key.applicationId)
      .where('destination_id', '=', key.destinationId)
      .where('lease', 'is', null),
  )
}

/** Releases all leases. Only safe if no other process is running. */
export async function releaseAllDestinations(tx: Transaction, now: Date): Promise<void> {
  const command = db.updateTable('delivery_turns').set({ due_at: now.toISOString(), lease: null })
  await tx.run(command.where('lease', 'is not', null))
}
