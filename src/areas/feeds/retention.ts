import { daysBefore, retentionFloor } from '../../document-requests/status.ts'
import { inSteps, type Sweep } from '../../marketplace/housekeeping.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { documentKey, UNUSED_DOCUMENT_DAYS } from './feed.ts'
import { deleteUnused, findUnusedBefore } from './store/document-store.ts'
import { deleteFeeds, findFeedsBefore } from './store/feed-store.ts'

const IN_ONE_GO = 100

/** Removes feeds that are too old to be seen, with all that belongs to them. */
export function createFeedSweep(documents: DocumentStore): Sweep {
  return {
    what: 'old feeds',
    sweep: ({ database, clock }, signal) =>
      inSteps(signal, IN_ONE_GO, async (limit) => {
        const feeds = await database.read((reader) => findFeedsBefore(reader, retentionFloor(clock.now()), limit))
        // Documents go first: a crash in between leaves a row that finds them again, not a document nobody knows.
        const gone: typeof feeds = []
        for (const feed of feeds) {
          if (signal.aborted) break
          const { inputDocumentId, resultDocumentId } = feed
          await documents.delete(documentKey(inputDocumentId))
          if (resultDocumentId !== undefined) await documents.delete(documentKey(resultDocumentId))
          gone.push(feed)
        }
        if (gone.length > 0) await database.transact((tx) => deleteFeeds(tx, gone))
        return gone.length
      }),
  }
}

/** Removes documents that nobody has made a feed of. */
export function createUnusedDocumentSweep(documents: DocumentStore): Sweep {
  return {
    what: 'unused feed documents',
    sweep: ({ database, clock }, signal) =>
      inSteps(signal, IN_ONE_GO, async (limit) => {
        const before = daysBefore(clock.now(), UNUSED_DOCUMENT_DAYS)
        const unused = await database.read((reader) => findUnusedBefore(reader, before, limit))
        const gone: typeof unused = []
        for (const document of unused) {
          if (signal.aborted) break
          await documents.delete(documentKey(document.documentId))
          gone.push(document)
        }
        if (gone.length > 0) await database.transact((tx) => deleteUnused(tx, gone))
        return gone.length
      }),
  }
}
