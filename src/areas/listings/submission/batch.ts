import type { Offer, OfferKey } from '../../../marketplace/offers/offers.ts'
import type { NewEvent } from '../../../platform/outbox/outbox.ts'
import type { Listing, ListingKey } from '../domain/listing.ts'
import type { ListingRelations, Relation } from '../domain/relations.ts'
import type { ListingChange } from '../store/listing-store.ts'

/**
 * Listings that are changed together. They are read in one go. What becomes of them, and what follows from it, is kept
 * here, where the rest of the batch sees it, until all of it is written in one go.
 */
export class Batch {
  readonly #listings: Map<string, BatchEntry>
  readonly #relations = new Map<string, ListingRelations>()
  readonly #offers = new Map<string, OfferChange>()
  readonly events: NewEvent[] = []
  readonly #scheduledJobs = new Map<string, ScheduledJob>()

  constructor(stored: readonly Listing[]) {
    this.#listings = new Map(
      stored.map((listing) => [listingId(listing), { before: listing, after: listing, isRemoved: false }]),
    )
  }

  find(key: ListingKey): Listing | undefined {
    return this.#listings.get(listingId(key))?.after
  }

  put(listing: Listing): void {
    const known = this.#listings.get(listingId(listing))
    if (known) known.after = listing
    else this.#listings.set(listingId(listing), { before: undefined, after: listing, isRemoved: false })
  }

  remove(key: ListingKey): void {
    const known = this.#listings.get(listingId(key))
    if (!known) return
    known.after = undefined
    known.isRemoved = true
  }

  /** Has the worker look at the listing at that moment. Of several moments the earliest counts. */
  scheduleProcessing(key: ListingKey, at: Date): void {
    const planned = this.#scheduledJobs.get(listingId(key))
    if (!planned || at < planned.at) this.#scheduledJobs.set(listingId(key), { key, at })
  }

  get scheduledJobs(): ScheduledJob[] {
    return [...this.#scheduledJobs.values()]
  }

  /** All that a listing says of how it belongs to others from now on. */
  setRelations(key: ListingKey, relations: readonly Relation[]): void {
    this.#relations.set(listingId(key), { key, relations })
  }

  putOffer(offer: Offer): void {
    this.#offers.set(offerId(offer), { key: offer, putOffer: offer })
  }

  removeOffer(key: OfferKey): void {
    this.#offers.set(offerId(key), { key, putOffer: undefined })
  }

  get changes(): ListingChange[] {
    return [...this.#listings.values()].flatMap(({ before, after, isRemoved }) => {
      if (after === before) return []
      // A listing that was removed and made again shares nothing with the old one, not even the date of its creation.
      if (isRemoved && before && after) return [toRemoval(before), { before: undefined, after }]
      return [{ before, after }]
    })
  }

  get relations(): ListingRelations[] {
    return [...this.#relations.values()]
  }

  get changedOffers(): Offer[] {
    return [...this.#offers.values()].flatMap(({ putOffer: offer }) => offer ?? [])
  }

  get removedOffers(): OfferKey[] {
    return [...this.#offers.values()].flatMap(({ key, putOffer: offer }) => (offer ? [] : key))
  }
}

interface BatchEntry extends ListingChange {
  isRemoved: boolean
}

const toRemoval = (before: Listing): ListingChange => ({ before, after: undefined })

interface OfferChange {
  key: OfferKey
  /** Absent when it is withdrawn. */
  putOffer: Offer | undefined
}

/** When the worker is to look at a listing. */
interface ScheduledJob {
  key: ListingKey
  at: Date
}

export const listingId = ({ sellerId, marketplaceId, sku }: ListingKey) => `${sellerId} ${marketplaceId} ${sku}`
const offerId = (key: OfferKey) => `${listingId(key)} ${key.asin}`
