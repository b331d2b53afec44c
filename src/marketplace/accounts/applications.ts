import { type Static, Type } from 'typebox'
import { CONSOLE_APPLICATION } from '../../platform/auth/caller.ts'
import { isSameDigest } from '../../platform/auth/digest.ts'
import { selectExpiry } from '../../platform/auth/token-store.ts'
import type { Database, Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { ApplicationId, Name, QueueArn, strict } from '../schema.ts'
import type { AccountTables } from './tables.ts'

// One statement looks up the delegatees of a whole batch of applications.
const MAX_DELEGATEES = 20

/** The restricted roles of the live service, by which an application of the newer APIs sees personal data of buyers. */
export const ROLES = ['DIRECT_TO_CONSUMER_SHIPPING', 'TAX_INVOICING', 'TAX_REMITTANCE'] as const
export type Role = (typeof ROLES)[number]

const MAX_REDIRECT_URIS = 20

/** Plain HTTP only on the machine of the browser, where no one else can read the code. */
export const RedirectUri = Type.String({
  maxLength: 1000,
  pattern: '^(https://[^\\s/?#@\\\\]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?)([/?][^\\s#]*)?$',
  description: 'https, or http on localhost; without a fragment',
})

export const Application = Type.Object(
  {
    applicationId: ApplicationId,
    name: Name,
    delegatees: Type.Optional(
      Type.Array(ApplicationId, {
        maxItems: MAX_DELEGATEES,
        uniqueItems: true,
        description: 'Applications that it may delegate access to restricted data to',
      }),
    ),
    roles: Type.Optional(
      Type.Array(Type.Enum(ROLES), {
        maxItems: ROLES.length,
        uniqueItems: true,
        description: 'What decides which personal data of buyers it sees in orders of version 2026-01-01',
      }),
    ),
    redirectUris: Type.Optional(
      Type.Array(RedirectUri, {
        maxItems: MAX_REDIRECT_URIS,
        uniqueItems: true,
        description: 'Where it receives the authorization codes of sellers',
      }),
    ),
    secretQueues: Type.Optional(
      Type.Object(
        { newSecret: Type.Optional(QueueArn), secretExpiry: Type.Optional(QueueArn) },
        {
          ...strict,
          description: 'Queues that receive client secrets it created itself, and warnings before they expire',
        },
      ),
    ),
  },
  strict,
)
export type Application = Static<typeof Application>

export interface PreviousSecret {
  digest: string
  /** The end of the overlap, at the latest when it expires. */
  endsAt: Date
  expiresAt?: Date
}

/** The secrets of an application, as digests. */
export interface ClientSecrets {
  applicationId: string
  clientSecretDigest: string
  /** Absent for a secret that the operator created: it does not expire. */
  clientSecretExpiresAt?: Date
  /** The replaced secret, valid together with the new one until it expires. */
  previousSecret?: PreviousSecret
}

/** What a client sends when it requests a token, and the token that it may get again. */
export interface TokenClientKey {
  clientId: string
  refreshTokenDigest: string | null
  recentTokenDigest: string | null
}

/** A client that requests a token. */
export interface TokenClient {
  secrets: ClientSecrets
  /** The seller whose refresh token it sent, if that was issued to this client. */
  sellerId: string | undefined
  /** When the recent token expires. Undefined if it was revoked. */
  recentTokenExpiresAt: string | undefined
}

/** An application with its public credentials and the digest of its secret. */
export interface RegisteredApplication extends Application, ClientSecrets {
  clientId: string
  signingKeyId: string
  /** Valid together with the new one until it expires, as the replaced secret is. */
  previousSigningKey?: { keyId: string; endsAt: Date }
}

const db = queryBuilder<AccountTables>()

const SECRET_COLUMNS = [
  'client_secret_digest',
  'client_secret_expires_at',
  'previous_secret_digest',
  'previous_secret_ends_at',
  'previous_secret_expires_at',
] as const

const findByClientId = prepareLookup((params: TokenClientKey) =>
  db
    .selectFrom('applications')
    .leftJoin('refresh_tokens', (join) =>
      join
        .onRef('refresh_tokens.application_id', '=', 'applications.application_id')
        .on('token_digest', '=', params.refreshTokenDigest),
    )
    .select(['applications.application_id', 'seller_id', ...SECRET_COLUMNS])
    .select(selectExpiry(params.recentTokenDigest).as('recent_token_expires_at'))
    .where('client_id', '=', params.clientId),
)

const findRolesById = prepareLookup((params: { applicationId: string }) =>
  db.selectFrom('applications').select('roles').where('application_id', '=', params.applicationId),
)

export async function findRoles(reader: Reader, applicationId: string): Promise<Role[]> {
  const row = await reader.first(findRolesById, { applicationId })
  return row ? JSON.parse(row.roles) : []
}

export async function upsertApplications(
  tx: Transaction,
  applications: readonly RegisteredApplication[],
): Promise<void> {
  if (applications.some(({ applicationId }) => applicationId === CONSOLE_APPLICATION)) {
    throw invalidParameter('applicationId', `must not be ${CONSOLE_APPLICATION}, which is that of the console`)
  }
  await upsertMany(tx, 'applications', ['application_id'], applications.map(toRow))
}

const updateSecret = prepare((params: { applicationId: string; digest: string }) =>
  db
    .updateTable('applications')
    .set({
      client_secret_digest: params.digest,
      client_secret_expires_at: null,
      previous_secret_digest: null,
      previous_secret_ends_at: null,
      previous_secret_expires_at: null,
    })
    .where('application_id', '=', params.applicationId),
)

/**
 * Ends all secrets of an application but a new one, which does not expire. Returns false if there is no such
 * application.
 */
export async function replaceSecrets(tx: Transaction, applicationId: string, digest: string): Promise<boolean> {
  return (await tx.run(updateSecret, { applicationId, digest })) === 1
}

export async function findApplication(
  reader: Reader,
  applicationId: string,
): Promise<RegisteredApplication | undefined> {
  return (await findApplications(reader, [applicationId]))[0]
}

export async function findApplications(
  reader: Reader,
  applicationIds: readonly string[],
): Promise<RegisteredApplication[]> {
  if (applicationIds.length === 0) return []
  const query = db
    .selectFrom('applications')
    .selectAll()
    .where('application_id', 'in', [...applicationIds])
  return (await reader.all(query)).map(fromRow)
}

/** Finds what a request for a token is checked against, with one statement: clients request tokens often. */
export async function findTokenClient(reader: Reader, key: TokenClientKey): Promise<TokenClient | undefined> {
  const row = await reader.first(findByClientId, key)
  return row && toTokenClient(row)
}

/** Returns undefined if the database cannot read synchronously: fall back to findTokenClient. */
export function peekTokenClient(database: Database, key: TokenClientKey): TokenClient | undefined {
  const row = database.peek(findByClientId, key)
  return row && toTokenClient(row)
}

type TokenClientRow = SecretsRow & { seller_id: string | null; recent_token_expires_at: string | null }

const toTokenClient = (row: TokenClientRow): TokenClient => ({
  secrets: secretsOf(row),
  sellerId: row.seller_id ?? undefined,
  recentTokenExpiresAt: row.recent_token_expires_at ?? undefined,
})

export async function listApplications(reader: Reader, page: PageRequest): Promise<RegisteredApplication[]> {
  let query = db.selectFrom('applications').selectAll().orderBy('application_id').limit(page.limit)
  if (page.after) query = query.where('application_id', '>', page.after[0] as string)
  return (await reader.all(query)).map(fromRow)
}

export const isClientSecretOf = (secrets: ClientSecrets, secretDigest: string, now: Date): boolean =>
  validSecretDigests(secrets, now).some((valid) => isSameDigest(secretDigest, valid))

/** The current secret until it expires, and the previous one during an overlap. */
export function validSecretDigests(secrets: ClientSecrets, now: Date): string[] {
  const { clientSecretDigest, previousSecret } = secrets
  const digests = isSecretExpired(secrets, now) ? [] : [clientSecretDigest]
  if (previousSecret && previousSecret.endsAt > now) digests.push(previousSecret.digest)
  return digests
}

/** Whether the current secret has expired. */
const isSecretExpired = ({ clientSecretExpiresAt }: ClientSecrets, now: Date): boolean =>
  clientSecretExpiresAt !== undefined && clientSecretExpiresAt <= now

/** Accepts the current signing key, and the previous key until it expires. */
export function isSigningKeyOf(application: RegisteredApplication, accessKeyId: string, now: Date): boolean {
  const { signingKeyId, previousSigningKey } = application
  if (accessKeyId === signingKeyId) return true
  return previousSigningKey?.keyId === accessKeyId && previousSigningKey.endsAt > now
}

const toRow = (application: RegisteredApplication): AccountTables['applications'] => ({
  application_id: application.applicationId,
  name: application.name,
  client_id: application.clientId,
  client_secret_digest: application.clientSecretDigest,
  client_secret_expires_at: application.clientSecretExpiresAt?.toISOString() ?? null,
  signing_key_id: application.signingKeyId,
  delegatees: JSON.stringify(application.delegatees ?? []),
  roles: JSON.stringify(application.roles ?? []),
  previous_secret_digest: application.previousSecret?.digest ?? null,
  previous_secret_ends_at: application.previousSecret?.endsAt.toISOString() ?? null,
  previous_secret_expires_at: application.previousSecret?.expiresAt?.toISOString() ?? null,
  previous_signing_key_id: application.previousSigningKey?.keyId ?? null,
  previous_signing_key_ends_at: application.previousSigningKey?.endsAt.toISOString() ?? null,
  secret_queues: JSON.stringify(application.secretQueues ?? {}),
  redirect_uris: JSON.stringify(application.redirectUris ?? []),
})

function fromRow(row: AccountTables['applications']): RegisteredApplication {
  const delegatees: string[] = JSON.parse(row.delegatees)
  const roles: Role[] = JSON.parse(row.roles)
  const redirectUris: string[] = JSON.parse(row.redirect_uris)
  const secretQueues: NonNullable<Application['secretQueues']> = JSON.parse(row.secret_queues)
  const { previous_signing_key_id: keyId } = row
  return {
    ...secretsOf(row),
    name: row.name,
    clientId: row.client_id,
    signingKeyId: row.signing_key_id,
    ...(delegatees.length > 0 && { delegatees }),
    ...(roles.length > 0 && { roles }),
    ...(redirectUris.length > 0 && { redirectUris }),
    ...(Object.keys(secretQueues).length > 0 && { secretQueues }),
    ...(keyId !== null && { previousSigningKey: { keyId, endsAt: new Date(row.previous_signing_key_ends_at ?? 0) } }),
  }
}

type SecretsRow = Pick<AccountTables['applications'], 'application_id' | (typeof SECRET_COLUMNS)[number]>

function secretsOf(row: SecretsRow): ClientSecrets {
  const { previous_secret_digest: digest, client_secret_expires_at: expiresAt } = row
  return {
    applicationId: row.application_id,
    clientSecretDigest: row.client_secret_digest,
    ...(expiresAt !== null && { clientSecretExpiresAt: new Date(expiresAt) }),
    ...(digest !== null && { previousSecret: previousSecretOf(digest, row) }),
  }
}

const previousSecretOf = (digest: string, row: SecretsRow): PreviousSecret => ({
  digest,
  endsAt: new Date(row.previous_secret_ends_at ?? 0),
  ...(row.previous_secret_expires_at !== null && { expiresAt: new Date(row.previous_secret_expires_at) }),
})
