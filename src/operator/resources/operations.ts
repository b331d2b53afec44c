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
import {
  LOCKS_ORDERS,
  listOrderViolations,
  OrderWriteError,
  type OrderWriter,
} from '../../marketplace/trade/order-writer.ts'
import {
  findOrder,
  findOrders,
  findOrdersToChange,
  findOrderToChange,
  listOrders,
  type Order,
  type OrderKey,
  orderKey,
} from '../../marketplace/trade/orders.ts'
import { findReturn, listReturns, type Return, upsertReturns } from '../../marketplace/trade/returns.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader, Transaction } from '../../platform/database/port.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { PageRequest } from '../../platform/paging.ts'
import {
  checkItems,
  checkMarketplaces,
  checkOrders,
  checkParticipations,
  checkReturns,
  checkSellers,
  inBatch,
  type PathOf,
  refuse,
  toViolations,
  unlessImplied,
  wholeBody,
} from '../checks.ts'
import { createAccountStatusEvents } from './change-events.ts'
import { createPatching } from './patching.ts'

export interface ResourceDependencies {
  database: Database
  clock: Clock
  outbox: Outbox
  orders: OrderWriter
}

/** A page of all sellers' data, or of one seller's. */
type SellersPage = PageRequest & { sellerId?: string }

export type ResourceOperations = ReturnType<typeof createResourceOperations>

export function createResourceOperations(dependencies: ResourceDependencies) {
  const { database, clock, outbox, orders: orderWriter } = dependencies
  const patch = createPatching(database)
  return {
    async upsertMarketplaces(marketplaces: Marketplace[]) {
      await database.transact((tx) => upsertMarketplaces(tx, marketplaces))
      return marketplaces.map(({ marketplaceId }) => ({ marketplaceId }))
    },
    findMarketplace: (key: Pick<Marketplace, 'marketplaceId'>) =>
      database.read((reader) => readMarketplace(reader, key)),
    listMarketplaces: (page: PageRequest) => database.read((reader) => listMarketplaces(reader, page)),
    patchMarketplace: patch(readMarketplace, (tx, marketplace) => upsertMarketplaces(tx, [marketplace])),

    async upsertSellers(sellers: Seller[]) {
      await database.transact((tx) => putSellers(tx, sellers, inBatch('sellers')))
      return sellers.map(({ sellerId }) => ({ sellerId }))
    },
    findSeller: (key: Pick<Seller, 'sellerId'>) => database.read((reader) => readSeller(reader, key)),
    listSellers: (page: PageRequest & { search?: string }) => database.read((reader) => listSellers(reader, page)),
    patchSeller: patch(readSeller, (tx, seller) => putSellers(tx, [seller], wholeBody)),

    async upsertOrders(orders: Order[]) {
      await database.transact((tx) => putOrders(tx, orders, inBatch('orders')), LOCKS_ORDERS)
      return orders.map(({ sellerId, orderId }) => ({ sellerId, orderId }))
    },
    findOrder: (key: OrderKey) => database.read((reader) => readOrder(reader, key)),
    listOrders: (page: SellersPage) => database.read((reader) => listOrders(reader, page)),
    patchOrder: patch(readOrder, (tx, order, before) => putOrders(tx, [keepRemoved(before, order)], wholeBody), {
      toPatchable,
      lock: findOrderToChange,
      transaction: LOCKS_ORDERS,
    }),

    async upsertReturns(returns: Return[]) {
      await database.transact((tx) => putReturns(tx, returns, inBatch('returns')))
      return returns.map(({ sellerId, rmaId }) => ({ sellerId, rmaId }))
    },
    findReturn: (key: Pick<Return, 'sellerId' | 'rmaId'>) => database.read((reader) => findReturn(reader, key)),
    listReturns: (page: SellersPage) => database.read((reader) => listReturns(reader, page)),
    patchReturn: patch(findReturn, (tx, one) => putReturns(tx, [one], wholeBody)),

    async upsertFeedback(feedback: Feedback[]) {
      await database.transact((tx) => putFeedback(tx, feedback, inBatch('feedback')))
      return feedback.map(({ sellerId, orderId }) => ({ sellerId, orderId }))
    },
    findFeedback: (key: OrderKey) => database.read((reader) => findFeedback(reader, key)),
    listFeedback: (page: SellersPage) => database.read((reader) => listFeedback(reader, page)),
    patchFeedback: patch(findFeedback, (tx, feedback) => putFeedback(tx, [feedback], wholeBody)),
  }

  async function putSellers(tx: Transaction, sellers: readonly Seller[], pathOf: PathOf): Promise<void> {
    refuse(await checkParticipations(tx, pathOf, sellers))
    const sellerIds = sellers.map(({ sellerId }) => sellerId)
    const before = await findAccountStatuses(tx, sellerIds)
    await upsertSellers(tx, sellers)
    await outbox.append(tx, createAccountStatusEvents(before, sellers, clock.now()))
  }

  async function putOrders(tx: Transaction, orders: readonly Order[], pathOf: PathOf): Promise<void> {
    const before = await findOrdersToChange(tx, orders)
    refuse(
      await checkSellers(tx, pathOf, orders),
      await checkMarketplaces(tx, pathOf, orders),
      checkItems(pathOf, orders),
      toViolations(listOrderViolations(before, orders), pathOf),
    )
    try {
      await orderWriter.put(tx, before, orders, clock.now())
    } catch (error) {
      if (error instanceof OrderWriteError) refuse(toViolations(error.violations, pathOf))
      throw error
    }
  }
}

async function putReturns(tx: Transaction, returns: readonly Return[], pathOf: PathOf): Promise<void> {
  const orders = await loadOrders(tx, returns)
  const sellers = await checkSellers(tx, pathOf, returns)
  refuse(
    sellers,
    unlessImplied(checkOrders(orders, pathOf, returns), sellers),
    checkItems(pathOf, returns),
    await checkReturns(tx, pathOf, returns, orders),
  )
  await upsertReturns(tx, returns)
}

async function putFeedback(tx: Transaction, feedback: readonly Feedback[], pathOf: PathOf): Promise<void> {
  const orders = await loadOrders(tx, feedback)
  const sellers = await checkSellers(tx, pathOf, feedback)
  refuse(sellers, unlessImplied(checkOrders(orders, pathOf, feedback), sellers))
  await upsertFeedback(tx, feedback)
}

const loadOrders = async (reader: Reader, keys: readonly OrderKey[]) =>
  new Map((await findOrders(reader, keys)).map((order) => [orderKey(order), order]))

const readMarketplace = (reader: Reader, { marketplaceId }: Pick<Marketplace, 'marketplaceId'>) =>
  findMarketplace(reader, marketplaceId)

const readSeller = (reader: Reader, { sellerId }: Pick<Seller, 'sellerId'>) => findSeller(reader, sellerId)

const readOrder = (reader: Reader, key: OrderKey) => findOrder(reader, key, { packages: true })

/** Without what follows from the change: its time, and the pieces that the new status ships. */
function toPatchable({ updatedAt: _, ...order }: Order): Order {
  return { ...order, items: order.items.map(({ quantityShipped: __, ...item }) => item) }
}

/** Omitted packages stay as they are, so a patch that removes them must say that there are none. */
const keepRemoved = (before: Order, after: Order): Order =>
  before.packages && !after.packages ? { ...after, packages: [] } : after
