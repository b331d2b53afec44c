import type { InternalEvent } from '../../../platform/outbox/expander.ts'

/** An offer for a product was added, removed or changed. */
export interface OfferChange {
  eventId: string
  marketplaceId: string
  asin: string
  conditionType: string
  occurredAt: Date
}

export function toOfferChange({ eventId, payload, occurredAt }: InternalEvent): OfferChange {
  const { marketplaceId, asin, conditionType } = payload
  return { eventId, marketplaceId, asin, conditionType, occurredAt }
}
