import type { ProcessingStatus } from '../../document-requests/status.ts'

/** Those that have a document to fetch. */
export const hasDocument = (status: ProcessingStatus) => status === 'DONE'

/** What a report is about: whose data, of where and when. */
export interface ReportSubject {
  sellerId: string
  /** The application that asked for it. Unknown for those of earlier versions. */
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

/** Where a report's document lies in the store. */
export const documentKey = (documentId: string) => `reports/${documentId}`
