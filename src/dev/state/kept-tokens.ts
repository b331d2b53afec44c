import { findApplications } from '../../marketplace/accounts/applications.ts'
import { type Authorization, findAuthorizations } from '../../marketplace/accounts/authorizations.ts'
import {
  insertTokens,
  listLatestTokens,
  TOKEN_LIFETIME_SECONDS,
  type TokenRow,
} from '../../platform/auth/token-store.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { chunks, MAX_TUPLES } from '../../platform/database/tuples.ts'

/** More than a test run requests within an hour. Those that expire last are kept. */
const MAX_KEPT = 100_000
const LIFETIME_MILLISECONDS = TOKEN_LIFETIME_SECONDS * 1000

/**
 * Replaces the state, and keeps access tokens: those that are valid before, for as long as they have left, and those
 * that have expired only because a test moved the clock, which the new state moves back.
 */
export async function keepTokensAcross(
  { database, clock }: { database: Database; clock: Clock },
  replaceState: () => Promise<void>,
): Promise<void> {
  const before = clock.now().getTime()
  const kept = await database.read((reader) => listLatestTokens(reader, MAX_KEPT))
  await replaceState()
  if (kept.length === 0) return
  const after = clock.now().getTime()
  const valid = kept.flatMap((row) => {
    const expiresAt = new Date(row.expires_at).getTime()
    const left = expiresAt - (expiresAt > before ? before : after)
    return left > 0
      ? [{ ...row, expires_at: new Date(after + Math.min(left, LIFETIME_MILLISECONDS)).toISOString() }]
      : []
  })
  await database.transact(async (tx) => insertTokens(tx, await withExistingOwner(tx, valid)))
}

/** The new state may lack the application, the authorization or the delegation of a token. */
async function withExistingOwner(reader: Reader, rows: readonly TokenRow[]): Promise<TokenRow[]> {
  const idOf = ({ applicationId, sellerId }: Authorization) => JSON.stringify([applicationId, sellerId])
  const authorizationOf = ({ application_id: applicationId, seller_id: sellerId }: TokenRow) =>
    sellerId === null ? undefined : { applicationId, sellerId }
  const wanted = new Map(rows.flatMap((row) => authorizationOf(row) ?? []).map((one) => [idOf(one), one]))
  const authorized = new Set<string>()
  for (const some of chunks([...wanted.values()], MAX_TUPLES)) {
    for (const found of await findAuthorizations(reader, some)) authorized.add(idOf(found))
  }
  const delegatees = new Map<string, readonly string[]>()
  for (const some of chunks([...new Set(rows.map(({ application_id }) => application_id))], MAX_TUPLES)) {
    for (const found of await findApplications(reader, some))
      delegatees.set(found.applicationId, found.delegatees ?? [])
  }
  return rows.filter((row) => {
    const authorization = authorizationOf(row)
    if (authorization && !authorized.has(idOf(authorization))) return false
    const allowed = delegatees.get(row.application_id)
    return allowed !== undefined && (row.delegatee_id === null || allowed.includes(row.delegatee_id))
  })
}
