import { hash } from 'node:crypto'
import type pg from 'pg'
import type { LockMode } from './port.ts'

const LOCK: Record<LockMode, string> = {
  exclusive: 'select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key',
  shared: 'select pg_advisory_xact_lock_shared(key) from unnest($1::bigint[]) as key',
}
const TRY_LOCK = 'select key::text as number, pg_try_advisory_xact_lock(key) as locked from unnest($1::bigint[]) as key'

/** PostgreSQL locks numbers. Two keys with the same number wait for each other, which is harmless. */
const numberOf = (key: string): string => hash('sha256', key, 'buffer').readBigInt64BE(0).toString()

/** In the order of the numbers, so that two transactions never wait for each other. */
const sortedNumbers = (keys: readonly string[]): string[] => [...new Set(keys.map(numberOf))].sort()

export const lockQuery = (keys: readonly string[], mode: LockMode): pg.QueryConfig => ({
  name: `souk_lock_${mode}`,
  text: LOCK[mode],
  values: [sortedNumbers(keys)],
})

export const tryLockQuery = (keys: readonly string[]): pg.QueryConfig => ({
  name: 'souk_try_lock',
  text: TRY_LOCK,
  values: [sortedNumbers(keys)],
})

/** The keys that `tryLockQuery` has locked. */
export function lockedKeys(keys: readonly string[], rows: readonly { number: string; locked: boolean }[]): Set<string> {
  const locked = new Set(rows.flatMap((row) => (row.locked ? row.number : [])))
  return new Set(keys.filter((key) => locked.has(numberOf(key))))
}
