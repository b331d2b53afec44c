import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isOneOf } from '../../../platform/database/tuples.ts'
import type { FeedTables } from '../tables.ts'

const db = queryBuilder<FeedTables>()

export interface FeedDocument {
  sellerId: string
  documentId: string
  /** The application that may use the document. Absent for documents of earlier versions. */
  applicationId?: string
  contentType: string
  createdAt: Date
  /** Id of the feed that uses the document. */
  usedBy?: string
}

export async function insertDocument(tx: Transaction, document: FeedDocument): Promise<void> {
  await tx.run(
    db.insertInto('feed_documents').values({
      seller_id: document.sellerId,
      document_id: document.documentId,
      application_id: document.applicationId ?? null,
      content_type: document.contentType,
      created_at: document.createdAt.toISOString(),
      used_by: document.usedBy ?? null,
    }),
  )
}

export async function findDocument(
  reader: Reader,
  sellerId: string,
  documentId: string,
): Promise<FeedDocument | undefined> {
  const query = db
    .selectFrom('feed_documents')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('document_id', '=', documentId)
  const row = await reader.first(query)
  return row && fromRow(row)
}

/** Ids of the documents that an application may use for a feed of the seller, newest first. */
export async function listUnusedDocumentIds(
  reader: Reader,
  { sellerId, applicationId }: { sellerId: string; applicationId: string },
  { createdSince, limit }: { createdSince: Date; limit: number },
): Promise<string[]> {
  const query = db
    .selectFrom('feed_documents')
    .select('document_id')
    .where('seller_id', '=', sellerId)
    .where('application_id', '=', applicationId)
    .where('used_by', 'is', null)
    .where('created_at', '>=', createdSince.toISOString())
  return (await reader.all(query.orderBy('created_at', 'desc').limit(limit))).map((row) => row.document_id)
}

/** Returns false if another feed already uses the document. */
export async function claimDocument(
  tx: Transaction,
  { sellerId, documentId, feedId }: { sellerId: string; documentId: string; feedId: string },
): Promise<boolean> {
  const update = db
    .updateTable('feed_documents')
    .set({ used_by: feedId })
    .where('seller_id', '=', sellerId)
    .where('document_id', '=', documentId)
    .where('used_by', 'is', null)
  return (await tx.run(update)) === 1
}

/** Finds documents of all sellers that are not used by any feed. */
export async function findUnusedDocuments(
  reader: Reader,
  before: Date,
  { limit, skip }: { limit: number; skip: number },
): Promise<FeedDocument[]> {
  const query = db
    .selectFrom('feed_documents')
    .selectAll()
    .where('used_by', 'is', null)
    .where('created_at', '<', before.toISOString())
    .orderBy('created_at')
    .orderBy('document_id')
    .limit(limit)
    .offset(skip)
  return (await reader.all(query)).map(fromRow)
}

export async function deleteUnusedDocuments(tx: Transaction, documents: readonly FeedDocument[]): Promise<void> {
  const keys = documents.map(({ sellerId, documentId }) => [sellerId, documentId])
  const unused = db.deleteFrom('feed_documents').where('used_by', 'is', null)
  await tx.run(unused.where(isOneOf(['seller_id', 'document_id'], keys)))
}

const fromRow = (row: FeedTables['feed_documents']): FeedDocument => ({
  sellerId: row.seller_id,
  documentId: row.document_id,
  ...(row.application_id !== null && { applicationId: row.application_id }),
  contentType: row.content_type,
  createdAt: new Date(row.created_at),
  ...(row.used_by !== null && { usedBy: row.used_by }),
})
