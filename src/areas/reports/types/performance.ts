import { daysBefore } from '../../../document-requests/status.ts'
import type { SaleScope } from '../../../marketplace/trade/sale-scope.ts'
import { countDefects, countOrders } from '../../../marketplace/trade/seller-performance.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import { JSON_TEXT, type ReportSources, type ReportType } from './report-type.ts'

type MetricStatus = 'GOOD' | 'BAD' | 'NONE'

export const performance: ReportType = {
  name: 'GET_V2_SELLER_PERFORMANCE_REPORT',
  contentType: JSON_TEXT,
  write: writeJson,
}

async function* writeJson(
  { database }: ReportSources,
  { sellerId, marketplaceIds, to }: SaleScope,
): AsyncGenerator<TextChunk> {
  const end = new Date(to)
  const [orders, defects] = await database.readLarge((reader) =>
    Promise.all([
      countOrders(reader, { sellerId, marketplaceIds, ...windowOf(end, 30) }),
      countDefects(reader, { sellerId, marketplaceIds, ...windowOf(end, 60) }),
    ]),
  )
  const performanceMetrics = marketplaceIds.map((marketplaceId) => {
    const ofMonth = orders.find((row) => row.marketplace_id === marketplaceId) ?? noOrders
    const ofDefects = (channel: string) =>
      defects.find((row) => row.marketplace_id === marketplaceId && row.fulfillment_channel === channel) ?? noDefects
    return renderMetrics(marketplaceId, end, ofMonth, { mfn: ofDefects('MFN'), afn: ofDefects('AFN') })
  })
  const report = {
    accountStatuses: performanceMetrics.map(({ marketplaceId, lateShipmentRate, orderDefectRate }) => ({
      marketplaceId,
      status: [lateShipmentRate, orderDefectRate.mfn].some(({ status }) => status === 'BAD') ? 'AT_RISK' : 'NORMAL',
    })),
    performanceMetrics,
  }
  yield { text: `${JSON.stringify(report, null, 2)}\n`, rows: performanceMetrics.length }
}

const windowOf = (end: Date, days: number) => ({
  from: daysBefore(end, days).toISOString(),
  to: end.toISOString(),
})

type OrderCounts = typeof noOrders
type DefectCounts = typeof noDefects

const noOrders = { orders: 0, shipped_late: 0, shipped: 0, delivered: 0, delivered_on_time: 0, cancelled: 0 }
const noDefects = { orders: 0, negative_feedback: 0, claims: 0, defective: 0 }

function renderMetrics(
  marketplaceId: string,
  end: Date,
  orders: OrderCounts,
  defects: { mfn: DefectCounts; afn: DefectCounts },
) {
  const reportingDateRange = (days: number) => ({
    reportingDateFrom: toMinute(daysBefore(end, days)),
    reportingDateTo: toMinute(end),
  })
  const month = reportingDateRange(30)
  const violations = {
    reportingDateRange: reportingDateRange(180),
    defectsCount: 0,
    status: 'GOOD' as MetricStatus,
    targetValue: 0,
    targetCondition: 'EQUALS',
  }
  const none = { count: 0, status: 'NONE' as MetricStatus }
  const orderDefectRate = (fulfillmentType: 'mfn' | 'afn') => {
    const counts = defects[fulfillmentType]
    const rating = atMost(0.01, counts.defective, counts.orders)
    return {
      reportingDateRange: reportingDateRange(60),
      orderCount: counts.orders,
      orderWithDefects: { count: counts.defective, status: rating.status },
      claims: { count: counts.claims, status: 'NONE' as MetricStatus },
      chargebacks: none,
      negativeFeedback: { count: counts.negative_feedback, status: 'NONE' as MetricStatus },
      fulfillmentType,
      ...rating,
    }
  }
  return {
    marketplaceId,
    invoiceDefectRate: {
      reportingDateRange: month,
      orderCount: orders.orders,
      invoiceDefect: none,
      missingInvoice: none,
      lateInvoice: none,
      ...atMost(0.05, 0, orders.orders),
    },
    lateShipmentRate: {
      reportingDateRange: month,
      orderCount: orders.orders,
      lateShipmentCount: orders.shipped_late,
      ...atMost(0.04, orders.shipped_late, orders.orders),
    },
    orderDefectRate: { mfn: orderDefectRate('mfn'), afn: orderDefectRate('afn') },
    onTimeDeliveryRate: {
      reportingDateRange: month,
      shipmentCountWithValidTracking: orders.delivered,
      onTimeDeliveryCount: orders.delivered_on_time,
      ...atLeast(0.9, orders.delivered_on_time, orders.delivered),
    },
    unitOnTimeDeliveryRate: {
      reportingDateRange: month,
      totalUnitCount: orders.delivered,
      unitOnTimeDeliveryCount: orders.delivered_on_time,
      ...atLeast(0.9, orders.delivered_on_time, orders.delivered),
    },
    validTrackingRate: {
      reportingDateRange: month,
      shipmentCount: orders.shipped,
      validTrackingCount: orders.shipped,
      ...atLeast(0.95, orders.shipped, orders.shipped),
    },
    preFulfillmentCancellationRate: {
      reportingDateRange: month,
      orderCount: orders.orders,
      cancellationCount: orders.cancelled,
      ...atMost(0.025, orders.cancelled, orders.orders),
    },
    warningStates: [],
    accountHealthRating: {
      ahrStatus: 'GREAT',
      accountHealthRatingStatus: 'GREAT',
      reportingDateRange: reportingDateRange(180),
    },
    listingPolicyViolations: violations,
    productAuthenticityCustomerComplaints: violations,
    productConditionCustomerComplaints: violations,
    productSafetyCustomerComplaints: violations,
    receivedIntellectualPropertyComplaints: violations,
    restrictedProductPolicyViolations: violations,
    suspectedIntellectualPropertyViolations: violations,
    foodAndProductSafetyIssues: violations,
    otherPolicyViolations: violations,
    documentRequests: violations,
  }
}

const toMinute = (moment: Date) => `${moment.toISOString().slice(0, 16)}Z`

const atMost = (targetValue: number, part: number, whole: number) => rateMetric(targetValue, 'LESS_THAN', part, whole)
const atLeast = (targetValue: number, part: number, whole: number) =>
  rateMetric(targetValue, 'GREATER_THAN', part, whole)

/** The status is NONE if there are no orders. */
function rateMetric(targetValue: number, targetCondition: 'LESS_THAN' | 'GREATER_THAN', part: number, whole: number) {
  const rate = whole === 0 ? 0 : part / whole
  const good = targetCondition === 'LESS_THAN' ? rate < targetValue : rate > targetValue
  const status: MetricStatus = whole === 0 ? 'NONE' : good ? 'GOOD' : 'BAD'
  return { status, rate, targetValue, targetCondition }
}
