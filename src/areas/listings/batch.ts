import type { Offer, OfferKey } from '../../marketplace/offers.ts'
import type { NewEvent } from '../../platform/outbox/outbox.ts'
import type { Listing, ListingKey } from './listing.ts'
import type { ListingRelations, Relation } from './relations.ts'
import type { ListingChange } from './store.ts'

/**
 * Listings that are changed together. They are read in one go. What becomes of them, and what follows from it, is kept
 * here, where the rest of the batch sees it, until all of it is written in one go.
 */
export class Batch {
  readonly #listings: Map<string, ListingChange>
  readonly #relations = new Map<string, ListingRelations>()
  readonly #offers = new Map<string, OfferChange>()
  readonly events: NewEvent[] = []
  readonly visits: Visit[] = []

  constructor(stored: readonly Listing[]) {
    this.#listings = new Map(stored.map((listing) => [nameOf(listing), { before: listing, after: listing }]))
  }

  find(key: ListingKey): Listing | undefined {
    return this.#listings.get(nameOf(key))?.after
  }

  put(listing: Listing): void {
    this.#set(listing, listing)
  }

  remove(key: ListingKey): void {
    this.#set(key, undefined)
  }

  #set(key: ListingKey, after: Listing | undefined): void {
    const name = nameOf(key)
    const listing = this.#listings.get(name)
    if (listing) listing.after = after
    else this.#listings.set(name, { before: undefined, after })
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
    return [...this.#listings.values()].filter(({ before, after }) => after !== before)
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

const nameOf = ({ sellerId, marketplaceId, sku }: ListingKey) => `${sellerId} ${marketplaceId} ${sku}`
const offerNameOf = (key: OfferKey) => `${nameOf(key)} ${key.asin}`
