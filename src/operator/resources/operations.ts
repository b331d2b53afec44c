import {
  findMarketplace,
  listMarketplaces,
  type Marketplace,
  upsertMarketplaces,
} from '../../marketplace/accounts/marketplaces.ts'
import {
  findAccountStatuses,
  findSeller,
  listSellers,
  type Seller,
  upsertSellers,
} from '../../marketplace/accounts/sellers.ts'
import { type Feedback, findFeedback, listFeedback, upsertFeedback } from '../../marketplace/trade/feedback.ts'
import { OrderWriteError, type OrderWriter } from '../../marketplace/trade/order-writer.ts'
import { findOrder, findOrders, listOrders, type Order, withPackages } from '../../marketplace/trade/orders.ts'
import { findReturn, listReturns, type Return, upsertReturns } from '../../marketplace/trade/returns.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { PageRequest } from '../../platform/paging.ts'
import {
  refuseRepeatedItems,
  requireMarketplaces,
  requireOrders,
  requireParticipatedMarketplaces,
  requireReturnableItems,
  requireSellers,
} from '../checks.ts'
import { createAccountStatusEvents } from './change-events.ts'

export interface ResourceDependencies {
  database: Database
  clock: Clock
  outbox: Outbox
  orders: OrderWriter
}

/** A page of all sellers' data, or of one seller's. */
type SellersPage = PageRequest & { sellerId?: string }

export type ResourceOperations = ReturnType<typeof createResourceOperations>

export function createResourceOperations({ database, clock, outbox, orders: orderWriter }: ResourceDependencies) {
  return {
    async upsertMarketplaces(marketplaces: Marketplace[]) {
      await database.transact((tx) => upsertMarketplaces(tx, marketplaces))
      return marketplaces.map(({ marketplaceId }) => ({ marketplaceId }))
    },
    findMarketplace: ({ marketplaceId }: Pick<Marketplace, 'marketplaceId'>) =>
      database.read((reader) => findMarketplace(reader, marketplaceId)),
    listMarketplaces: (page: PageRequest) => database.read((reader) => listMarketplaces(reader, page)),

    async upsertSellers(sellers: Seller[]) {
      await database.transact(async (tx) => {
        await requireParticipatedMarketplaces(tx, sellers)
        const sellerIds = sellers.map(({ sellerId }) => sellerId)
        const before = await findAccountStatuses(tx, sellerIds)
        await upsertSellers(tx, sellers)
        await outbox.append(tx, createAccountStatusEvents(before, sellers, clock.now()))
      })
      return sellers.map(({ sellerId }) => ({ sellerId }))
    },
    findSeller: ({ sellerId }: Pick<Seller, 'sellerId'>) => database.read((reader) => findSeller(reader, sellerId)),
    listSellers: (page: PageRequest) => database.read((reader) => listSellers(reader, page)),

    async upsertOrders(orders: Order[]) {
      await database
        .transact(async (tx) => {
          await requireSellers(tx, 'orders', orders)
          await requireMarketplaces(tx, 'orders', orders)
          refuseRepeatedItems('orders', orders)
          await orderWriter.put(tx, await findOrders(tx, orders), orders, clock.now())
        })
        .catch((error) => {
          if (!(error instanceof OrderWriteError)) throw error
          throw invalidParameter(`orders[${error.index}].${error.field}`, error.reason)
        })
      return orders.map(({ sellerId, orderId }) => ({ sellerId, orderId }))
    },
    findOrder: (key: Pick<Order, 'sellerId' | 'orderId'>) =>
      database.read(async (reader) => {
        const order = await findOrder(reader, key)
        return order && (await withPackages(reader, [order]))[0]
      }),
    listOrders: (page: SellersPage) => database.read((reader) => listOrders(reader, page)),

    async upsertReturns(returns: Return[]) {
      await database.transact(async (tx) => {
        await requireSellers(tx, 'returns', returns)
        const orders = await requireOrders(tx, 'returns', returns)
        refuseRepeatedItems('returns', returns)
        await requireReturnableItems(tx, 'returns', returns, orders)
        await upsertReturns(tx, returns)
      })
      return returns.map(({ sellerId, rmaId }) => ({ sellerId, rmaId }))
    },
    findReturn: (key: Pick<Return, 'sellerId' | 'rmaId'>) => database.read((reader) => findReturn(reader, key)),
    listReturns: (page: SellersPage) => database.read((reader) => listReturns(reader, page)),

    async upsertFeedback(feedback: Feedback[]) {
      await database.transact(async (tx) => {
        await requireSellers(tx, 'feedback', feedback)
        await requireOrders(tx, 'feedback', feedback)
        await upsertFeedback(tx, feedback)
      })
      return feedback.map(({ sellerId, orderId }) => ({ sellerId, orderId }))
    },
    findFeedback: (key: Pick<Feedback, 'sellerId' | 'orderId'>) => database.read((reader) => findFeedback(reader, key)),
    listFeedback: (page: SellersPage) => database.read((reader) => listFeedback(reader, page)),
  }
}
