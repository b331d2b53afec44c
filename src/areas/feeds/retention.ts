import { daysBefore, oldestRetained } from '../../document-requests/status.ts'
import { inSteps, type Sweep } from '../../marketplace/housekeeping.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { documentKey, UNUSED_DOCUMENT_DAYS } from './feed.ts'
import { deleteUnusedDocuments, findUnusedDocuments } from './store/document-store.ts'
import { deleteFeeds, findExpiredFeeds } from './store/feed-store.ts'

const ROWS_PER_STEP = 100

/** Removes feeds that are too old to be seen, with all that belongs to them. */
export function createFeedSweep(documents: DocumentStore): Sweep {
  return {
    name: 'old feeds',
    sweep: ({ database, clock }, signal) =>
      inSteps(signal, ROWS_PER_STEP, async (limit) => {
        const feeds = await database.read((reader) => findExpiredFeeds(reader, oldestRetained(clock.now()), limit))
        // Documents go first: a crash in between leaves a row that finds them again, not a document nobody knows.
        const deleted: typeof feeds = []
        for (const feed of feeds) {
          if (signal.aborted) break
          const { inputDocumentId, resultDocumentId } = feed
          await documents.delete(documentKey(inputDocumentId))
          if (resultDocumentId !== undefined) await documents.delete(documentKey(resultDocumentId))
          deleted.push(feed)
        }
        if (deleted.length > 0) await database.transact((tx) => deleteFeeds(tx, deleted))
        return deleted.length
      }),
  }
}

/** Removes documents that nobody has made a feed of. */
export function createUnusedDocumentSweep(documents: DocumentStore): Sweep {
  return {
    name: 'unused feed documents',
    sweep: ({ database, clock }, signal) =>
      inSteps(signal, ROWS_PER_STEP, async (limit) => {
        const before = daysBefore(clock.now(), UNUSED_DOCUMENT_DAYS)
        const unused = await database.read((reader) => findUnusedDocuments(reader, before, limit))
        const deleted: typeof unused = []
        for (const document of unused) {
          if (signal.aborted) break
          await documents.delete(documentKey(document.documentId))
          deleted.push(document)
        }
        if (deleted.length > 0) await database.transact((tx) => deleteUnusedDocuments(tx, deleted))
        return deleted.length
      }),
  }
}
