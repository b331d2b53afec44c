import type { MarketKey } from '../../marketplace/market/index.ts'
import type { NewEvent } from '../../platform/outbox/outbox.ts'
import type { Listing, ListingKey } from './listing.ts'

/** The listings that a batch is about, read in one go. What the batch writes is seen by the rest of it. */
export class KnownListings {
  readonly #listings: Map<string, Listing>

  constructor(listings: readonly Listing[]) {
    this.#listings = new Map(listings.map((listing) => [nameOf(listing), listing]))
  }

  find(key: ListingKey): Listing | undefined {
    return this.#listings.get(nameOf(key))
  }

  put(listing: Listing): void {
    this.#listings.set(nameOf(listing), listing)
  }

  remove(key: ListingKey): void {
    this.#listings.delete(nameOf(key))
  }
}

const nameOf = ({ sellerId, marketplaceId, sku }: ListingKey) => `${sellerId} ${marketplaceId} ${sku}`

/** What follows from changes to listings, gathered so that it is done once for all of a batch. */
export interface Aftermath {
  events: NewEvent[]
  /** Those in which an offer was written: what was worked out of them is to be forgotten. */
  markets: MarketKey[]
}

export const noAftermath = (): Aftermath => ({ events: [], markets: [] })
