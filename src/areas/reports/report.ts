export const REPORT_STATUSES = ['IN_QUEUE', 'IN_PROGRESS', 'DONE', 'CANCELLED', 'FATAL'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]

/** Which status may follow which. Nothing follows the last three. */
const followers: Record<ReportStatus, readonly ReportStatus[]> = {
  IN_QUEUE: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['DONE', 'CANCELLED', 'FATAL'],
  DONE: [],
  CANCELLED: [],
  FATAL: [],
}

export const mayFollow = (before: ReportStatus, after: ReportStatus) => followers[before].includes(after)

/** Those that have a document to fetch. */
export const hasDocument = (status: ReportStatus) => status === 'DONE'

/** What a report is about: whose data, of where and when. */
export interface ReportSubject {
  sellerId: string
  reportType: string
  marketplaceIds: readonly string[]
  options: Readonly<Record<string, string>>
  dataStartAt: Date
  dataEndAt: Date
}

export interface Report extends ReportSubject {
  reportId: string
  status: ReportStatus
  createdAt: Date
  scheduleId?: string
  startedAt?: Date
  endedAt?: Date
  documentId?: string
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
export const KEPT_DAYS = 90

export const daysBefore = (moment: Date, days: number) => new Date(moment.getTime() - days * DAY_MILLISECONDS)

/** Reports that were made before this moment are gone, swept or not. */
export const retentionFloor = (now: Date) => daysBefore(now, KEPT_DAYS)

/** Times as this part of the interface writes them: to the second, with the offset. */
export const toWireTime = (moment: Date) => `${moment.toISOString().slice(0, 19)}+00:00`

/** Where a report's document lies in the store. */
export const documentKey = (documentId: string) => `reports/${documentId}`
