import { type Static, Type } from 'typebox'
import { listParameters } from '../../document-requests/list-query.ts'
import { PROCESSING_STATUSES } from '../../document-requests/status.ts'
import { MarketplaceId, QueryList } from '../../marketplace/schema.ts'
import { PERIODS } from './period.ts'

const DateTime = Type.String({ format: 'date-time' })
const ReportTypeName = Type.String({ minLength: 1, maxLength: 100, description: 'See [Reports](/docs/reports)' })
const ReportOptions = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1000 }), {
  maxProperties: 50,
  description: 'Options of the report type',
})
const MarketplaceIds = Type.Array(MarketplaceId, { minItems: 1, maxItems: 25 })

export const CreateReportBody = Type.Object({
  reportType: ReportTypeName,
  marketplaceIds: MarketplaceIds,
  dataStartTime: Type.Optional(DateTime),
  dataEndTime: Type.Optional(DateTime),
  reportOptions: Type.Optional(ReportOptions),
})
export type CreateReportBody = Static<typeof CreateReportBody>

export const CreateReportResult = Type.Object({ reportId: Type.String() })

export const ReportParams = Type.Object({ reportId: Type.String() })

export const Report = Type.Object({
  reportId: Type.String(),
  reportType: Type.String(),
  marketplaceIds: Type.Array(Type.String()),
  processingStatus: Type.Enum(PROCESSING_STATUSES),
  createdTime: DateTime,
  dataStartTime: DateTime,
  dataEndTime: DateTime,
  reportScheduleId: Type.Optional(Type.String({ description: 'The schedule that created the report' })),
  processingStartTime: Type.Optional(DateTime),
  processingEndTime: Type.Optional(DateTime),
  reportDocumentId: Type.Optional(Type.String({ description: 'Present if the report is DONE' })),
})
export type Report = Static<typeof Report>

export const GetReportsQuery = Type.Object({
  reportTypes: Type.Optional(QueryList(ReportTypeName, { minItems: 1, maxItems: 10 })),
  ...listParameters,
})
export type GetReportsQuery = Static<typeof GetReportsQuery>

export const GetReportsResult = Type.Object({
  reports: Type.Array(Report),
  nextToken: Type.Optional(Type.String()),
})
export type GetReportsResult = Static<typeof GetReportsResult>

export const CreateReportScheduleBody = Type.Object({
  reportType: ReportTypeName,
  marketplaceIds: MarketplaceIds,
  period: Type.Enum(PERIODS),
  nextReportCreationTime: Type.Optional(DateTime),
  reportOptions: Type.Optional(ReportOptions),
})
export type CreateReportScheduleBody = Static<typeof CreateReportScheduleBody>

export const CreateReportScheduleResult = Type.Object({ reportScheduleId: Type.String() })

export const ReportScheduleParams = Type.Object({ reportScheduleId: Type.String() })

export const GetReportSchedulesQuery = Type.Object({
  reportTypes: QueryList(ReportTypeName, { minItems: 1, maxItems: 10 }),
})

export const ReportSchedule = Type.Object({
  reportScheduleId: Type.String(),
  reportType: Type.String(),
  marketplaceIds: Type.Array(Type.String()),
  reportOptions: ReportOptions,
  period: Type.Enum(PERIODS),
  nextReportCreationTime: DateTime,
})
export type ReportSchedule = Static<typeof ReportSchedule>

export const GetReportSchedulesResult = Type.Object({ reportSchedules: Type.Array(ReportSchedule) })

export const ReportDocumentParams = Type.Object({ reportDocumentId: Type.String() })
export const ReportDocumentQuery = Type.Object({
  enableContentEncodingUrlHeader: Type.Optional(
    Type.Boolean({ description: 'Send Content-Encoding: gzip with the download, so that HTTP clients decompress it' }),
  ),
})

export const ReportDocument = Type.Object({
  reportDocumentId: Type.String(),
  url: Type.String({ description: 'Valid for 300 seconds' }),
  compressionAlgorithm: Type.Optional(Type.Literal('GZIP')),
})
export type ReportDocument = Static<typeof ReportDocument>

export const Empty = Type.Object({})
