import { retentionFloor } from '../../document-requests/status.ts'
import { inSteps, type Sweep } from '../../marketplace/housekeeping.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { documentKey } from './report.ts'
import { deleteReports, findReportsBefore } from './store.ts'

const REPORTS_IN_ONE_GO = 100

/** Removes reports that are too old to be seen, with their documents. */
export function createReportSweep(documents: DocumentStore): Sweep {
  return {
    what: 'old reports',
    sweep: ({ database, clock }, signal) =>
      inSteps(signal, REPORTS_IN_ONE_GO, async (limit) => {
        const reports = await database.read((reader) => findReportsBefore(reader, retentionFloor(clock.now()), limit))
        // The document goes first: a crash in between leaves a row that finds it again, not a document nobody knows.
        const gone: typeof reports = []
        for (const report of reports) {
          // A store that takes seconds for each must not hold up the end of the process.
          if (signal.aborted) break
          if (report.documentId !== undefined) await documents.delete(documentKey(report.documentId))
          gone.push(report)
        }
        if (gone.length > 0) await database.transact((tx) => deleteReports(tx, gone))
        return gone.length
      }),
  }
}
