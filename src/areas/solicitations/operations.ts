import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader, TransactionOptions } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { Readings } from '../../platform/readings.ts'
import {
  type Channel,
  explainIneligibility,
  explainWindow,
  findIneligibility,
  type Ineligibility,
  type SolicitableOrder,
  type SolicitationWindow,
  windowOf,
} from './eligibility.ts'
import { renderActionsJson, renderDisabledJson, renderSchema } from './render.ts'
import type { ActionSchema, ConsoleReviewRequest } from './schema.ts'
import { loadSolicitableOrder, recordSolicitation } from './store.ts'

// The key of the row allows one request per order.
const ONCE_PER_ORDER: TransactionOptions = { isolation: 'read committed' }

export interface SolicitationPolicy {
  window: SolicitationWindow
}

export interface SolicitationsDependencies {
  database: Database
  clock: Clock
  policy: SolicitationPolicy
  readings: Pick<Readings, 'repeatSolicitation' | 'disabledActions'>
}

export type SolicitationOperations = ReturnType<typeof createSolicitationOperations>

export function createSolicitationOperations({ database, clock, policy, readings }: SolicitationsDependencies) {
  return {
    /** Returns the JSON text of the body. */
    async getSolicitationActionsForOrder(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<string> {
      const order = await database.read((reader) => requireOrder(reader, caller, orderId, marketplaceId))
      const ineligibility = findIneligibility(order, clock.now(), policy.window)
      if (ineligibility && readings.disabledActions === 'listed') {
        return renderDisabledJson(orderId, marketplaceId, explainIneligibility(ineligibility, policy.window))
      }
      return renderActionsJson(orderId, marketplaceId, ineligibility === undefined)
    },

    async getSolicitationActionSchema(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string | undefined,
    ): Promise<ActionSchema> {
      const order = await database.read((reader) => requireOrder(reader, caller, orderId, marketplaceId))
      const ineligibility = findIneligibility(order, clock.now(), policy.window)
      return renderSchema(
        orderId,
        order.marketplaceId,
        ineligibility ? explainIneligibility(ineligibility, policy.window) : null,
      )
    },

    async createProductReviewAndSellerFeedbackSolicitation(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<void> {
      await recordRequest(caller, orderId, marketplaceId, 'api')
    },

    async getConsoleReviewRequest(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<ConsoleReviewRequest> {
      const order = await database.read((reader) => requireOrder(reader, caller, orderId, marketplaceId))
      const { opensAt, closesAt } = windowOf(order, policy.window)
      const isKnown = order.deliveredAt !== null && opensAt !== null && closesAt !== null
      return {
        orderId,
        requested: order.sentThrough === 'console',
        ...(isKnown && { window: { opensAt: opensAt.toISOString(), closesAt: closesAt.toISOString() } }),
        ...(!order.buyerAcceptsRequests && { optedOut: true }),
      }
    },

    async requestReviewFromConsole(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<ConsoleReviewRequest> {
      await recordRequest(caller, orderId, marketplaceId, 'console')
      return { orderId, requested: true }
    },
  }

  /** The API and the console follow the same rules: an order has one request in total. */
  function recordRequest(
    caller: SellerCaller,
    orderId: string,
    marketplaceId: string,
    sentThrough: Channel,
  ): Promise<void> {
    return database.transact(async (tx) => {
      const order = await requireOrder(tx, caller, orderId, marketplaceId)
      const now = clock.now()
      const ineligibility = findIneligibility(order, now, policy.window)
      if (ineligibility) throw notAvailable(ineligibility, order, now)
      const recorded = await recordSolicitation(tx, { sellerId: caller.sellerId, orderId, sentThrough, sentAt: now })
      if (!recorded) throw notAvailable('alreadySent', order, now)
    }, ONCE_PER_ORDER)
  }

  function notAvailable(ineligibility: Ineligibility, order: SolicitableOrder, now: Date): ApiError {
    const code =
      ineligibility === 'alreadySent' && readings.repeatSolicitation === 400 ? 'InvalidInput' : 'Unauthorized'
    return new ApiError(
      code,
      'The requested solicitation is not available for this amazonOrderId.',
      explainIneligibility(ineligibility, policy.window),
      { explain: () => explainWindow(ineligibility, order, now, policy.window) },
    )
  }
}

/** Checks participation only if the order is missing, to save a query on the common path. */
async function requireOrder(
  reader: Reader,
  { sellerId }: SellerCaller,
  orderId: string,
  marketplaceId: string | undefined,
): Promise<SolicitableOrder> {
  const order = await loadSolicitableOrder(reader, sellerId, orderId)
  if (order && (marketplaceId === undefined || order.marketplaceId === marketplaceId)) return order
  if (marketplaceId !== undefined) await requireParticipation(reader, sellerId, [marketplaceId])
  throw new ApiError(
    'NotFound',
    'The order was not found.',
    `The seller has no order ${orderId} in this marketplace.`,
    {
      missing: {
        kind: 'orderId',
        id: orderId,
        ...(marketplaceId !== undefined && { marketplaceIds: [marketplaceId] }),
      },
    },
  )
}
