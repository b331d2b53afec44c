import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import type { NotificationTables } from '../tables.ts'

const db = queryBuilder<NotificationTables>()
const NAME = 'fan-out'

interface Claim {
  lease: string
  now: string
  endsAt: string
}

const current = prepare((_: object) =>
  db.selectFrom('fan_out_leases').select(['lease', 'ends_at']).where('name', '=', NAME),
)

const claim = prepare((params: Claim) =>
  db
    .insertInto('fan_out_leases')
    .values({ name: NAME, lease: params.lease, ends_at: params.endsAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ lease: eb.ref('excluded.lease'), ends_at: eb.ref('excluded.ends_at') }))
        .where((eb) => eb.or([eb('fan_out_leases.lease', 'is', null), eb('fan_out_leases.ends_at', '<=', params.now)])),
    ),
)

const renew = prepare((params: Pick<Claim, 'lease' | 'endsAt'>) =>
  db
    .updateTable('fan_out_leases')
    .set({ ends_at: params.endsAt })
    .where('name', '=', NAME)
    .where('lease', '=', params.lease),
)

const release = prepare((params: { lease: string }) =>
  db.updateTable('fan_out_leases').set({ lease: null }).where('name', '=', NAME).where('lease', '=', params.lease),
)

/** Another relay holds the lease, so this one must not write anything. */
export class LeaseLostError extends Error {
  constructor() {
    super('Another relay has taken over the fan-out')
    this.name = 'LeaseLostError'
  }
}

/** Returns true if no relay holds the lease. Read before claiming it, so that waiting relays do not write. */
export async function isFanOutUnclaimed(reader: Reader, now: Date): Promise<boolean> {
  const row = await reader.first(current, {})
  return !row || row.lease === null || row.ends_at <= now.toISOString()
}

/** Returns false if another relay has claimed the lease. */
export async function claimFanOut(tx: Transaction, lease: string, now: Date, endsAt: Date): Promise<boolean> {
  return (await tx.run(claim, { lease, now: now.toISOString(), endsAt: endsAt.toISOString() })) === 1
}

/** Called in every transaction of a fan-out. Throws if the lease was lost. */
export async function renewFanOut(tx: Transaction, lease: string, endsAt: Date): Promise<void> {
  if ((await tx.run(renew, { lease, endsAt: endsAt.toISOString() })) !== 1) throw new LeaseLostError()
}

export async function releaseFanOut(tx: Transaction, lease: string): Promise<void> {
  await tx.run(release, { lease })
}

/** Releases the lease of a process that has ended. */
export async function forceReleaseFanOut(tx: Transaction): Promise<void> {
  await tx.run(db.updateTable('fan_out_leases').set({ lease: null }))
}
