import { createDocumentSweep } from '../../document-requests/document-sweep.ts'
import { oldestRetained } from '../../document-requests/status.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { documentKey, type Report } from './report.ts'
import { deleteReports, findExpiredReports } from './store.ts'

export const createReportSweep = (documents: DocumentStore) =>
  createDocumentSweep<Report>(documents, {
    name: 'old reports',
    expiryOf: oldestRetained,
    find: findExpiredReports,
    documentKeysOf: ({ documentId }) => (documentId === undefined ? [] : [documentKey(documentId)]),
    delete: deleteReports,
  })
