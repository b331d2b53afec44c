import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import type { ReportOperations } from './operations.ts'
import type { ScheduleOperations } from './schedule-operations.ts'
import {
  CreateReportBody,
  CreateReportResult,
  CreateReportScheduleBody,
  CreateReportScheduleResult,
  Empty,
  GetReportSchedulesQuery,
  GetReportSchedulesResult,
  GetReportsQuery,
  GetReportsResult,
  Report,
  ReportDocument,
  ReportDocumentParams,
  ReportDocumentQuery,
  ReportParams,
  ReportSchedule,
  ReportScheduleParams,
} from './schema.ts'

const REPORTS = '/reports/2021-06-30/reports'
const SCHEDULES = '/reports/2021-06-30/schedules'
const DOCUMENTS = '/reports/2021-06-30/documents'
const tags = ['reports']
const seller = { access: { seller: true }, signed: true } as const
const infrequent = { ...seller, rate: { perSecond: 0.0222, burst: 10 } } as const

export function createReportRoutes(reports: ReportOperations, schedules: ScheduleOperations): Routes {
  return (app: App) => {
    app.post(
      REPORTS,
      {
        config: { ...seller, rate: { perSecond: 0.0167, burst: 15 } },
        schema: {
          operationId: 'createReport',
          summary: 'Create a report',
          tags,
          body: CreateReportBody,
          response: { 202: CreateReportResult, ...errorResponses },
        },
      },
      async (request, reply) => {
        reply.code(202)
        return reports.createReport(sellerOf(request), request.body)
      },
    )

    app.get(
      REPORTS,
      {
        config: infrequent,
        schema: {
          operationId: 'getReports',
          summary: 'List reports',
          tags,
          querystring: GetReportsQuery,
          response: { 200: GetReportsResult, ...errorResponses },
        },
      },
      async (request) => reports.getReports(sellerOf(request), request.query),
    )

    app.get(
      `${REPORTS}/:reportId`,
      {
        config: { ...seller, rate: { perSecond: 2, burst: 15 } },
        schema: {
          operationId: 'getReport',
          summary: 'Get a report',
          tags,
          params: ReportParams,
          response: { 200: Report, ...errorResponses },
        },
      },
      (request) => reports.getReport(sellerOf(request), request.params.reportId),
    )

    app.delete(
      `${REPORTS}/:reportId`,
      {
        config: infrequent,
        schema: {
          operationId: 'cancelReport',
          summary: 'Cancel a queued report',
          tags,
          params: ReportParams,
          response: { 200: Empty, ...errorResponses },
        },
      },
      async (request) => {
        await reports.cancelReport(sellerOf(request), request.params.reportId)
        return {}
      },
    )

    app.get(
      `${DOCUMENTS}/:reportDocumentId`,
      {
        config: { ...seller, restricted: true, rate: { perSecond: 0.0167, burst: 15 }, bodyOnGet: true },
        schema: {
          operationId: 'getReportDocument',
          summary: 'Get the download URL of a report document',
          tags,
          params: ReportDocumentParams,
          querystring: ReportDocumentQuery,
          response: { 200: ReportDocument, ...errorResponses },
        },
      },
      async (request) =>
        reports.getReportDocument(sellerOf(request), request.params.reportDocumentId, {
          body: request.bodyOnGet,
          contentEncoding: request.query.enableContentEncodingUrlHeader ?? false,
        }),
    )

    app.post(
      SCHEDULES,
      {
        config: infrequent,
        schema: {
          operationId: 'createReportSchedule',
          summary: 'Create or replace a report schedule',
          tags,
          body: CreateReportScheduleBody,
          response: { 201: CreateReportScheduleResult, ...errorResponses },
        },
      },
      async (request, reply) => {
        reply.code(201)
        return schedules.createReportSchedule(sellerOf(request), request.body)
      },
    )

    app.get(
      SCHEDULES,
      {
        config: infrequent,
        schema: {
          operationId: 'getReportSchedules',
          summary: 'List report schedules by report type',
          tags,
          querystring: GetReportSchedulesQuery,
          response: { 200: GetReportSchedulesResult, ...errorResponses },
        },
      },
      async (request) => schedules.getReportSchedules(sellerOf(request), request.query.reportTypes),
    )

    app.get(
      `${SCHEDULES}/:reportScheduleId`,
      {
        config: infrequent,
        schema: {
          operationId: 'getReportSchedule',
          summary: 'Get a report schedule',
          tags,
          params: ReportScheduleParams,
          response: { 200: ReportSchedule, ...errorResponses },
        },
      },
      async (request) => schedules.getReportSchedule(sellerOf(request), request.params.reportScheduleId),
    )

    app.delete(
      `${SCHEDULES}/:reportScheduleId`,
      {
        config: infrequent,
        schema: {
          operationId: 'cancelReportSchedule',
          summary: 'Cancel a report schedule',
          tags,
          params: ReportScheduleParams,
          response: { 200: Empty, ...errorResponses },
        },
      },
      async (request) => {
        await schedules.cancelReportSchedule(sellerOf(request), request.params.reportScheduleId)
        return {}
      },
    )
  }
}
