import { requireParticipation } from '../../marketplace/participation.ts'
import { denied, isRestricted, type SellerCaller } from '../../platform/auth/caller.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import { parseMoment } from '../../platform/moments.ts'
import { decodePageToken, encodePageToken } from '../../platform/paging.ts'
import { type QueueDependencies, queueReport } from './queue.ts'
import {
  daysBefore,
  documentKey,
  hasDocument,
  type ReportSubject,
  retentionFloor,
  type Report as StoredReport,
  toWireTime,
} from './report.ts'
import {
  type CreateReportBody,
  GetReportsQuery,
  type GetReportsResult,
  type Report,
  type ReportDocument,
} from './schema.ts'
import { findReport, findReportOfDocument, listReports, moveReport, type ReportFilter } from './store.ts'
import { type ReportType, reportTypes } from './types/index.ts'

export interface ReportsDependencies extends QueueDependencies {
  database: Database
  jobs: JobQueue
  documents: DocumentStore
}

export type ReportOperations = ReturnType<typeof createReportOperations>

const DEFAULT_PAGE_SIZE = 10
const TOKEN_PARTS = 8
const FILTERS = Object.keys(GetReportsQuery.properties).filter(
  (name) => name !== 'nextToken',
) as (keyof GetReportsQuery)[]

export function createReportOperations(dependencies: ReportsDependencies) {
  const { database, clock, jobs, documents } = dependencies

  return {
    async createReport({ sellerId }: SellerCaller, input: CreateReportBody): Promise<{ reportId: string }> {
      const type = requireReportType(input.reportType)
      const subject: ReportSubject = {
        sellerId,
        reportType: input.reportType,
        marketplaceIds: [...new Set(input.marketplaceIds)],
        options: input.reportOptions ?? {},
        ...dataWindow(type, input, clock.now()),
      }
      const reportId = await database.transact(async (tx) => {
        await requireParticipation(tx, sellerId, subject.marketplaceIds)
        return queueReport(tx, dependencies, subject)
      })
      jobs.wake()
      return { reportId }
    },

    async getReport({ sellerId }: SellerCaller, reportId: string): Promise<Report> {
      return represent(await database.read((reader) => requireReport(reader, sellerId, reportId)))
    },

    async getReports({ sellerId }: SellerCaller, query: GetReportsQuery): Promise<GetReportsResult> {
      const { filter, pageSize, before } = readListing(query)
      const found = await database.read((reader) =>
        listReports(reader, sellerId, filter, { limit: pageSize + 1, ...(before && { before }) }),
      )
      const reports = found.slice(0, pageSize)
      const last = reports.at(-1)
      return {
        reports: reports.map(represent),
        ...(found.length > pageSize && last && { nextToken: writeToken(filter, pageSize, last) }),
      }
    },

    async cancelReport({ sellerId }: SellerCaller, reportId: string): Promise<void> {
      await database.transact(async (tx) => {
        const { status } = await requireReport(tx, sellerId, reportId)
        if (status !== 'IN_QUEUE') {
          const details = `The report is ${status}: only one that is IN_QUEUE can be cancelled.`
          throw new ApiError('InvalidInput', 'The report cannot be cancelled any more.', details)
        }
        await moveReport(tx, { sellerId, reportId }, 'CANCELLED')
      })
    },

    async getReportDocument(
      caller: SellerCaller,
      documentId: string,
      { body, contentEncoding }: { body: unknown; contentEncoding: boolean },
    ): Promise<ReportDocument> {
      requireContentType(body)
      const report = await database.read((reader) => findReportOfDocument(reader, caller.sellerId, documentId))
      if (!report || !hasDocument(report.status) || isGone(report)) {
        throw new ApiError('InvalidInput', 'The request has an invalid reportDocumentId.')
      }
      const type = reportTypes.get(report.reportType)
      if (type?.restricted && !isRestricted(caller)) {
        throw denied('This report tells of buyers: its document takes a restricted data token.')
      }
      const url = await documents.presignGet(documentKey(documentId), {
        contentType: type?.contentType ?? 'application/octet-stream',
        ...(contentEncoding && { contentEncoding: 'gzip' }),
      })
      return { reportDocumentId: documentId, url, compressionAlgorithm: 'GZIP' }
    },
  }

  async function requireReport(reader: Reader, sellerId: string, reportId: string): Promise<StoredReport> {
    const report = await findReport(reader, { sellerId, reportId })
    if (report && !isGone(report)) return report
    throw new ApiError('NotFound', 'The report was not found.', `The seller has no report ${reportId}.`)
  }

  function isGone(report: StoredReport): boolean {
    return report.createdAt < retentionFloor(clock.now())
  }

  /** The moment, or the first that can still be seen: reports may be gone and not swept yet. */
  function notGone(moment: Date): Date {
    const floor = retentionFloor(clock.now())
    return moment < floor ? floor : moment
  }

  function readListing(query: GetReportsQuery) {
    const { nextToken } = query
    if (nextToken === undefined) return readFilter(query)
    const other = FILTERS.find((name) => query[name] !== undefined)
    if (other !== undefined) throw invalidParameter(other, 'must not be there together with nextToken')
    const page = readToken(nextToken)
    return { ...page, filter: { ...page.filter, since: notGone(page.filter.since) } }
  }

  function readFilter(query: GetReportsQuery) {
    if (!query.reportTypes) throw invalidParameter('reportTypes', 'is required, or nextToken')
    const since = query.createdSince === undefined ? retentionFloor(clock.now()) : parseMoment(query.createdSince)
    const until = query.createdUntil === undefined ? clock.now() : parseMoment(query.createdUntil)
    if (since > until) throw invalidParameter('createdSince', 'must not be after createdUntil')
    const filter: ReportFilter = {
      reportTypes: query.reportTypes,
      statuses: query.processingStatuses ?? [],
      marketplaceIds: query.marketplaceIds ?? [],
      since: notGone(since),
      until,
    }
    return { filter, pageSize: query.pageSize ?? DEFAULT_PAGE_SIZE, before: undefined }
  }
}

