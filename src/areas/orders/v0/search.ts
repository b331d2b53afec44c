import type { OrderFilter, Period } from '../../../marketplace/trade/order-search.ts'
import { invalidParameter } from '../../../platform/errors/api-error.ts'
import { withFields } from '../../../platform/errors/explanation.ts'
import { parseTimestamp } from '../../../platform/timestamps.ts'
import { anyPeriod, type PeriodNames, parsePeriod, refuseWith } from '../period.ts'
import { OrdersFilter, type OrdersQuery } from './schema.ts'

export const PERIOD = {
  createdAfter: 'CreatedAfter',
  createdBefore: 'CreatedBefore',
  updatedAfter: 'LastUpdatedAfter',
  updatedBefore: 'LastUpdatedBefore',
} as const satisfies PeriodNames<keyof OrdersFilter>

const FILTER_NAMES = Object.keys(OrdersFilter.properties) as (keyof OrdersFilter)[]

/** The parameters that a page token stands for. Unknown ones are ignored. */
export const filterOf = (query: OrdersQuery): OrdersFilter =>
  Object.fromEntries(
    FILTER_NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as OrdersFilter

/** Throws if the parameters contradict each other. */
export function parseFilter(query: OrdersFilter, now: Date): OrderFilter {
  if (query.SellerOrderId !== undefined) {
    const others = ['FulfillmentChannels', 'OrderStatuses', 'PaymentMethods', 'BuyerEmail'] as const
    refuseWith(query, [...others, 'LastUpdatedAfter', 'LastUpdatedBefore'], 'SellerOrderId')
  }
  const periodNames = Object.values(PERIOD)
  const hasNoPeriod = query.AmazonOrderIds && periodNames.every((name) => query[name] === undefined)
  return {
    ...(hasNoPeriod ? anyPeriod(now) : parsePeriod(query, PERIOD, now)),
    marketplaceIds: query.MarketplaceIds,
    channels: query.FulfillmentChannels,
    statuses: query.OrderStatuses,
    orderIds: query.AmazonOrderIds,
    sellerOrderId: query.SellerOrderId,
    buyerEmail: query.BuyerEmail,
    paymentMethods: query.PaymentMethods,
    easyShipStatuses: query.EasyShipShipmentStatuses,
    invoiceStatuses: query.ElectronicInvoiceStatuses,
    supplySourceId: query.ActualFulfillmentSupplySourceId,
    storeChainStoreId: query.StoreChainStoreId,
    isPickup: query.IsISPU,
    earliestDelivery: parseDates(query, 'EarliestDeliveryDateAfter', 'EarliestDeliveryDateBefore'),
    latestDelivery: parseDates(query, 'LatestDeliveryDateAfter', 'LatestDeliveryDateBefore'),
  }
}

type DateName = `${'Earliest' | 'Latest'}DeliveryDate${'After' | 'Before'}`

/** Deliveries are promises, so these dates may be in the future. */
function parseDates(query: OrdersFilter, after: DateName, before: DateName): Period {
  const parse = (value: string | undefined) => value && parseTimestamp(value).toISOString()
  const [from, to] = [parse(query[after]), parse(query[before])]
  if (from && to && from > to) {
    throw invalidParameter(before, `must not be before ${after}`, withFields({ [before]: query[after] }))
  }
  return { from, to }
}
