import type { Explanation } from '../../platform/errors/explanation.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

export type Channel = 'api' | 'console'

/** The facts that decide whether a review request can be sent for an order. */
export interface SolicitableOrder {
  marketplaceId: string
  /** Times are in ISO 8601, UTC, as stored. */
  deliveredAt: string | null
  earliestDeliveryAt: string | null
  latestDeliveryAt: string | null
  buyerAcceptsRequests: boolean
  /** Channel of the request that was sent for the order, if any. */
  sentThrough: Channel | undefined
}

/** Days after delivery in which a review request can be sent. */
export interface SolicitationWindow {
  opensAfterDays: number
  closesAfterDays: number
}

export type Ineligibility = 'alreadySent' | 'notDelivered' | 'optedOut' | 'tooEarly' | 'tooLate'

/** Returns why an order is not eligible, or undefined. */
export function findIneligibility(
  order: SolicitableOrder,
  now: Date,
  window: SolicitationWindow,
): Ineligibility | undefined {
  if (order.sentThrough) return 'alreadySent'
  if (!order.deliveredAt) return 'notDelivered'
  if (!order.buyerAcceptsRequests) return 'optedOut'
  const { opensAt, closesAt } = windowOf(order, window)
  if (opensAt !== null && now < opensAt) return 'tooEarly'
  if (closesAt !== null && now > closesAt) return 'tooLate'
  return undefined
}

/** How long after the earliest promised delivery the window opens. */
export const openingDelayOf = ({ opensAfterDays }: SolicitationWindow) => opensAfterDays * DAY_MILLISECONDS

/** How long after the latest promised delivery the window is over. Its last moment belongs to it. */
export const closingDelayOf = ({ closesAfterDays }: SolicitationWindow) => closesAfterDays * DAY_MILLISECONDS + 1

const describeRange = ({ opensAfterDays, closesAfterDays }: SolicitationWindow) =>
  `from ${opensAfterDays} days after the earliest promised delivery to ${closesAfterDays} days after the latest`

export function explainIneligibility(ineligibility: Ineligibility, window: SolicitationWindow): string {
  const range = describeRange(window)
  switch (ineligibility) {
    case 'alreadySent':
      return 'A review request was already sent for this order.'
    case 'notDelivered':
      return 'The order has not been delivered yet.'
    case 'optedOut':
      return 'The buyer has opted out of review requests.'
    case 'tooEarly':
      return `It is too early. A request can be sent ${range}.`
    case 'tooLate':
      return `It is too late. A request can be sent ${range}.`
  }
}

/** When a request can be sent for an order, as far as its dates are known. */
export function windowOf(order: SolicitableOrder, window: SolicitationWindow) {
  const earliest = order[openingDateOf(order)]
  const latest = order[closingDateOf(order)]
  return {
    opensAt: earliest === null ? null : daysAfter(earliest, window.opensAfterDays),
    closesAt: latest === null ? null : daysAfter(latest, window.closesAfterDays),
  }
}

// The delivery date replaces missing promised dates.
const openingDateOf = (order: SolicitableOrder) =>
  order.earliestDeliveryAt === null ? 'deliveredAt' : 'earliestDeliveryAt'
const closingDateOf = (order: SolicitableOrder) =>
  order.latestDeliveryAt === null ? 'deliveredAt' : 'latestDeliveryAt'

/** What the rule looked at, and when a request is possible if only the time is wrong. */
export function explainWindow(
  ineligibility: Ineligibility,
  order: SolicitableOrder,
  now: Date,
  window: SolicitationWindow,
): Explanation {
  const { deliveredAt, earliestDeliveryAt, latestDeliveryAt, buyerAcceptsRequests, sentThrough } = order
  const { opensAt, closesAt } = windowOf(order, window)
  const isTooEarly = ineligibility === 'tooEarly' && opensAt !== null
  return {
    rule: `One review request can be sent for an order that was delivered, ${describeRange(window)}, if the buyer has not opted out. Where no delivery date was promised, the days count from the delivery.`,
    facts: {
      now,
      deliveredAt,
      earliestDeliveryAt,
      latestDeliveryAt,
      opensAt,
      opensAtCountsFrom: openingDateOf(order),
      closesAt,
      closesAtCountsFrom: closingDateOf(order),
      buyerAcceptsRequests,
      sentThrough: sentThrough ?? null,
    },
    ...(isTooEarly
      ? { change: { notBefore: opensAt } }
      : { noNearest: `${explainIneligibility(ineligibility, window)} Send it for another order.` }),
  }
}

const daysAfter = (time: string, days: number) => new Date(Date.parse(time) + days * DAY_MILLISECONDS)
