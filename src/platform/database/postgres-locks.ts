import { hash } from 'node:crypto'
import { BoundedMap } from '../bounded-map.ts'
import type { LockMode } from './port.ts'
import { prepared, type Statement } from './postgres-batch.ts'

const LOCK: Record<LockMode, Statement> = {
  exclusive: prepared('select pg_advisory_xact_lock($1::int, id) from unnest($2::int[]) as id'),
  shared: prepared('select pg_advisory_xact_lock_shared($1::int, id) from unnest($2::int[]) as id'),
}
// Most transactions lock one key of a kind. Without a list to scan, that takes half the time.
const LOCK_ONE: Record<LockMode, Statement> = {
  exclusive: prepared('select pg_advisory_xact_lock($1::int, $2::int)'),
  shared: prepared('select pg_advisory_xact_lock_shared($1::int, $2::int)'),
}
const TRY_LOCK = prepared('select id, pg_try_advisory_xact_lock($1::int, id) as locked from unnest($2::int[]) as id')

/**
 * The locks of all transactions share a table of PostgreSQL that has place for about 13,000 by default. Keys with the same
 * number wait for each other, which is harmless within a kind.
 */
const NUMBERS_PER_KIND = 4096

// Computing one takes as long as sending the lock.
const knownHashes = new BoundedMap<string, number>(10_000)

/** The same in all processes and versions, which share the locks. */
function hashOf(text: string): number {
  const known = knownHashes.get(text)
  if (known !== undefined) return known
  const computed = hash('sha256', text, 'buffer').readInt32BE(0)
  knownHashes.set(text, computed)
  return computed
}

const numberOf = (key: string): number => (hashOf(key) >>> 0) % NUMBERS_PER_KIND

/** In the order of the numbers, so that two transactions never wait for each other. */
const sortedNumbers = (keys: readonly string[]) => [...new Set(keys.map(numberOf))].sort((a, b) => a - b)

/** The advisory locks of a transaction. What it has locked, it does not lock again. */
export class PostgresLocks {
  readonly #held = new Map<string, LockMode>()

  /** Returns undefined if all keys are locked. */
  lockQuery(kind: string, keys: readonly string[], mode: LockMode): Statement | undefined {
    const missing = sortedNumbers(keys).filter((number) => {
      const held = this.#held.get(idOf(kind, number))
      return held !== 'exclusive' && held !== mode
    })
    for (const number of missing) this.#held.set(idOf(kind, number), mode)
    if (missing.length > 1) return toQuery(LOCK[mode], kind, missing)
    return missing.length === 0 ? undefined : { ...LOCK_ONE[mode], values: [hashOf(kind), missing[0]] }
  }

  tryLockQuery(kind: string, keys: readonly string[]): Statement {
    return toQuery(TRY_LOCK, kind, sortedNumbers(keys))
  }

  /** The keys that `tryLockQuery` has locked. */
  lockedKeys(keys: readonly string[], rows: readonly { id: number; locked: boolean }[]): Set<string> {
    const locked = new Set(rows.flatMap((row) => (row.locked ? row.id : [])))
    return new Set(keys.filter((key) => locked.has(numberOf(key))))
  }
}

const idOf = (kind: string, number: number) => `${kind} ${number}`

const toQuery = (statement: Statement, kind: string, numbers: readonly number[]): Statement => ({
  ...statement,
  values: [hashOf(kind), numbers],
})
