import type { Offer, OfferKey } from '../../../marketplace/offers/offers.ts'
import type { NewEvent } from '../../../platform/outbox/outbox.ts'
import type { Listing, ListingKey } from '../domain/listing.ts'
import type { ListingChange } from '../store/listing-store.ts'
import type { ListingRelations, Relation } from '../store/relation-store.ts'

/**
 * Listings that are changed together. They are read in one go. What becomes of them, and what follows from it, is kept
 * here, where the rest of the batch sees it, until all of it is written in one go.
 */
export class Batch {
  readonly #listings: Map<string, ListingInBatch>
  readonly #relations = new Map<string, ListingRelations>()
  readonly #offers = new Map<string, OfferChange>()
  readonly events: NewEvent[] = []
  readonly #visits = new Map<string, Visit>()

  constructor(stored: readonly Listing[]) {
    this.#listings = new Map(
      stored.map((listing) => [nameOf(listing), { before: listing, after: listing, isRemoved: false }]),
    )
  }

  find(key: ListingKey): Listing | undefined {
    return this.#listings.get(nameOf(key))?.after
  }

  put(listing: Listing): void {
    const known = this.#listings.get(nameOf(listing))
    if (known) known.after = listing
    else this.#listings.set(nameOf(listing), { before: undefined, after: listing, isRemoved: false })
  }

  remove(key: ListingKey): void {
    const known = this.#listings.get(nameOf(key))
    if (!known) return
    known.after = undefined
    known.isRemoved = true
  }

  /** Has the worker look at the listing at that moment. Of several moments the earliest counts. */
  visit(key: ListingKey, at: Date): void {
    const planned = this.#visits.get(nameOf(key))
    if (!planned || at < planned.at) this.#visits.set(nameOf(key), { key, at })
  }

  get visits(): Visit[] {
    return [...this.#visits.values()]
  }

  /** All that a listing says of how it belongs to others from now on. */
  relate(key: ListingKey, relations: readonly Relation[]): void {
    this.#relations.set(nameOf(key), { key, relations })
  }

  offer(offer: Offer): void {
    this.#offers.set(offerNameOf(offer), { key: offer, offer })
  }

  withdraw(key: OfferKey): void {
    this.#offers.set(offerNameOf(key), { key, offer: undefined })
  }

  get changes(): ListingChange[] {
    return [...this.#listings.values()].flatMap(({ before, after, isRemoved }) => {
      if (after === before) return []
      // A listing that was removed and made again shares nothing with the old one, not even the date of its creation.
      if (isRemoved && before && after) return [removalOf(before), { before: undefined, after }]
      return [{ before, after }]
    })
  }

  get relations(): ListingRelations[] {
    return [...this.#relations.values()]
  }

  get offered(): Offer[] {
    return [...this.#offers.values()].flatMap(({ offer }) => offer ?? [])
  }

  get withdrawn(): OfferKey[] {
    return [...this.#offers.values()].flatMap(({ key, offer }) => (offer ? [] : key))
  }
}

interface ListingInBatch extends ListingChange {
  isRemoved: boolean
}

const removalOf = (before: Listing): ListingChange => ({ before, after: undefined })

interface OfferChange {
  key: OfferKey
  /** Absent when it is withdrawn. */
  offer: Offer | undefined
}

/** When the worker is to look at a listing. */
interface Visit {
  key: ListingKey
  at: Date
}

export const nameOf = ({ sellerId, marketplaceId, sku }: ListingKey) => `${sellerId} ${marketplaceId} ${sku}`
const offerNameOf = (key: OfferKey) => `${nameOf(key)} ${key.asin}`
