import type { Reader, Transaction } from '../database/port.ts'
import { prepare, queryBuilder } from '../database/query.ts'
import type { Caller, RestrictedResource } from './caller.ts'

export interface AccessTokenTables {
  access_tokens: {
    token_digest: string
    application_id: string
    /** Null for a grantless token. */
    seller_id: string | null
    scopes: string
    /** JSON; null unless it is a restricted data token. */
    restricted_to: string | null
    expires_at: string
  }
}

export interface StoredToken {
  caller: Caller
  expiresAt: Date
}

const db = queryBuilder<AccessTokenTables>()

const insertToken = prepare((token: AccessTokenTables['access_tokens']) =>
  db.insertInto('access_tokens').values({
    token_digest: token.token_digest,
    application_id: token.application_id,
    seller_id: token.seller_id,
    scopes: token.scopes,
    restricted_to: token.restricted_to,
    expires_at: token.expires_at,
  }),
)

const findToken = prepare((params: { digest: string }) =>
  db.selectFrom('access_tokens').selectAll().where('token_digest', '=', params.digest),
)

export async function storeToken(tx: Transaction, digest: string, { caller, expiresAt }: StoredToken): Promise<void> {
  const seller = caller.kind === 'seller' ? caller : undefined
  await tx.run(insertToken, {
    token_digest: digest,
    application_id: caller.applicationId,
    seller_id: seller?.sellerId ?? null,
    scopes: caller.kind === 'grantless' ? caller.scopes.join(' ') : '',
    restricted_to: seller?.restrictedTo ? JSON.stringify(seller.restrictedTo) : null,
    expires_at: expiresAt.toISOString(),
  })
}

export async function loadToken(reader: Reader, digest: string): Promise<StoredToken | undefined> {
  const row = await reader.first(findToken, { digest })
  if (!row) return undefined
  const expiresAt = new Date(row.expires_at)
  const applicationId = row.application_id
  if (row.seller_id === null) {
    return { caller: { kind: 'grantless', applicationId, scopes: row.scopes.split(' ') }, expiresAt }
  }
  const seller = { kind: 'seller', applicationId, sellerId: row.seller_id } as const
  if (row.restricted_to === null) return { caller: seller, expiresAt }
  return { caller: { ...seller, restrictedTo: JSON.parse(row.restricted_to) as RestrictedResource[] }, expiresAt }
}

export async function revokeSellerTokens(tx: Transaction, applicationId: string, sellerId: string): Promise<void> {
  await tx.run(
    db.deleteFrom('access_tokens').where('seller_id', '=', sellerId).where('application_id', '=', applicationId),
  )
}

/** Deletes up to `limit` tokens that expired before the moment given, and answers how many there were. */
export function deleteExpiredTokens(tx: Transaction, before: Date, limit: number): Promise<number> {
  const expired = db
    .selectFrom('access_tokens')
    .select('token_digest')
    .where('expires_at', '<', before.toISOString())
    .limit(limit)
  return tx.run(db.deleteFrom('access_tokens').where('token_digest', 'in', expired))
}
