import type { OrderWriter } from '../../../marketplace/trade/order-writer.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { FeedError } from '../feed-error.ts'
import { ACKNOWLEDGEMENT_FEED, FULFILLMENT_FEED, LISTINGS_FEED, RETIRED_FEEDS } from '../feed-types.ts'
import type { BulkListings } from '../ports.ts'
import { createListingsProcessor } from './listings/index.ts'
import { createOrderProcessor } from './orders/index.ts'
import type { FeedProcessor } from './processor.ts'
import { writeXmlReport } from './xml-report.ts'

/** Creates a processor for each feed type. */
export function createFeedProcessors({
  clock,
  database,
  orders,
  listings,
}: {
  clock: Clock
  database: Pick<Database, 'dialect'>
  orders: OrderWriter
  listings: BulkListings
}): ReadonlyMap<string, FeedProcessor> {
  return new Map([
    [LISTINGS_FEED, createListingsProcessor(listings, database.dialect)],
    [FULFILLMENT_FEED, createOrderProcessor('OrderFulfillment', { clock, orders })],
    [ACKNOWLEDGEMENT_FEED, createOrderProcessor('OrderAcknowledgement', { clock, orders })],
    ...RETIRED_FEEDS.map((name) => [name, retired] as const),
  ])
}

const retired: FeedProcessor = {
  async parse(_, { feedType }) {
    throw new FeedError(`Feed type ${feedType} is no longer supported. Use ${LISTINGS_FEED} instead.`)
  },
  writeFailure: writeXmlReport,
}
