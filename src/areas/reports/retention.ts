import { sweepDocuments } from '../../document-requests/document-sweep.ts'
import { oldestRetained } from '../../document-requests/status.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import type { Sweep } from '../../platform/sweeps.ts'
import { documentKey, type Report } from './report.ts'
import { deleteReports, findExpiredReports } from './store.ts'

/** Removes reports that are too old to be seen, with their documents. */
export function createReportSweep(documents: DocumentStore): Sweep {
  return {
    name: 'old reports',
    sweep: ({ database, clock }, signal) =>
      sweepDocuments<Report>(
        documents,
        {
          find: (limit, skip) =>
            database.read((reader) => findExpiredReports(reader, oldestRetained(clock.now()), { limit, skip })),
          documentsOf: ({ documentId }) => (documentId === undefined ? [] : [documentKey(documentId)]),
          delete: (reports) => database.transact((tx) => deleteReports(tx, reports)),
        },
        signal,
      ),
  }
}
