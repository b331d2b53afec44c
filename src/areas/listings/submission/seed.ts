import type { OfferWriter } from '../../../marketplace/offers/offers.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { type Attributes, itemNameOf } from '../domain/attributes.ts'
import { checkImages, mainImageOf } from '../domain/images.ts'
import type { Issue } from '../domain/issues.ts'
import { assessListing, type Listing } from '../domain/listing.ts'
import { denormalizeTerms, parseTerms } from '../domain/sale-terms.ts'
import { upsertListings } from '../store/listing-store.ts'
import { toOffer } from './listing-offer.ts'

/** A listing of the demo data. Its attributes are not validated. */
export interface ListingSeed {
  sellerId: string
  sku: string
  marketplaceId: string
  currencyCode: string
  productType: string
  /** Absent for an unknown SKU. */
  asin?: string
  /** Present for marketplace-fulfilled listings. */
  fnSku?: string
  product: Attributes
  offer: Attributes
  isRestricted: boolean
  createdAt: Date
}

const RESTRICTED: Issue = { kind: 'restricted', attribute: 'condition_type' }

/** Writes listings as if submitted and processed, in a few statements. */
export async function seedListings(
  tx: Transaction,
  offers: OfferWriter,
  seeds: readonly ListingSeed[],
  now: Date,
): Promise<void> {
  const listings = seeds.map((seed) => {
    const { currencyCode, product, offer, asin, isRestricted, ...rest } = seed
    const terms = parseTerms(offer, { now, currencyCode })
    const draft: Listing = {
      ...rest,
      state: asin === undefined ? 'UNKNOWN' : 'LIVE',
      requirements: 'LISTING',
      asin,
      itemName: itemNameOf(product),
      mainImage: mainImageOf(product),
      ...denormalizeTerms(terms),
      hasRelations: false,
      isBuyable: false,
      isDiscoverable: false,
      productAttributes: JSON.stringify(product),
      offerAttributes: JSON.stringify(offer),
      issues:
        asin === undefined
          ? [{ kind: 'unknownSku' }]
          : [...(isRestricted ? [RESTRICTED] : []), ...checkImages(product)],
      createdAt: seed.createdAt.toISOString(),
      updatedAt: seed.createdAt.toISOString(),
    }
    return { ...draft, ...assessListing(draft, terms, currencyCode) }
  })
  await upsertListings(tx, listings)
  await offers.write(
    tx,
    listings.map((listing) => toOffer(listing, now)).filter((offer) => offer !== undefined),
  )
}
