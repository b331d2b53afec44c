import { type Static, Type } from 'typebox'
import type { Reader, Transaction } from '../platform/database/port.ts'
import { prepare, queryBuilder } from '../platform/database/query.ts'
import { upsertMany } from '../platform/database/upsert.ts'
import type { PageRequest } from '../platform/paging.ts'
import { ApplicationId, Name, strict } from './shapes.ts'
import type { MarketplaceTables } from './tables.ts'

export const Application = Type.Object({ applicationId: ApplicationId, name: Name }, strict)
export type Application = Static<typeof Application>

/** An application with the public halves of its credentials and the digest of its secret. */
export interface RegisteredApplication extends Application {
  clientId: string
  clientSecretDigest: string
  signingKeyId: string
}

const db = queryBuilder<MarketplaceTables>()

const findByClientId = prepare((params: { clientId: string }) =>
  db.selectFrom('applications').selectAll().where('client_id', '=', params.clientId),
)

export async function upsertApplications(
  tx: Transaction,
  applications: readonly RegisteredApplication[],
): Promise<void> {
  await upsertMany(tx, 'applications', ['application_id'], applications.map(toRow))
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

export async function findApplicationByClientId(
  reader: Reader,
  clientId: string,
): Promise<RegisteredApplication | undefined> {
  const row = await reader.first(findByClientId, { clientId })
  return row && fromRow(row)
}

export async function listApplications(reader: Reader, page: PageRequest): Promise<RegisteredApplication[]> {
  let query = db.selectFrom('applications').selectAll().orderBy('application_id').limit(page.limit)
  if (page.after) query = query.where('application_id', '>', page.after[0] as string)
  return (await reader.all(query)).map(fromRow)
}

const toRow = (application: RegisteredApplication): MarketplaceTables['applications'] => ({
  application_id: application.applicationId,
  name: application.name,
  client_id: application.clientId,
  client_secret_digest: application.clientSecretDigest,
  signing_key_id: application.signingKeyId,
})

const fromRow = (row: MarketplaceTables['applications']): RegisteredApplication => ({
  applicationId: row.application_id,
  name: row.name,
  clientId: row.client_id,
  clientSecretDigest: row.client_secret_digest,
  signingKeyId: row.signing_key_id,
})
