import type { Reader, Transaction } from '../database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../database/query.ts'
import type { Caller, RestrictedResource } from './caller.ts'
import type { AccessTokenTables } from './tables.ts'

export interface StoredToken {
  caller: Caller
  expiresAt: Date
  /** The application that the token was issued to, if it delegated the token to the caller. */
  delegatorId?: string
}

const db = queryBuilder<AccessTokenTables>()

export const TOKEN_LIFETIME_SECONDS = 3600

export type TokenRow = AccessTokenTables['access_tokens']

const insertToken = prepare((row: TokenRow) => db.insertInto('access_tokens').values({ ...row }))

const upsertToken = prepare((row: TokenRow) =>
  db
    .insertInto('access_tokens')
    .values({ ...row })
    .onConflict((conflict) =>
      conflict.column('token_digest').doUpdateSet({ expires_at: (eb) => eb.ref('excluded.expires_at') }),
    ),
)

const findToken = prepareLookup((params: { digest: string }) =>
  db.selectFrom('access_tokens').selectAll().where('token_digest', '=', params.digest),
)

export async function storeToken(
  tx: Transaction,
  digest: string,
  { caller, expiresAt, delegatorId }: StoredToken,
): Promise<void> {
  const seller = caller.kind === 'seller' ? caller : undefined
  await tx.run(insertToken, {
    token_digest: digest,
    application_id: delegatorId ?? caller.applicationId,
    delegatee_id: delegatorId === undefined ? null : caller.applicationId,
    seller_id: seller?.sellerId ?? null,
    scopes: caller.kind === 'grantless' ? caller.scopes.join(' ') : '',
    restricted_to: seller?.restrictedTo ? JSON.stringify(seller.restrictedTo) : null,
    expires_at: expiresAt.toISOString(),
  })
}

/** The last to expire first. */
export function listLatestTokens(reader: Reader, limit: number): Promise<TokenRow[]> {
  return reader.all(db.selectFrom('access_tokens').selectAll().orderBy('expires_at', 'desc').limit(limit))
}

/** Those that exist already expire when the new rows say. */
export async function insertTokens(tx: Transaction, rows: readonly TokenRow[]): Promise<void> {
  await tx.runEach(upsertToken, rows)
}

export async function loadToken(reader: Reader, digest: string): Promise<StoredToken | undefined> {
  const row = await reader.first(findToken, { digest })
  if (!row) return undefined
  const expiresAt = new Date(row.expires_at)
  const applicationId = row.delegatee_id ?? row.application_id
  const delegation = row.delegatee_id === null ? {} : { delegatorId: row.application_id }
  if (row.seller_id === null) {
    return { caller: { kind: 'grantless', applicationId, scopes: row.scopes.split(' ') }, expiresAt }
  }
  const seller = { kind: 'seller', applicationId, sellerId: row.seller_id } as const
  if (row.restricted_to === null) return { caller: seller, expiresAt }
  const restrictedTo = JSON.parse(row.restricted_to) as RestrictedResource[]
  return { caller: { ...seller, restrictedTo }, expiresAt, ...delegation }
}

/** A part of queries on other tables: when a token expires, or null if it was revoked. */
export const selectExpiry = (digest: string | null) =>
  db
    .selectFrom('access_tokens')
    .select('expires_at')
    .where('token_digest', '=', digest as string)

/** Deletes every token of an authorization, including tokens delegated to other applications. */
export async function revokeSellerTokens(tx: Transaction, applicationId: string, sellerId: string): Promise<void> {
  await tx.run(
    db.deleteFrom('access_tokens').where('application_id', '=', applicationId).where('seller_id', '=', sellerId),
  )
}

/**
 * Deletes up to `limit` of them, and returns their number. There can be thousands, because expired ones are kept for a
 * day.
 */
export function revokeSomeSellerTokens(
  tx: Transaction,
  { applicationId, sellerId }: { applicationId: string; sellerId: string },
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom('access_tokens')
    .select('token_digest')
    .where('application_id', '=', applicationId)
    .where('seller_id', '=', sellerId)
    .limit(limit)
  return tx.run(db.deleteFrom('access_tokens').where('token_digest', 'in', some))
}

