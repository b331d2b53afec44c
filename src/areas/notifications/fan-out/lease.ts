import { isInJson } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import type { NotificationTables } from '../tables.ts'

const db = queryBuilder<NotificationTables>()

/** The lease of all events, on SQLite. On PostgreSQL, workers of the version before claim it. */
export const ALL_EVENTS = 'fan-out'
const PREFIX = `${ALL_EVENTS} `
/** Holds `ALL_EVENTS` for all workers that claim shards, so that workers of the version before wait. */
const SHARED = 'shards'

export const leaseNameOf = (shard: string): string => `${PREFIX}${shard}`
export const shardOf = (leaseName: string): string => leaseName.slice(PREFIX.length)

const all = prepare((_: object) => db.selectFrom('fan_out_leases').selectAll())

/**
 * Finds leases that no relay holds, of these names, longest unclaimed first. Read before claiming them, so that relays
 * do not wait for each other.
 */
export async function findUnclaimed(reader: Reader, names: readonly string[], now: Date): Promise<string[]> {
  const rows = new Map((await reader.all(all, {})).map((row) => [row.name, row]))
  const isFree = (name: string) => {
    const row = rows.get(name)
    return !row || row.lease === null || row.ends_at <= now.toISOString()
  }
  const olderHolder = rows.get(ALL_EVENTS)?.lease !== SHARED && !isFree(ALL_EVENTS)
  if (olderHolder) return []
  const endOf = (name: string) => rows.get(name)?.ends_at ?? ''
  return names.filter(isFree).sort((one, other) => (endOf(one) < endOf(other) ? -1 : 1))
}

interface Claim {
  name: string
  lease: string
  now: string
  endsAt: string
}

const claim = prepare((params: Claim) =>
  db
    .insertInto('fan_out_leases')
    .values({ name: params.name, lease: params.lease, ends_at: params.endsAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ lease: eb.ref('excluded.lease'), ends_at: eb.ref('excluded.ends_at') }))
        .where((eb) => eb.or([eb('fan_out_leases.lease', 'is', null), eb('fan_out_leases.ends_at', '<=', params.now)])),
    ),
)

const prolongShared = prepare((params: { endsAt: string }) =>
  db
    .updateTable('fan_out_leases')
    .set({ ends_at: params.endsAt })
    .where('name', '=', ALL_EVENTS)
    .where('lease', '=', SHARED),
)

/** Claims leases. Returns the names of those that no other relay has claimed. */
export async function claimFanOut(
  tx: Transaction,
  names: readonly string[],
  { lease, now, endsAt }: { lease: string; now: Date; endsAt: Date },
): Promise<string[]> {
  const times = { now: now.toISOString(), endsAt: endsAt.toISOString() }
  if (!names.includes(ALL_EVENTS) && !(await shareAllEvents(tx, times))) return []
  const claimed: string[] = []
  // In one order, so that relays which claim the same ones wait for each other instead of deadlocking.
  for (const name of names.toSorted()) if ((await tx.run(claim, { name, lease, ...times })) === 1) claimed.push(name)
  return claimed
}

/** Returns false if a worker of the version before holds the lease of all events. */
async function shareAllEvents(tx: Transaction, { now, endsAt }: Pick<Claim, 'now' | 'endsAt'>): Promise<boolean> {
  const row = await tx.first(current, { name: ALL_EVENTS })
  // Not prolonged by every claim: workers would wait for each other.
  if (row?.lease === SHARED && row.ends_at > halfway(now, endsAt)) return true
  if (row?.lease === SHARED && (await tx.run(prolongShared, { endsAt })) === 1) return true
  return (await tx.run(claim, { name: ALL_EVENTS, lease: SHARED, now, endsAt })) === 1
}

const current = prepare((params: { name: string }) =>
  db.selectFrom('fan_out_leases').select(['lease', 'ends_at']).where('name', '=', params.name),
)

const halfway = (one: string, other: string) =>
  new Date((new Date(one).getTime() + new Date(other).getTime()) / 2).toISOString()

/** Leases that this relay has claimed. */
export interface HeldLeases {
  lease: string
  names: readonly string[]
}

const renew = prepare((params: { lease: string; names: string; endsAt: string }, dialect) =>
  db
    .updateTable('fan_out_leases')
    .set({ ends_at: params.endsAt })
    .where(isInJson('name', params.names, dialect))
    .where('lease', '=', params.lease),
)

const release = prepare((params: { lease: string }) =>
  db.updateTable('fan_out_leases').set({ lease: null }).where('lease', '=', params.lease),
)

/** Another relay holds the lease, so this one must not write anything. */
export class LeaseLostError extends Error {
  constructor() {
    super('Another relay has taken over the fan-out')
    this.name = 'LeaseLostError'
  }
}

/** Called in every transaction of a fan-out. Throws if a lease was lost. */
export async function renewFanOut(tx: Transaction, { lease, names }: HeldLeases, endsAt: Date): Promise<void> {
  const renewed = await tx.run(renew, { lease, names: JSON.stringify(names), endsAt: endsAt.toISOString() })
  if (renewed !== names.length) throw new LeaseLostError()
}

export async function releaseFanOut(tx: Transaction, { lease }: HeldLeases): Promise<void> {
  await tx.run(release, { lease })
}

/** Releases leases, but none that another transaction has locked. */
export async function returnFanOut(tx: Transaction, leases: readonly string[]): Promise<void> {
  let held = db.selectFrom('fan_out_leases').select('name').where('lease', 'in', leases)
  if (tx.dialect === 'postgres') held = held.forUpdate().skipLocked()
  await tx.run(db.updateTable('fan_out_leases').set({ lease: null }).where('name', 'in', held))
}

/** Releases the leases of processes that have ended. */
export async function forceReleaseFanOut(tx: Transaction): Promise<void> {
  await tx.run(db.updateTable('fan_out_leases').set({ lease: null }))
}
