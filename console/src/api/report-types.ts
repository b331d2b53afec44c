export interface ReportType {
  name: string
  label: string
  format: 'TSV' | 'XML' | 'JSON'
  /** Default length of the period in days. Absent for reports about the present, which ignore dates. */
  defaultDays?: number
  contains: string
  hasPersonalData?: true
}

/** The report types that Souk serves. docs/reports.md has them too. */
export const REPORT_TYPES: readonly ReportType[] = [
  {
    name: 'GET_XML_RETURNS_DATA_BY_RETURN_DATE',
    label: 'Returns (XML)',
    format: 'XML',
    defaultDays: 60,
    contains: 'Returns of orders that you ship yourself, by the time of the request.',
  },
  {
    name: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
    label: 'Returns',
    format: 'TSV',
    defaultDays: 60,
    contains: 'Returns of orders that you ship yourself, by the time of the request.',
  },
  {
    name: 'GET_MERCHANT_LISTINGS_ALL_DATA',
    label: 'All listings',
    format: 'TSV',
    contains: 'All listings with their status, without SKUs that were changed but never created.',
  },
  {
    name: 'GET_MERCHANT_LISTINGS_DATA',
    label: 'Active listings',
    format: 'TSV',
    contains: 'Listings that buyers can buy.',
  },
  {
    name: 'GET_MERCHANT_LISTINGS_INACTIVE_DATA',
    label: 'Inactive listings',
    format: 'TSV',
    contains: 'Listings that buyers cannot buy.',
  },
  {
    name: 'GET_FLAT_FILE_OPEN_LISTINGS_DATA',
    label: 'Open listings',
    format: 'TSV',
    contains: 'SKU, ASIN, price and quantity of listings that buyers can buy.',
  },
  {
    name: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
    label: 'Orders by purchase',
    format: 'TSV',
    defaultDays: 30,
    contains: 'Order items, by the time of the purchase.',
  },
  {
    name: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL',
    label: 'Orders by last change',
    format: 'TSV',
    defaultDays: 30,
    contains: 'Order items, by the time of the last change.',
  },
  {
    name: 'GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
    label: 'Orders by purchase (XML)',
    format: 'XML',
    defaultDays: 30,
    contains: 'Orders, by the time of the purchase.',
  },
  {
    name: 'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING',
    label: 'Orders to ship',
    format: 'TSV',
    defaultDays: 30,
    contains: 'Order items that you have to ship, with names and addresses of buyers.',
    hasPersonalData: true,
  },
  {
    name: 'GET_SELLER_FEEDBACK_DATA',
    label: 'Feedback',
    format: 'TSV',
    defaultDays: 365,
    contains: 'Feedback of buyers.',
  },
  {
    name: 'GET_V2_SELLER_PERFORMANCE_REPORT',
    label: 'Seller performance',
    format: 'JSON',
    contains: 'Rates of late shipments, defects and cancellations, computed from orders, returns and feedback.',
  },
]

const byName = new Map(REPORT_TYPES.map((type) => [type.name, type]))

export const findReportType = (name: string): ReportType | undefined => byName.get(name)

/** For people; a type that this console does not know keeps its name. */
export const reportTypeLabel = (name: string): string => findReportType(name)?.label ?? name
