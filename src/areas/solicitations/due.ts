import type { PromisedTime } from '../../marketplace/trade/promised-deliveries.ts'
import type { DueSource } from '../../platform/due.ts'
import { closingDelayOf, openingDelayOf, type SolicitationWindow } from './eligibility.ts'
import { findUnsolicited } from './store.ts'

/** When a review of an order can be requested, and when it no longer can. */
export const createSolicitationDue = (window: SolicitationWindow): DueSource[] => [
  edgeOf('solicitationWindowOpening', 'earliest', openingDelayOf(window), 'can be requested'),
  edgeOf('solicitationWindowEnd', 'latest', closingDelayOf(window), 'can no longer be requested'),
]

const edgeOf = (kind: string, promise: PromisedTime, delayMilliseconds: number, effect: string): DueSource => ({
  async find(reader, after, limit) {
    const orders = await findUnsolicited(reader, promise, new Date(after.getTime() - delayMilliseconds), limit)
    return orders.map(({ sellerId, orderId, deliveryAt }) => ({
      kind,
      time: new Date(deliveryAt.getTime() + delayMilliseconds),
      id: orderId,
      description: `A review of the order ${orderId} of the seller ${sellerId} ${effect}`,
    }))
  },
})
