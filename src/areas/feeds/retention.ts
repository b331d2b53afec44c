import { sweepDocuments } from '../../document-requests/document-sweep.ts'
import { daysBefore, oldestRetained } from '../../document-requests/status.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import type { Sweep } from '../../platform/sweeps.ts'
import { documentKey, type Feed, UNUSED_DOCUMENT_DAYS } from './feed.ts'
import { deleteUnusedDocuments, type FeedDocument, findUnusedDocuments } from './store/document-store.ts'
import { deleteFeeds, findExpiredFeeds } from './store/feed-store.ts'

/** Removes feeds that are too old to be seen, with all that belongs to them. */
export function createFeedSweep(documents: DocumentStore): Sweep {
  return {
    name: 'old feeds',
    sweep: ({ database, clock }, signal) =>
      sweepDocuments<Feed>(
        documents,
        {
          find: (limit, skip) =>
            database.read((reader) => findExpiredFeeds(reader, oldestRetained(clock.now()), { limit, skip })),
          documentsOf: ({ inputDocumentId, resultDocumentId }) =>
            [inputDocumentId, ...(resultDocumentId === undefined ? [] : [resultDocumentId])].map(documentKey),
          delete: (feeds) => database.transact((tx) => deleteFeeds(tx, feeds)),
        },
        signal,
      ),
  }
}

/** Removes documents that nobody has made a feed of. */
export function createUnusedDocumentSweep(documents: DocumentStore): Sweep {
  return {
    name: 'unused feed documents',
    sweep: ({ database, clock }, signal) =>
      sweepDocuments<FeedDocument>(
        documents,
        {
          find: (limit, skip) => {
            const before = daysBefore(clock.now(), UNUSED_DOCUMENT_DAYS)
            return database.read((reader) => findUnusedDocuments(reader, before, { limit, skip }))
          },
          documentsOf: ({ documentId }) => [documentKey(documentId)],
          delete: (unused) => database.transact((tx) => deleteUnusedDocuments(tx, unused)),
        },
        signal,
      ),
  }
}
