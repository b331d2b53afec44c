import type { Transaction } from '../../platform/database/port.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { createOfferEvents, createRemovalEvents } from './offer-change-events.ts'
import type { CompetitorOffer, Offer, OfferWriter } from './offers.ts'

export type CompetitorOffers = ReturnType<typeof createCompetitorOffers>

/** Every change of a competitor's offer goes through here, so that sellers of the product are notified of it. */
export function createCompetitorOffers({ offers: writer, outbox }: { offers: OfferWriter; outbox: Outbox }) {
  return {
    async put(tx: Transaction, offers: readonly CompetitorOffer[], now: Date): Promise<void> {
      const events = await createOfferEvents(tx, offers, now)
      await writer.upsertCompetitors(tx, offers, now)
      await outbox.append(tx, events)
    },

    async remove(tx: Transaction, offers: readonly Offer[], now: Date): Promise<void> {
      await writer.remove(tx, offers)
      await outbox.append(tx, createRemovalEvents(offers, now))
    },
  }
}
