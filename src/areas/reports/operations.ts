import { parseListQuery, toListPage } from '../../document-requests/list-query.ts'
import { daysBefore, oldestRetained, toWireTime } from '../../document-requests/status.ts'
import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import {
  denied,
  mayReadPersonalData,
  requireCreator,
  type SellerCaller,
  withRestrictedToken,
} from '../../platform/auth/caller.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { withFields, withNearestOf } from '../../platform/errors/explanation.ts'
import type { Readings } from '../../platform/readings.ts'
import { rankSimilar } from '../../platform/similar-words.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import { finishReport } from './finish-report.ts'
import { enqueueReport, type ReportQueueDependencies } from './queue.ts'
import { documentKey, hasDocument, type ReportSubject, type Report as StoredReport } from './report.ts'
import type { CreateReportBody, GetReportsQuery, GetReportsResult, Report, ReportDocument } from './schema.ts'
import { findReport, findReportByDocument, listReports } from './store.ts'
import { type ReportType, reportTypes } from './types/index.ts'

export interface ReportsDependencies extends ReportQueueDependencies {
  database: Database
  documents: DocumentStore
  readings: Pick<Readings, 'contentType'>
}

export type ReportOperations = ReturnType<typeof createReportOperations>

export function createReportOperations(dependencies: ReportsDependencies) {
  const { database, clock, documents, readings } = dependencies

  return {
    async createReport(
      { sellerId, applicationId }: SellerCaller,
      input: CreateReportBody,
    ): Promise<{ reportId: string }> {
      const type = requireReportType(input.reportType)
      const subject: ReportSubject = {
        sellerId,
        applicationId,
        reportType: input.reportType,
        marketplaceIds: [...new Set(input.marketplaceIds)],
        options: input.reportOptions ?? {},
        ...dataWindow(type, input, clock.now()),
      }
      const reportId = await database.transact(async (tx) => {
        await requireParticipation(tx, sellerId, subject.marketplaceIds)
        return enqueueReport(tx, dependencies, subject)
      })
      return { reportId }
    },

    async getReport({ sellerId }: SellerCaller, reportId: string): Promise<Report> {
      return renderReport(await database.read((reader) => requireReport(reader, sellerId, reportId)))
    },

    async getReports({ sellerId }: SellerCaller, query: GetReportsQuery): Promise<GetReportsResult> {
      const request = parseListQuery(
        query,
        { parameter: 'reportTypes', names: query.reportTypes, example: 'GET_MERCHANT_LISTINGS_ALL_DATA' },
        clock.now(),
      )
      const found = await database.read((reader) => listReports(reader, sellerId, request))
      const { items, ...next } = toListPage(found, request, ({ reportId }) => reportId)
      return { reports: items.map(renderReport), ...next }
    },

    async cancelReport(caller: SellerCaller, reportId: string): Promise<void> {
      const { sellerId } = caller
      await database.transact(async (tx) => {
        const { status, applicationId } = await requireReport(tx, sellerId, reportId)
        requireCreator(caller, applicationId, 'report')
        if (status !== 'IN_QUEUE') {
          const details = `The report is ${status}: only a report IN_QUEUE can be cancelled.`
          throw new ApiError('InvalidInput', 'The report can no longer be cancelled.', details, {
            explain: () => ({
              rule: 'Only a report that is IN_QUEUE can be cancelled.',
              facts: { reportId, processingStatus: status },
              noNearest: 'A report that has left the queue does not return to it.',
            }),
          })
        }
        await finishReport(tx, dependencies, { sellerId, reportId }, 'CANCELLED')
      })
    },

    async getReportDocument(
      caller: SellerCaller,
      documentId: string,
      { body, contentEncoding }: { body: unknown; contentEncoding: boolean },
    ): Promise<ReportDocument> {
      requireContentType(body, readings.contentType)
      const report = await database.read((reader) => findReportByDocument(reader, caller.sellerId, documentId))
      if (!report || !hasDocument(report.status) || isExpired(report)) {
        throw new ApiError('InvalidInput', 'The request has an invalid reportDocumentId.', '', {
          reason: `The seller has no report document ${documentId}: getReport names the document of a report that is DONE.`,
          missing: { kind: 'reportDocumentId', id: documentId },
        })
      }
      const type = reportTypes.get(report.reportType)
      if (type?.restricted && !mayReadPersonalData(caller)) {
        throw denied(
          'This report contains personal data of buyers: its document requires a restricted data token.',
          undefined,
          () => ({
            facts: { reportType: report.reportType, kind: 'access token' },
            change: withRestrictedToken(`GET /reports/2021-06-30/documents/${documentId}`),
          }),
        )
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
    if (report && !isExpired(report)) return report
    throw new ApiError('NotFound', 'The report was not found.', `The seller has no report ${reportId}.`, {
      missing: { kind: 'reportId', id: reportId },
    })
  }

  function isExpired(report: StoredReport): boolean {
    return report.createdAt < oldestRetained(clock.now())
  }
}

/** Throws unless the type is supported. */
export function requireReportType(name: string): ReportType {
  const type = reportTypes.get(name)
  if (type) return type
  throw new ApiError('InvalidInput', 'The request has an invalid report type.', '', {
    reason: explainUnknownType(name),
    field: 'reportType',
    explain: withNearestOf('reportType', name, [...reportTypes.keys()]),
  })
}

/** Lists the most similar types first, because the reason header truncates a long list. */
function explainUnknownType(name: string): string {
  const known = rankSimilar(name, [...reportTypes.keys()]).map(({ candidate }) => candidate)
  return `There is no report type ${name}. Supported types: ${known.join(', ')}.`
}

/** Returns the period of a report. Default: until now, starting as its type defines. */
function dataWindow(type: ReportType, input: CreateReportBody, now: Date) {
  const dataEndAt = input.dataEndTime === undefined ? now : parseTimestamp(input.dataEndTime)
  const dataStartAt =
    input.dataStartTime === undefined
      ? daysBefore(dataEndAt, type.defaultDays ?? 0)
      : parseTimestamp(input.dataStartTime)
  if (dataStartAt > dataEndAt) {
    const explain = withFields({ dataStartTime: input.dataEndTime ?? toWireTime(dataEndAt) })
    throw invalidParameter('dataStartTime', 'must not be after dataEndTime', explain)
  }
  return { dataStartAt, dataEndAt }
}

/** The specification has an example with a body and its required content. No real client sends one. */
function requireContentType(body: unknown, reading: Readings['contentType']): void {
  if (body === undefined && reading === 'lenient') return
  const { contentType } = (body ?? {}) as { contentType?: unknown }
  if (typeof contentType === 'string' && contentType !== '') return
  throw new ApiError('InvalidInput', 'One or more required parameters are missing.', 'contentType is missing.', {
    field: 'contentType',
    explain: () => ({ change: { body: { '': { contentType: 'text/plain' } } } }),
  })
}

const renderReport = (report: StoredReport): Report => ({
  reportId: report.reportId,
  reportType: report.reportType,
  marketplaceIds: [...report.marketplaceIds],
  processingStatus: report.status,
  createdTime: toWireTime(report.createdAt),
  dataStartTime: toWireTime(report.dataStartAt),
  dataEndTime: toWireTime(reportedEnd(report)),
  ...(report.scheduleId !== undefined && { reportScheduleId: report.scheduleId }),
  ...(report.startedAt && { processingStartTime: toWireTime(report.startedAt) }),
  ...(report.endedAt && { processingEndTime: toWireTime(report.endedAt) }),
  ...(report.documentId !== undefined && hasDocument(report.status) && { reportDocumentId: report.documentId }),
})

/** A scheduled report excludes the end of its period, which belongs to the next report. */
const reportedEnd = ({ scheduleId, dataEndAt }: StoredReport) =>
  scheduleId === undefined ? dataEndAt : new Date(dataEndAt.getTime() + 1)
