import type { paths } from './generated/control-plane.d.ts'

type ListOperation = paths['/_souk/requests']['get']

export type RequestSummary = ListOperation['responses'][200]['content']['application/json']['requests'][number]
export type RequestDetail = paths['/_souk/requests/{id}']['get']['responses'][200]['content']['application/json']

type ListQuery = NonNullable<ListOperation['parameters']['query']>

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
  'documentId',
  'destinationId',
  'subscriptionId',
  'notificationType',
] as const satisfies readonly (keyof ListQuery)[]

export const REQUEST_FILTERS = ['operation', 'status', 'seller', 'q', ...SUBJECTS] as const
export type RequestFilter = Partial<Record<(typeof REQUEST_FILTERS)[number], string>>

export const urlOf = ({ path, query }: Pick<RequestSummary, 'path' | 'query'>) => (query ? `${path}?${query}` : path)
