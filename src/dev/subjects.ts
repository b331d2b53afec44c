// Users compile these types, so they refer to no dependency.

/** What a request can be about. */
export const SUBJECTS = [
  'sku',
  'asin',
  'orderId',
  'reportId',
  'reportType',
  'reportScheduleId',
  'feedId',
  'feedType',
  /** Of a report, a feed or an upload. The links of documents have it, too. */
  'documentId',
  'destinationId',
  'subscriptionId',
  'notificationType',
] as const
export type Subject = (typeof SUBJECTS)[number]

/** The ids that a call must be about. */
export type SubjectMatch = { [Name in Subject]?: string }
