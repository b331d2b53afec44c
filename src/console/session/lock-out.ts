import { isIPv6 } from 'node:net'
import type { StoredConsoleAccount } from '../../marketplace/accounts/console-accounts.ts'
import { digest } from '../../platform/auth/digest.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { ConsoleTables } from '../tables.ts'

const MINUTE = 60_000
/** Of an account from one network: others cannot lock its user out from elsewhere. */
const MAX_PAIR_FAILURES = 5
/** Of an account from all networks together. */
const MAX_ACCOUNT_FAILURES = 100
/** More than for an account, because the users of an office have one address. */
const MAX_NETWORK_FAILURES = 20
/**
 * Failures are counted for this time from the first one on. Also the duration of the first lock; each further one takes
 * twice as long.
 */
const LOCK_MINUTES = 15
const MAX_LOCK_MINUTES = 4 * 60
/** After this time without failures, the next lock is a first one again. */
export const MEMORY_MINUTES = 24 * 60

/** What failures are counted for. */
export interface Subject {
  digest: string
  maxFailures: number
}

const subjectOf = (parts: readonly unknown[], maxFailures: number): Subject => ({
  digest: digest(JSON.stringify(parts)),
  maxFailures,
})

/**
 * Of an account, also of one that does not exist: a lock must not reveal which do. A change of the account, such as a new
 * password, begins another generation, for which no failures are counted yet.
 */
export function accountSubjects(name: string, account: StoredConsoleAccount | undefined, address: string): Subject[] {
  const parts = ['account', name, account?.createdAt, account?.generation]
  return [subjectOf([...parts, networkOf(address)], MAX_PAIR_FAILURES), subjectOf(parts, MAX_ACCOUNT_FAILURES)]
}

/** Of wrong passwords for any accounts. */
export const networkSubject = (address: string): Subject =>
  subjectOf(['network', networkOf(address)], MAX_NETWORK_FAILURES)

/** Apart from passwords: a guess of a key costs its sender nothing, and must not lock the accounts of a network. */
export const keySubject = (address: string): Subject =>
  subjectOf(['operator key', networkOf(address)], MAX_NETWORK_FAILURES)

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
  const minutesSince = (time: string | null | undefined) =>
    time ? (now.getTime() - Date.parse(time)) / MINUTE : Number.POSITIVE_INFINITY
  const counted = before && minutesSince(before.counted_since) < LOCK_MINUTES ? before : undefined
  const failures = Number(counted?.failures ?? 0) + 1
  const locks = before && minutesSince(before.last_failed_at) < MEMORY_MINUTES ? Number(before.locks) : 0
  const row = { subject_digest: subject, last_failed_at: now.toISOString() }
  if (failures < maxFailures) {
    const counted_since = counted?.counted_since ?? now.toISOString()
    return { ...row, failures, counted_since, locks, locked_until: before?.locked_until ?? null }
  }
  const minutes = Math.min(LOCK_MINUTES * 2 ** locks, MAX_LOCK_MINUTES)
  return {
    ...row,
    failures: 0,
    counted_since: null,
    locks: locks + 1,
    locked_until: new Date(now.getTime() + minutes * MINUTE).toISOString(),
  }
}

/** After a sign-in. */
export async function forgetFailures(tx: Transaction, subjects: readonly Subject[]): Promise<void> {
  const digests = subjects.map((one) => one.digest)
  await tx.run(db.deleteFrom('console_sign_in_failures').where('subject_digest', 'in', digests))
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
