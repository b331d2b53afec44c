import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isOneOf } from '../../platform/database/tuples.ts'
import type { UploadTables } from './tables.ts'
import type { UploadDestination } from './upload.ts'

const db = queryBuilder<UploadTables>()
type Row = UploadTables['upload_destinations']

const insert = prepare((row: Row) => db.insertInto('upload_destinations').values({ ...row }))

export async function insertUploadDestination(tx: Transaction, destination: UploadDestination): Promise<void> {
  await tx.run(insert, {
    seller_id: destination.sellerId,
    upload_destination_id: destination.uploadDestinationId,
    application_id: destination.applicationId,
    marketplace_id: destination.marketplaceId,
    resource: destination.resource,
    content_type: destination.contentType ?? null,
    content_md5: destination.contentMd5,
    created_at: destination.createdAt.toISOString(),
  })
}

export type UploadKey = Pick<UploadDestination, 'sellerId' | 'uploadDestinationId'>

/** Finds destinations of all sellers. */
export async function findOldUploads(
  reader: Reader,
  before: Date,
  { limit, skip }: { limit: number; skip: number },
): Promise<UploadKey[]> {
  const query = db
    .selectFrom('upload_destinations')
    .select(['seller_id as sellerId', 'upload_destination_id as uploadDestinationId'])
    .where('created_at', '<', before.toISOString())
    .orderBy('created_at')
    .orderBy('upload_destination_id')
    .limit(limit)
    .offset(skip)
  return reader.all(query)
}

export async function deleteUploads(tx: Transaction, uploads: readonly UploadKey[]): Promise<void> {
  const keys = uploads.map(({ sellerId, uploadDestinationId }) => [sellerId, uploadDestinationId])
  await tx.run(db.deleteFrom('upload_destinations').where(isOneOf(['seller_id', 'upload_destination_id'], keys)))
}
