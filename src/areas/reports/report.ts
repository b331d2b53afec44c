import type { ProcessingStatus } from '../../document-requests/status.ts'

/** The statuses in which a report has a document. */
export const hasDocument = (status: ProcessingStatus) => status === 'DONE'

export interface ReportSubject {
  sellerId: string
  /** The application that created the report. Unknown for reports of earlier versions. */
  applicationId?: string
  reportType: string
  marketplaceIds: readonly string[]
  options: Readonly<Record<string, string>>
  dataStartAt: Date
  dataEndAt: Date
}

export interface Report extends ReportSubject {
  reportId: string
  status: ProcessingStatus
  createdAt: Date
  scheduleId?: string
  startedAt?: Date
  endedAt?: Date
  documentId?: string
}

/** The key of a report's document in the document store. */
export const documentKey = (documentId: string) => `reports/${documentId}`
