import { createDocumentSweep } from '../../document-requests/document-sweep.ts'
import { daysBefore, oldestRetained } from '../../document-requests/status.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { documentKey, type Feed, UNUSED_DOCUMENT_DAYS } from './feed.ts'
import { deleteUnusedDocuments, type FeedDocument, findUnusedDocuments } from './store/document-store.ts'
import { deleteFeeds, findExpiredFeeds } from './store/feed-store.ts'

export const createFeedSweep = (documents: DocumentStore) =>
  createDocumentSweep<Feed>(documents, {
    name: 'old feeds',
    expiryOf: oldestRetained,
    find: findExpiredFeeds,
    documentKeysOf: ({ inputDocumentId, resultDocumentId }) =>
      [inputDocumentId, ...(resultDocumentId === undefined ? [] : [resultDocumentId])].map(documentKey),
    delete: deleteFeeds,
  })

export const createUnusedDocumentSweep = (documents: DocumentStore) =>
  createDocumentSweep<FeedDocument>(documents, {
    name: 'unused feed documents',
    expiryOf: (now) => daysBefore(now, UNUSED_DOCUMENT_DAYS),
    find: findUnusedDocuments,
    documentKeysOf: ({ documentId }) => [documentKey(documentId)],
    delete: deleteUnusedDocuments,
  })