const deleteOfApplication = prepare((params: { applicationId: string }) =>
  db.deleteFrom('access_tokens').where('application_id', '=', params.applicationId),
)

/** Deletes every token that was issued to an application. */
export async function revokeApplicationTokens(tx: Transaction, applicationId: string): Promise<void> {
  await tx.run(deleteOfApplication, { applicationId })
}

/** Ends the tokens that applications have delegated to others. */
export async function revokeDelegatedTokens(tx: Transaction, applicationIds: readonly string[]): Promise<void> {
  if (applicationIds.length === 0) return
  await tx.run(
    db.deleteFrom('access_tokens').where('application_id', 'in', applicationIds).where('delegatee_id', 'is not', null),
  )
}

/** Deletes up to `limit` tokens that expired before a time, and returns their number. */
export function deleteExpiredTokens(tx: Transaction, before: Date, limit: number): Promise<number> {
  const expired = db
    .selectFrom('access_tokens')
    .select('token_digest')
    .where('expires_at', '<', before.toISOString())
    .limit(limit)
  return tx.run(db.deleteFrom('access_tokens').where('token_digest', 'in', expired))
}

const expiring = prepare((params: { after: string; limit: number }) =>
  db
    .selectFrom('access_tokens')
    .select(['token_digest', 'application_id', 'delegatee_id', 'seller_id', 'expires_at'])
    .where('expires_at', '>', params.after)
    .orderBy('expires_at')
    .orderBy('token_digest')
    .limit(params.limit),
)

/** The tokens that expire next after a time. */
export async function findExpiringTokens(reader: Reader, after: Date, limit: number) {
  const rows = await reader.all(expiring, { after: after.toISOString(), limit })
  return rows.map((row) => ({
    digest: row.token_digest,
    applicationId: row.delegatee_id ?? row.application_id,
    sellerId: row.seller_id ?? undefined,
    expiresAt: new Date(row.expires_at),
  }))
}

const updateExpiry = prepare((params: { digest: string; expiresAt: string }) =>
  db.updateTable('access_tokens').set({ expires_at: params.expiresAt }).where('token_digest', '=', params.digest),
)

export async function expireToken(tx: Transaction, digest: string, now: Date): Promise<void> {
  await tx.run(updateExpiry, { digest, expiresAt: now.toISOString() })
}

const TOKENS_PER_BATCH = 1_000
/** Sorts after every time that is stored. */
const AFTER_ALL_TIMES = '9999'

const latestBefore = prepare((params: { now: string; expiresAt: string; digest: string; limit: number }) =>
  db
    .selectFrom('access_tokens')
    .select(['token_digest', 'expires_at'])
    .where('expires_at', '>', params.now)
    .where((eb) =>
      eb.or([
        eb('expires_at', '<', params.expiresAt),
        eb.and([eb('expires_at', '=', params.expiresAt), eb('token_digest', '<', params.digest)]),
      ]),
    )
    .orderBy('expires_at', 'desc')
    .orderBy('token_digest', 'desc')
    .limit(params.limit),
)

/** Makes the tokens that are valid now expire later. The latest first, so that none is extended twice. */
export async function extendTokens(tx: Transaction, now: Date, milliseconds: number): Promise<void> {
  let before = { expiresAt: AFTER_ALL_TIMES, digest: '' }
  for (;;) {
    const page = await tx.all(latestBefore, { now: now.toISOString(), ...before, limit: TOKENS_PER_BATCH })
    await tx.runEach(
      updateExpiry,
      page.map(({ token_digest: digest, expires_at }) => ({
        digest,
        expiresAt: new Date(new Date(expires_at).getTime() + milliseconds).toISOString(),
      })),
    )
    const last = page.at(-1)
    if (!last || page.length < TOKENS_PER_BATCH) return
    before = { expiresAt: last.expires_at, digest: last.token_digest }
  }
}
