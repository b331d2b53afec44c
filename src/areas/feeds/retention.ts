import { createDocumentSweep } from '../../document-requests/document-sweep.ts'
import { daysBefore, oldestRetained } from '../../document-requests/status.ts'
import type { Database } from '../../platform/database/port.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { inSteps } from '../../platform/sweeps.ts'
import { documentKey, type Feed, UNUSED_DOCUMENT_DAYS } from './feed.ts'
import { deleteUnusedDocuments, type FeedDocument, findUnusedDocuments } from './store/document-store.ts'
import { deleteFeeds, findExpiredFeeds } from './store/feed-store.ts'
import { deleteIssuesAfter } from './store/issue-store.ts'

export const createFeedSweep = (documents: DocumentStore) =>
  createDocumentSweep<Feed>(documents, {
    name: 'old feeds',
    expiryOf: oldestRetained,
    find: findExpiredFeeds,
    documentKeysOf: ({ inputDocumentId, resultDocumentId }) =>
      [inputDocumentId, ...(resultDocumentId === undefined ? [] : [resultDocumentId])].map(documentKey),
    deleteParts: deleteIssues,
    delete: deleteFeeds,
  })

/** A feed can have more than a million issues, which one statement cannot delete in time. */
async function deleteIssues(database: Database, feed: Feed, signal: AbortSignal): Promise<void> {
  let after = -1
  await inSteps({ database, signal }, async (tx, limit) => {
    const { last, deleted } = await deleteIssuesAfter(tx, feed, after, limit)
    tx.afterCommit(() => {
      after = last
    })
    return deleted
  })
}

export const createUnusedDocumentSweep = (documents: DocumentStore) =>
  createDocumentSweep<FeedDocument>(documents, {
    name: 'unused feed documents',
    expiryOf: (now) => daysBefore(now, UNUSED_DOCUMENT_DAYS),
    find: findUnusedDocuments,
    documentKeysOf: ({ documentId }) => [documentKey(documentId)],
    delete: deleteUnusedDocuments,
  })
