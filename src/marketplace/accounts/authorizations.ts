import { type Static, Type } from 'typebox'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isOneOf } from '../../platform/database/tuples.ts'
import { prepareInserts, upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { ApplicationId, SellerId, strict } from '../schema.ts'
import type { AccountTables } from './tables.ts'

/** A seller authorizes an application. */
export const Authorization = Type.Object({ sellerId: SellerId, applicationId: ApplicationId }, strict)
export type Authorization = Static<typeof Authorization>

export interface AuthorizationCode extends Authorization {
  redirectUri: string | null
  expiresAt: Date
}

export const CODE_LIFETIME_SECONDS = 300

const db = queryBuilder<AccountTables>()

const findByRefreshToken = prepareLookup((params: { digest: string }) =>
  db.selectFrom('refresh_tokens').selectAll().where('token_digest', '=', params.digest),
)

const findExisting = prepareLookup((params: Authorization) =>
  db
    .selectFrom('authorizations')
    .selectAll()
    .where('seller_id', '=', params.sellerId)
    .where('application_id', '=', params.applicationId),
)

export async function addAuthorizations(
  tx: Transaction,
  authorizations: readonly (Authorization & { authorizedAt?: string })[],
  now: Date,
): Promise<void> {
  const rows = authorizations.map(({ sellerId, applicationId, authorizedAt }) => ({
    seller_id: sellerId,
    application_id: applicationId,
    authorized_at: authorizedAt ?? now.toISOString(),
  }))
  await upsertMany(tx, 'authorizations', ['seller_id', 'application_id'], rows)
}

/** Whether what an application has left to be done for a seller may be done. What has no application is the seller's own. */
export async function isStillAuthorized(
  reader: Reader,
  { sellerId, applicationId }: { sellerId: string; applicationId?: string | undefined },
): Promise<boolean> {
  return applicationId === undefined || (await findAuthorization(reader, { sellerId, applicationId })) !== undefined
}

export async function findAuthorization(reader: Reader, key: Authorization) {
  const row = await reader.first(findExisting, key)
  return row && { ...fromRow(row), authorizedAt: row.authorized_at }
}

/** Finds the oldest authorization of a seller. */
export async function findFirstAuthorization(reader: Reader, sellerId: string): Promise<Authorization | undefined> {
  const query = db
    .selectFrom('authorizations')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .orderBy('authorized_at')
    .orderBy('application_id')
    .limit(1)
  const row = await reader.first(query)
  return row && fromRow(row)
}

export async function findAuthorizations(reader: Reader, keys: readonly Authorization[]) {
  const pairs = keys.map(({ sellerId, applicationId }) => [sellerId, applicationId])
  const query = db
    .selectFrom('authorizations')
    .selectAll()
    .where(isOneOf(['seller_id', 'application_id'], pairs))
  return (await reader.all(query)).map((row) => ({ ...fromRow(row), authorizedAt: row.authorized_at }))
}

export async function listAuthorizations(reader: Reader, page: PageRequest) {
  let query = db
    .selectFrom('authorizations')
    .selectAll()
    .orderBy('seller_id')
    .orderBy('application_id')
    .limit(page.limit)
  if (page.after) query = query.where(isAfter(['seller_id', 'application_id'], page.after))
  return (await reader.all(query)).map((row) => ({ ...fromRow(row), authorizedAt: row.authorized_at }))
}

/** Deletes an authorization with its refresh tokens and codes. Returns false if there is none. */
export async function deleteAuthorization(tx: Transaction, { sellerId, applicationId }: Authorization) {
  const query = db
    .deleteFrom('authorizations')
    .where('seller_id', '=', sellerId)
    .where('application_id', '=', applicationId)
  return (await tx.run(query)) === 1
}

const deletions = (['refresh_tokens', 'authorization_codes'] as const).map((table) =>
  prepare((params: Authorization) =>
    db.deleteFrom(table).where('seller_id', '=', params.sellerId).where('application_id', '=', params.applicationId),
  ),
)

/** Deletes the refresh tokens and codes of an authorization. */
export async function deleteGrants(tx: Transaction, authorization: Authorization): Promise<void> {
  for (const deletion of deletions) await tx.run(deletion, authorization)
}

const insertRefreshTokens = prepareInserts<AccountTables['refresh_tokens']>('refresh_tokens', {
  existing: ['token_digest'],
})

export async function addRefreshTokens(
  tx: Transaction,
  tokens: readonly (Authorization & { tokenDigest: string })[],
): Promise<void> {
  const rows = tokens.map(({ tokenDigest, sellerId, applicationId }) => ({
    token_digest: tokenDigest,
    seller_id: sellerId,
    application_id: applicationId,
  }))
  await insertRefreshTokens(tx, rows)
}

export async function findRefreshToken(reader: Reader, digest: string): Promise<Authorization | undefined> {
  const row = await reader.first(findByRefreshToken, { digest })
  return row && fromRow(row)
}

/** Lists the digests of the refresh tokens of authorizations, sorted. */
export async function listRefreshTokens(
  reader: Reader,
  authorizations: readonly Authorization[],
): Promise<(Authorization & { tokenDigest: string })[]> {
  if (authorizations.length === 0) return []
  const pairs = authorizations.map(({ sellerId, applicationId }) => [sellerId, applicationId])
  const query = db
    .selectFrom('refresh_tokens')
    .selectAll()
    .where(isOneOf(['seller_id', 'application_id'], pairs))
    .orderBy('token_digest')
  return (await reader.all(query)).map((row) => ({ ...fromRow(row), tokenDigest: row.token_digest }))
}

/** Stores a code that is valid for a short time. */
export async function issueAuthorizationCode(
  tx: Transaction,
  digest: string,
  code: Omit<AuthorizationCode, 'expiresAt'>,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_SECONDS * 1000)
  const row = {
    code_digest: digest,
    seller_id: code.sellerId,
    application_id: code.applicationId,
    redirect_uri: code.redirectUri,
    expires_at: expiresAt.toISOString(),
  }
  await tx.run(db.insertInto('authorization_codes').values(row))
}

/** Deletes the code in the same statement, so that it works only once. */
export async function takeAuthorizationCode(tx: Transaction, digest: string): Promise<AuthorizationCode | undefined> {
  const row = await tx.first(db.deleteFrom('authorization_codes').where('code_digest', '=', digest).returningAll())
  return row && { ...fromRow(row), redirectUri: row.redirect_uri, expiresAt: new Date(row.expires_at) }
}

const expiring = prepare((params: { after: string; limit: number }) =>
  db
    .selectFrom('authorization_codes')
    .select(['code_digest', 'seller_id', 'application_id', 'expires_at'])
    .where('expires_at', '>', params.after)
    .orderBy('expires_at')
    .orderBy('code_digest')
    .limit(params.limit),
)

/** The codes that expire next after a time. */
export async function findExpiringCodes(reader: Reader, after: Date, limit: number) {
  const rows = await reader.all(expiring, { after: after.toISOString(), limit })
  return rows.map((row) => ({ ...fromRow(row), digest: row.code_digest, expiresAt: new Date(row.expires_at) }))
}

export function deleteExpiredCodes(tx: Transaction, now: Date, limit: number): Promise<number> {
  const expired = db
    .selectFrom('authorization_codes')
    .select('code_digest')
    .where('expires_at', '<', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  return tx.run(db.deleteFrom('authorization_codes').where('code_digest', 'in', expired))
}

const fromRow = (row: { seller_id: string; application_id: string }): Authorization => ({
  sellerId: row.seller_id,
  applicationId: row.application_id,
})
