import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import {
  type Channel,
  explainObstacle,
  findObstacle,
  type Obstacle,
  type SolicitableOrder,
  type SolicitationWindow,
} from './eligibility.ts'
import { renderActions, representSchema } from './render.ts'
import type { ActionSchema, ConsoleReviewRequest } from './schema.ts'
import { loadSolicitableOrder, recordSolicitation } from './store.ts'

export interface SolicitationPolicy {
  window: SolicitationWindow
  /** The specification gives two statuses for asking a second time; see docs/decisions.md. */
  repeatStatus: 403 | 400
}

export interface SolicitationsDependencies {
  database: Database
  clock: Clock
  policy: SolicitationPolicy
}

export type SolicitationOperations = ReturnType<typeof createSolicitationOperations>

export function createSolicitationOperations({ database, clock, policy }: SolicitationsDependencies) {
  return {
    /** Answers the text of the body. */
    async getSolicitationActionsForOrder(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<string> {
      const order = await database.read((reader) => requireOrder(reader, caller, orderId, marketplaceId))
      const obstacle = findObstacle(order, clock.now(), policy.window)
      return renderActions(orderId, marketplaceId, obstacle === undefined)
    },

    async getSolicitationActionSchema(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string | undefined,
    ): Promise<ActionSchema> {
      const order = await database.read((reader) => requireOrder(reader, caller, orderId, marketplaceId))
      const obstacle = findObstacle(order, clock.now(), policy.window)
      return representSchema(orderId, order.marketplaceId, obstacle ? explainObstacle(obstacle, policy.window) : null)
    },

    async createProductReviewAndSellerFeedbackSolicitation(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<void> {
      await send(caller, orderId, marketplaceId, 'api')
    },

    async getConsoleReviewRequest(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<ConsoleReviewRequest> {
      const order = await database.read((reader) => requireOrder(reader, caller, orderId, marketplaceId))
      return { orderId, requested: order.sentThrough === 'console' }
    },

    async requestReviewFromConsole(
      caller: SellerCaller,
      orderId: string,
      marketplaceId: string,
    ): Promise<ConsoleReviewRequest> {
      await send(caller, orderId, marketplaceId, 'console')
      return { orderId, requested: true }
    },
  }

  /** Either way of asking obeys the same rules, and the order has one request in all. */
  function send(caller: SellerCaller, orderId: string, marketplaceId: string, sentThrough: Channel): Promise<void> {
    return database.transact(async (tx) => {
      const order = await requireOrder(tx, caller, orderId, marketplaceId)
      const now = clock.now()
      const obstacle = findObstacle(order, now, policy.window)
      if (obstacle) throw refusal(obstacle)
      const recorded = await recordSolicitation(tx, { sellerId: caller.sellerId, orderId, sentThrough, sentAt: now })
      if (!recorded) throw refusal('alreadySent')
    })
  }

  function refusal(obstacle: Obstacle): ApiError {
    const code = obstacle === 'alreadySent' && policy.repeatStatus === 400 ? 'InvalidInput' : 'Unauthorized'
    return new ApiError(
      code,
      'The requested solicitation is not available for this amazonOrderId.',
      explainObstacle(obstacle, policy.window),
    )
  }
}

/** The seller's own order in the marketplace asked for. Why there is none is looked into only when there is none. */
async function requireOrder(
  reader: Reader,
  { sellerId }: SellerCaller,
  orderId: string,
  marketplaceId: string | undefined,
): Promise<SolicitableOrder> {
  const order = await loadSolicitableOrder(reader, sellerId, orderId)
  if (order && (marketplaceId === undefined || order.marketplaceId === marketplaceId)) return order
  if (marketplaceId !== undefined) await requireParticipation(reader, sellerId, [marketplaceId])
  throw new ApiError('NotFound', 'The order was not found.', `The seller has no order ${orderId} in this marketplace.`)
}
