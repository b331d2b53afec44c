import { oldestRetained } from '../../document-requests/status.ts'
import { inSteps, type Sweep } from '../../marketplace/housekeeping.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { documentKey } from './report.ts'
import { deleteReports, findExpiredReports } from './store.ts'

const REPORTS_PER_STEP = 100

/** Removes reports that are too old to be seen, with their documents. */
export function createReportSweep(documents: DocumentStore): Sweep {
  return {
    name: 'old reports',
    sweep: ({ database, clock }, signal) =>
      inSteps(signal, REPORTS_PER_STEP, async (limit) => {
        const reports = await database.read((reader) => findExpiredReports(reader, oldestRetained(clock.now()), limit))
        // The document goes first: a crash in between leaves a row that finds it again, not a document nobody knows.
        const deleted: typeof reports = []
        for (const report of reports) {
          // A store that takes seconds for each must not hold up the end of the process.
          if (signal.aborted) break
          if (report.documentId !== undefined) await documents.delete(documentKey(report.documentId))
          deleted.push(report)
        }
        if (deleted.length > 0) await database.transact((tx) => deleteReports(tx, deleted))
        return deleted.length
      }),
  }
}
