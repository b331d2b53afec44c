import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import type { ConsoleTables } from '../tables.ts'

/** The right to use the console, of an account or of a user with an operator key. */
export interface StoredSession {
  tokenDigest: string
  account?: { name: string; generation: number }
  keyMark?: string
  createdAt: Date
  lastUsedAt: Date
}

/** Of one account or operator key. A new one ends the oldest. */
const MAX_SESSIONS = 20

const db = queryBuilder<ConsoleTables>()

const byDigest = prepareLookup((params: { tokenDigest: string }) =>
  db.selectFrom('console_sessions').selectAll().where('token_digest', '=', params.tokenDigest),
)

export async function insertSession(tx: Transaction, session: StoredSession): Promise<void> {
  const row = {
    token_digest: session.tokenDigest,
    account_name: session.account?.name ?? null,
    generation: session.account?.generation ?? null,
    key_mark: session.keyMark ?? null,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
  }
  await tx.run(db.insertInto('console_sessions').values(row))
  const beyond = db
    .selectFrom('console_sessions')
    .select('token_digest')
    .where((is) => is.or([is('account_name', '=', row.account_name), is('key_mark', '=', row.key_mark)]))
    // Others may have begun at the same moment.
    .where('token_digest', '!=', row.token_digest)
    .orderBy('created_at', 'desc')
    .limit(MAX_SESSIONS)
    .offset(MAX_SESSIONS - 1)
  await tx.run(db.deleteFrom('console_sessions').where('token_digest', 'in', beyond))
}

export async function findSession(reader: Reader, tokenDigest: string): Promise<StoredSession | undefined> {
  const row = await reader.first(byDigest, { tokenDigest })
  return (
    row && {
      tokenDigest,
      ...(row.account_name !== null && { account: { name: row.account_name, generation: Number(row.generation) } }),
      ...(row.key_mark !== null && { keyMark: row.key_mark }),
      createdAt: new Date(row.created_at),
      lastUsedAt: new Date(row.last_used_at),
    }
  )
}

export async function noteUse(tx: Transaction, tokenDigest: string, now: Date): Promise<void> {
  const set = { last_used_at: now.toISOString() }
  await tx.run(db.updateTable('console_sessions').set(set).where('token_digest', '=', tokenDigest))
}

export async function deleteSession(tx: Transaction, tokenDigest: string): Promise<void> {
  await tx.run(db.deleteFrom('console_sessions').where('token_digest', '=', tokenDigest))
}

/** Deletes at most `limit` sessions that were created before a time. */
export async function deleteSessionsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('console_sessions')
    .select('token_digest')
    .where('created_at', '<', before.toISOString())
    .orderBy('created_at')
    .limit(limit)
  return tx.run(db.deleteFrom('console_sessions').where('token_digest', 'in', old))
}
