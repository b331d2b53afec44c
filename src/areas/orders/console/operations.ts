import { findFeedback } from '../../../marketplace/trade/feedback.ts'
import type { Order } from '../../../marketplace/trade/order.ts'
import { type OrderCursor, type OrderFilter, searchOrders } from '../../../marketplace/trade/order-search.ts'
import { listReturnsOfOrder, type Return } from '../../../marketplace/trade/returns.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { invalidParameter } from '../../../platform/errors/api-error.ts'
import { withFields } from '../../../platform/errors/explanation.ts'
import { decodePageToken, encodePageToken } from '../../../platform/paging.ts'
import { parseTimestamp } from '../../../platform/timestamps.ts'
import { oldestOrderTime } from '../period.ts'
import { requireOrder } from '../require-order.ts'
import { statusesOf } from '../v2026-01-01/fulfillment-status.ts'
import { findMarketplaceIds, renderOrders } from '../v2026-01-01/operations.ts'
import type { ListQuery, OrderHistory, OrderList } from './schema.ts'

interface ConsoleOrdersDependencies {
  database: Database
  clock: Clock
}

const DEFAULT_PAGE_SIZE = 50
const MAX_RETURNS = 100

export type ConsoleOrderOperations = ReturnType<typeof createConsoleOrderOperations>

/** What a person looks at: the newest orders, those of the last two minutes too, and everything that happened to one. */
export function createConsoleOrderOperations({ database, clock }: ConsoleOrdersDependencies) {
  return {
    async listOrders(caller: SellerCaller, query: ListQuery): Promise<OrderList> {
      const { pageSize = DEFAULT_PAGE_SIZE, pageToken, orderId } = query
      const after = pageToken === undefined ? undefined : (decodePageToken(pageToken, 2) as [string, string])
      const period = parsePeriod(query, clock.now())
      return database.read(async (reader) => {
        const filter: OrderFilter = {
          by: 'purchased_at',
          ...period,
          isNewestFirst: true,
          marketplaceIds: await findMarketplaceIds(reader, caller.sellerId, query.marketplaceIds),
          statuses: query.fulfillmentStatuses && statusesOf(query.fulfillmentStatuses),
          orderIds: orderId === undefined ? undefined : [orderId],
        }
        const { orders, next } = await searchOrders(reader, caller.sellerId, filter, { after, pageSize })
        return {
          orders: await renderOrders(reader, caller, orders, ['BUYER', 'PROCEEDS', 'FULFILLMENT']),
          ...nextToken(next),
        }
      })
    },

    async getOrderHistory(caller: SellerCaller, orderId: string): Promise<OrderHistory> {
      return database.read(async (reader) => {
        const order = await requireOrder(reader, caller, orderId, clock.now())
        const returns = await listReturnsOfOrder(reader, order, MAX_RETURNS)
        const feedback = await findFeedback(reader, order)
        return {
          ...renderHistory(order),
          returns: returns.map(renderReturn),
          feedback: feedback && {
            submittedAt: feedback.submittedAt,
            rating: feedback.rating,
            comment: feedback.comment,
            response: feedback.response ?? undefined,
          },
        }
      })
    },
  }
}

const nextToken = (next: OrderCursor | undefined) => (next ? { nextToken: encodePageToken(next) } : {})

function parsePeriod({ createdAfter, createdBefore }: ListQuery, now: Date): Pick<OrderFilter, 'from' | 'to'> {
  const oldest = oldestOrderTime(now)
  const from = createdAfter === undefined ? oldest : parseTimestamp(createdAfter)
  const to = createdBefore === undefined ? now : parseTimestamp(createdBefore)
  if (createdAfter !== undefined && from > to)
    throw invalidParameter(
      'createdBefore',
      'must not be before createdAfter',
      withFields({ createdBefore: createdAfter }),
    )
  return { from: (from < oldest ? oldest : from).toISOString(), to: to.toISOString() }
}

const renderHistory = (order: Order) => ({
  orderId: order.orderId,
  marketplaceId: order.marketplaceId,
  status: order.status,
  purchasedAt: order.purchasedAt,
  updatedAt: order.updatedAt,
  acknowledgedAt: order.acknowledgedAt ?? undefined,
  shippedAt: order.shippedAt ?? undefined,
  deliveredAt: order.deliveredAt ?? undefined,
  cancellation: order.cancellation,
})

const renderReturn = ({ rmaId, requestedAt, status, items }: Return): OrderHistory['returns'][number] => ({
  rmaId,
  requestedAt,
  status,
  items: items.map(({ orderItemId, quantity, reasonCode }) => ({ orderItemId, quantity, reasonCode })),
})
