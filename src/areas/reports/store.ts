import { type ListRequest, listConditions } from '../../document-requests/list-query.ts'
import { type ProcessingStatus, previousStatuses } from '../../document-requests/status.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import { isOneOf } from '../../platform/database/tuples.ts'
import type { Report } from './report.ts'
import type { ReportTables } from './tables.ts'

const db = queryBuilder<ReportTables>()
type Row = ReportTables['reports']

export type ReportKey = Pick<Report, 'sellerId' | 'reportId'>

const findById = prepareLookup((params: { sellerId: string; reportId: string }) =>
  db
    .selectFrom('reports')
    .selectAll()
    .where('seller_id', '=', params.sellerId)
    .where('report_id', '=', params.reportId),
)

const findByDocument = prepareLookup((params: { sellerId: string; documentId: string }) =>
  db
    .selectFrom('reports')
    .selectAll()
    .where('seller_id', '=', params.sellerId)
    .where('document_id', '=', params.documentId),
)

/** Returns false if the seller already has a report with the id. */
export async function insertReport(tx: Transaction, report: Report): Promise<boolean> {
  const insert = db
    .insertInto('reports')
    .values(toRow(report))
    .onConflict((conflict) => conflict.doNothing())
  return (await tx.run(insert)) === 1
}

export async function findReport(reader: Reader, { sellerId, reportId }: ReportKey): Promise<Report | undefined> {
  const row = await reader.first(findById, { sellerId, reportId })
  return row && fromRow(row)
}

export async function findReportByDocument(
  reader: Reader,
  sellerId: string,
  documentId: string,
): Promise<Report | undefined> {
  const row = await reader.first(findByDocument, { sellerId, documentId })
  return row && fromRow(row)
}

/** Lists a page of reports and one more, newest first. */
export async function listReports(reader: Reader, sellerId: string, request: ListRequest): Promise<Report[]> {
  const query = db
    .selectFrom('reports')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where(listConditions(request, { id: 'report_id', type: 'report_type' }))
    .orderBy('created_at', 'desc')
    .orderBy('report_id', 'desc')
    .limit(request.pageSize + 1)
  return (await reader.all(query)).map(fromRow)
}

/** Changes the status of a report. Returns false if the transition is not allowed. */
export async function updateReportStatus(
  tx: Transaction,
  { sellerId, reportId }: ReportKey,
  status: ProcessingStatus,
  changes: Partial<Pick<Report, 'startedAt' | 'endedAt' | 'documentId'>> = {},
): Promise<boolean> {
  const update = db
    .updateTable('reports')
    .set({
      status,
      ...(changes.startedAt && { started_at: changes.startedAt.toISOString() }),
      ...(changes.endedAt && { ended_at: changes.endedAt.toISOString() }),
      ...(changes.documentId && { document_id: changes.documentId }),
    })
    .where('seller_id', '=', sellerId)
    .where('report_id', '=', reportId)
    .where('status', 'in', previousStatuses(status))
  return (await tx.run(update)) === 1
}

/** Puts a FATAL report back in the queue. Returns false if there is none. */
export async function resetReport(tx: Transaction, { sellerId, reportId }: ReportKey): Promise<boolean> {
  const revive = db
    .updateTable('reports')
    .set({ status: 'IN_QUEUE', started_at: null, ended_at: null })
    .where('seller_id', '=', sellerId)
    .where('report_id', '=', reportId)
    .where('status', '=', 'FATAL')
  return (await tx.run(revive)) === 1
}

/** Finds expired reports of all sellers. */
export async function findExpiredReports(
  reader: Reader,
  before: Date,
  { limit, skip }: { limit: number; skip: number },
): Promise<Report[]> {
  const query = db
    .selectFrom('reports')
    .selectAll()
    .where('created_at', '<', before.toISOString())
    .orderBy('created_at')
    .orderBy('report_id')
    .limit(limit)
    .offset(skip)
  return (await reader.all(query)).map(fromRow)
}

export async function deleteReports(tx: Transaction, keys: readonly ReportKey[]): Promise<void> {
  const tuples = keys.map(({ sellerId, reportId }) => [sellerId, reportId])
  await tx.run(db.deleteFrom('reports').where(isOneOf(['seller_id', 'report_id'], tuples)))
}

const toRow = (report: Report): Row => ({
  seller_id: report.sellerId,
  report_id: report.reportId,
  application_id: report.applicationId ?? null,
  report_type: report.reportType,
  marketplace_ids: JSON.stringify(report.marketplaceIds),
  options: JSON.stringify(report.options),
  status: report.status,
  created_at: report.createdAt.toISOString(),
  data_start_at: report.dataStartAt.toISOString(),
  data_end_at: report.dataEndAt.toISOString(),
  schedule_id: report.scheduleId ?? null,
  started_at: report.startedAt?.toISOString() ?? null,
  ended_at: report.endedAt?.toISOString() ?? null,
  document_id: report.documentId ?? null,
})

const fromRow = (row: Row): Report => ({
  sellerId: row.seller_id,
  reportId: row.report_id,
  ...(row.application_id !== null && { applicationId: row.application_id }),
  reportType: row.report_type,
  marketplaceIds: JSON.parse(row.marketplace_ids),
  options: JSON.parse(row.options),
  status: row.status as ProcessingStatus,
  createdAt: new Date(row.created_at),
  dataStartAt: new Date(row.data_start_at),
  dataEndAt: new Date(row.data_end_at),
  ...(row.schedule_id !== null && { scheduleId: row.schedule_id }),
  ...(row.started_at !== null && { startedAt: new Date(row.started_at) }),
  ...(row.ended_at !== null && { endedAt: new Date(row.ended_at) }),
  ...(row.document_id !== null && { documentId: row.document_id }),
})

/** Ids of a seller's reports, newest first. */
export async function listReportIds(reader: Reader, sellerId: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('reports').select('report_id').where('seller_id', '=', sellerId)
  return (await reader.all(query.orderBy('created_at', 'desc').limit(limit))).map((row) => row.report_id)
}

/** Ids of the documents of a seller's reports, newest first. */
export async function listReportDocumentIds(reader: Reader, sellerId: string, limit: number): Promise<string[]> {
  const query = db
    .selectFrom('reports')
    .select('document_id')
    .where('seller_id', '=', sellerId)
    .where('document_id', 'is not', null)
    .where('status', '=', 'DONE')
  const rows = await reader.all(query.orderBy('created_at', 'desc').limit(limit))
  return rows.map((row) => row.document_id as string)
}
