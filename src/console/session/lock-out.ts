import { isIPv6 } from 'node:net'
import { digest } from '../../platform/auth/digest.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { ConsoleTables } from '../tables.ts'

const MINUTE = 60_000
/** Of one account. */
const MAX_ACCOUNT_FAILURES = 5
/** More, because the users of an office, or of a reverse proxy, have one address. */
const MAX_ADDRESS_FAILURES = 20
/** Failures longer ago than this no longer count. Also the duration of the first lock; each further one takes twice as long. */
const LOCK_MINUTES = 15
const MAX_LOCK_MINUTES = 4 * 60
/** After this time without failures, the next lock is a first one again. */
export const MEMORY_MINUTES = 24 * 60

/** What failures are counted for. */
export interface Subject {
  digest: string
  maxFailures: number
}

/** Also of names that do not exist: a lock must not reveal which do. */
export const accountSubject = (name: string): Subject => ({
  digest: digest(`account ${name}`),
  maxFailures: MAX_ACCOUNT_FAILURES,
})

export const addressSubject = (address: string): Subject => ({
  digest: digest(`address ${networkOf(address)}`),
  maxFailures: MAX_ADDRESS_FAILURES,
})

/** A host has all addresses of an IPv6 network of 64 bits. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = '', after] = address.split('::')
  const first = before.split(':').filter(Boolean)
  const last = after?.split(':').filter(Boolean) ?? []
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...(after === undefined ? [] : zeros), ...last].slice(0, 4).join(':')
}

const db = queryBuilder<ConsoleTables>()
type Row = ConsoleTables['console_sign_in_failures']

const selectRows = (reader: Reader, subjects: readonly Subject[]) =>
  reader.all(
    db
      .selectFrom('console_sign_in_failures')
      .selectAll()
      .where(
        'subject_digest',
        'in',
        subjects.map((one) => one.digest),
      ),
  )

/** Until when the subjects may not sign in, if they may not now. */
export async function findLock(reader: Reader, subjects: readonly Subject[], now: Date): Promise<Date | undefined> {
  const ends = (await selectRows(reader, subjects)).map((row) => new Date(row.locked_until ?? 0).getTime())
  const last = Math.max(0, ...ends)
  return last > now.getTime() ? new Date(last) : undefined
}

export async function recordFailure(tx: Transaction, subjects: readonly Subject[], now: Date): Promise<void> {
  const rows = new Map((await selectRows(tx, subjects)).map((row) => [row.subject_digest, row]))
  const failed = subjects.map((subject) => afterFailure(subject, rows.get(subject.digest), now))
  await upsertMany(tx, 'console_sign_in_failures', ['subject_digest'], failed)
}

function afterFailure({ digest: subject, maxFailures }: Subject, before: Row | undefined, now: Date): Row {
  const minutesAgo = before ? (now.getTime() - Date.parse(before.last_failed_at)) / MINUTE : Number.POSITIVE_INFINITY
  const failures = (before && minutesAgo < LOCK_MINUTES ? Number(before.failures) : 0) + 1
  const locks = before && minutesAgo < MEMORY_MINUTES ? Number(before.locks) : 0
  const row = { subject_digest: subject, last_failed_at: now.toISOString() }
  if (failures < maxFailures) return { ...row, failures, locks, locked_until: before?.locked_until ?? null }
  const minutes = Math.min(LOCK_MINUTES * 2 ** locks, MAX_LOCK_MINUTES)
  return {
    ...row,
    failures: 0,
    locks: locks + 1,
    locked_until: new Date(now.getTime() + minutes * MINUTE).toISOString(),
  }
}

/** After a sign-in. */
export async function forgetFailures(tx: Transaction, subject: Subject): Promise<void> {
  await tx.run(db.deleteFrom('console_sign_in_failures').where('subject_digest', '=', subject.digest))
}

/** Deletes at most `limit` subjects without failures since a time. */
export async function deleteFailuresBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('console_sign_in_failures')
    .select('subject_digest')
    .where('last_failed_at', '<', before.toISOString())
    .orderBy('last_failed_at')
    .limit(limit)
  return tx.run(db.deleteFrom('console_sign_in_failures').where('subject_digest', 'in', old))
}
