const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

export type Channel = 'api' | 'console'

/** What decides whether a buyer may be asked for a review of an order. */
export interface SolicitableOrder {
  marketplaceId: string
  /** Times are UTC in ISO 8601, as they are stored. */
  deliveredAt: string | null
  earliestDeliveryAt: string | null
  latestDeliveryAt: string | null
  buyerAcceptsRequests: boolean
  /** Which way the one request of this order was sent, if it was. */
  sentThrough: Channel | undefined
}

/** Days after delivery in which a buyer may be asked. */
export interface SolicitationWindow {
  opensAfterDays: number
  closesAfterDays: number
}

export type Ineligibility = 'alreadySent' | 'notDelivered' | 'optedOut' | 'tooEarly' | 'tooLate'

/** Why the buyer of an order may not be asked, or undefined when nothing stands in the way. */
export function findIneligibility(
  order: SolicitableOrder,
  now: Date,
  window: SolicitationWindow,
): Ineligibility | undefined {
  if (order.sentThrough) return 'alreadySent'
  if (!order.deliveredAt) return 'notDelivered'
  if (!order.buyerAcceptsRequests) return 'optedOut'
  // An order without promised delivery dates is judged by the day on which it was delivered.
  const earliest = order.earliestDeliveryAt ?? order.deliveredAt
  const latest = order.latestDeliveryAt ?? order.deliveredAt
  if (daysSince(earliest, now) < window.opensAfterDays) return 'tooEarly'
  if (daysSince(latest, now) > window.closesAfterDays) return 'tooLate'
  return undefined
}

const daysSince = (time: string, now: Date) => (now.getTime() - Date.parse(time)) / DAY_MILLISECONDS

/** What an obstacle is called to the seller. */
export function explainIneligibility(obstacle: Ineligibility, window: SolicitationWindow): string {
  const range = `${window.opensAfterDays} to ${window.closesAfterDays} days after delivery`
  switch (obstacle) {
    case 'alreadySent':
      return 'A request for a review was already sent for this order.'
    case 'notDelivered':
      return 'The order has not been delivered yet.'
    case 'optedOut':
      return 'The buyer has turned requests of this kind off in the contact preferences.'
    case 'tooEarly':
      return `It is too early: a request can be sent ${range}.`
    case 'tooLate':
      return `It is too late: a request can be sent ${range}.`
  }
}