/** Throws unless it is a type that can be asked for. */
export function requireReportType(name: string): ReportType {
  const type = reportTypes.get(name)
  if (type) return type
  throw new ApiError('InvalidInput', 'The request has an invalid report type.')
}

/** Which time the report covers. The end is now unless stated; the start depends on the type. */
function dataWindow(type: ReportType, input: CreateReportBody, now: Date) {
  const dataEndAt = input.dataEndTime === undefined ? now : parseMoment(input.dataEndTime)
  const dataStartAt =
    input.dataStartTime === undefined ? daysBefore(dataEndAt, type.defaultDays ?? 0) : parseMoment(input.dataStartTime)
  if (dataStartAt > dataEndAt) throw invalidParameter('dataStartTime', 'must not be after dataEndTime')
  return { dataStartAt, dataEndAt }
}

/** The specification's example sends a body and says what it must hold. No real client sends one. */
function requireContentType(body: unknown): void {
  if (body === undefined) return
  const { contentType } = (body ?? {}) as { contentType?: unknown }
  if (typeof contentType === 'string' && contentType !== '') return
  throw new ApiError('InvalidInput', 'One or more required parameters are missing.', 'contentType is missing.')
}

const represent = (report: StoredReport): Report => ({
  reportId: report.reportId,
  reportType: report.reportType,
  marketplaceIds: [...report.marketplaceIds],
  processingStatus: report.status,
  createdTime: toWireTime(report.createdAt),
  dataStartTime: toWireTime(report.dataStartAt),
  dataEndTime: toWireTime(shownEnd(report)),
  ...(report.scheduleId !== undefined && { reportScheduleId: report.scheduleId }),
  ...(report.startedAt && { processingStartTime: toWireTime(report.startedAt) }),
  ...(report.endedAt && { processingEndTime: toWireTime(report.endedAt) }),
  ...(report.documentId !== undefined && hasDocument(report.status) && { reportDocumentId: report.documentId }),
})

/** A scheduled report leaves out the very moment at which its period ends: that is in the next one. */
const shownEnd = ({ scheduleId, dataEndAt }: StoredReport) =>
  scheduleId === undefined ? dataEndAt : new Date(dataEndAt.getTime() + 1)

/** The token says all that the first call said: the next one carries nothing else. */
function writeToken(filter: ReportFilter, pageSize: number, last: StoredReport): string {
  return encodePageToken([
    filter.reportTypes.join(','),
    filter.statuses.join(','),
    filter.marketplaceIds.join(','),
    filter.since.toISOString(),
    filter.until.toISOString(),
    String(pageSize),
    last.createdAt.toISOString(),
    last.reportId,
  ])
}

function readToken(token: string) {
  const [types = '', statuses = '', places = '', since = '', until = '', size = '', createdAt = '', reportId = ''] =
    decodePageToken(token, TOKEN_PARTS)
  const pageSize = Number(size)
  const filter: ReportFilter = {
    reportTypes: list(types),
    statuses: list(statuses),
    marketplaceIds: list(places),
    since: new Date(since),
    until: new Date(until),
  }
  const whole =
    filter.reportTypes.length > 0 &&
    filter.marketplaceIds.every((id) => /^[A-Z0-9]+$/.test(id)) &&
    Number.isInteger(pageSize) &&
    pageSize >= 1 &&
    pageSize <= 100 &&
    !Number.isNaN(filter.since.getTime()) &&
    !Number.isNaN(filter.until.getTime())
  if (!whole) throw invalidParameter('nextToken', 'is not one that this service issued')
  return { filter, pageSize, before: [createdAt, reportId] as const }
}

const list = (text: string) => (text === '' ? [] : text.split(','))
