import { type Offer, type OfferKey, offerId } from '../../../marketplace/offers/offers.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { NewEvent } from '../../../platform/outbox/outbox.ts'
import type { Listing, ListingKey } from '../domain/listing.ts'
import type { ListingRelations, Relation } from '../domain/relations.ts'
import type { ListingChange } from '../store/listing-store.ts'
import { Products } from './products.ts'

/** Listings that are loaded and written together. Later changes of a batch see the earlier ones before they are written. */
export class Batch {
  readonly #listings: Map<string, BatchEntry>
  readonly #relations = new Map<string, ListingRelations>()
  readonly #offers = new Map<string, OfferChange>()
  readonly events: NewEvent[] = []
  readonly products: Products
  readonly #scheduledJobs = new Map<string, ScheduledJob>()
  #changedAt: Date | undefined

  constructor(stored: readonly Listing[], products = new Products()) {
    this.products = products
    this.#listings = new Map(
      stored.map((listing) => [listingId(listing), { before: listing, after: listing, isRemoved: false }]),
    )
  }

  /**
   * When its changes happen: all at the same time, so that their events share rows. Asked for after the listings are
   * locked.
   */
  changedAt(clock: Clock): Date {
    this.#changedAt ??= clock.now()
    return this.#changedAt
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

  /** The earliest time wins. */
  scheduleProcessing(key: ListingKey, at: Date): void {
    const scheduled = this.#scheduledJobs.get(listingId(key))
    if (!scheduled || at < scheduled.at) this.#scheduledJobs.set(listingId(key), { key, at })
  }

  get scheduledJobs(): ScheduledJob[] {
    return [...this.#scheduledJobs.values()]
  }

  setRelations(key: ListingKey, relations: readonly Relation[]): void {
    this.#relations.set(listingId(key), { key, relations })
  }

  putOffer(offer: Offer): void {
    this.#offers.set(offerId(offer), { key: offer, offer })
  }

  removeOffer(key: OfferKey): void {
    this.#offers.set(offerId(key), { key, offer: undefined })
  }

  get changes(): ListingChange[] {
    return [...this.#listings.values()].flatMap(({ before, after, isRemoved }) => {
      if (after === before) return []
      // A listing that is deleted and created again is a new one, with a new creation date.
      if (isRemoved && before && after) return [toRemoval(before), { before: undefined, after }]
      return [{ before, after }]
    })
  }

  get relations(): ListingRelations[] {
    return [...this.#relations.values()]
  }

  get changedOffers(): Offer[] {
    return [...this.#offers.values()].flatMap(({ offer }) => offer ?? [])
  }

  get removedOffers(): OfferKey[] {
    return [...this.#offers.values()].flatMap(({ key, offer }) => (offer ? [] : key))
  }
}

interface BatchEntry extends ListingChange {
  isRemoved: boolean
}

const toRemoval = (before: Listing): ListingChange => ({ before, after: undefined })

interface OfferChange {
  key: OfferKey
  /** Undefined if the offer is removed. */
  offer: Offer | undefined
}

interface ScheduledJob {
  key: ListingKey
  at: Date
}

export const listingId = ({ sellerId, marketplaceId, sku }: ListingKey) => `${sellerId} ${marketplaceId} ${sku}`
