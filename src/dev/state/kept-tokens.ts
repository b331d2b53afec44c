import { findApplications } from '../../marketplace/accounts/applications.ts'
import { findAuthorizations } from '../../marketplace/accounts/authorizations.ts'
import { insertTokens, listValidTokens, type TokenRow } from '../../platform/auth/token-store.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { MAX_TUPLES } from '../../platform/database/tuples.ts'

/** More than the clients of a test run have, and as many as one statement finds the owners of. Those that expire last are kept. */
const MAX_KEPT = MAX_TUPLES

/** Replaces the state, and keeps the access tokens that are valid before, for as long as they had left. */
export async function keepTokensAcross(
  { database, clock }: { database: Database; clock: Clock },
  replaceState: () => Promise<void>,
): Promise<void> {
  const before = clock.now()
  const kept = await database.read((reader) => listValidTokens(reader, before, MAX_KEPT))
  await replaceState()
  if (kept.length === 0) return
  const moved = clock.now().getTime() - before.getTime()
  const later = (time: string) => new Date(new Date(time).getTime() + moved).toISOString()
  await database.transact(async (tx) => {
    const owned = await withExistingOwner(tx, kept)
    await insertTokens(
      tx,
      owned.map((row) => ({ ...row, expires_at: later(row.expires_at) })),
    )
  })
}

/** The new state may lack the application or the authorization of a token. */
async function withExistingOwner(reader: Reader, rows: readonly TokenRow[]): Promise<TokenRow[]> {
  const ofSellers = rows.flatMap(({ application_id: applicationId, seller_id: sellerId }) =>
    sellerId === null ? [] : [{ applicationId, sellerId }],
  )
  const grantless = rows.flatMap(({ application_id, seller_id }) => (seller_id === null ? [application_id] : []))
  const owner = (applicationId: string, sellerId: string | null) => JSON.stringify([applicationId, sellerId])
  const authorizations = ofSellers.length > 0 ? await findAuthorizations(reader, ofSellers) : []
  const existing = new Set([
    ...authorizations.map((found) => owner(found.applicationId, found.sellerId)),
    ...(await findApplications(reader, grantless)).map(({ applicationId }) => owner(applicationId, null)),
  ])
  return rows.filter(({ application_id, seller_id }) => existing.has(owner(application_id, seller_id)))
}
