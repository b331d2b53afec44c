import type { OfferWriter } from '../../../marketplace/offers/offers.ts'
import type { Requirements } from '../../../marketplace/product-types/index.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import type { JobQueue } from '../../../platform/jobs/port.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { type Attributes, itemNameOf } from '../domain/attributes.ts'
import { checkImages, mainImageOf } from '../domain/images.ts'
import type { Issue } from '../domain/issues.ts'
import { assessListing, type Listing, type ListingState } from '../domain/listing.ts'
import { parseRelations, RELATION_ATTRIBUTES } from '../domain/relations.ts'
import { denormalizeTerms, fulfillmentTypeOf, parseTerms, type SaleTerms } from '../domain/sale-terms.ts'
import { listAllListings, upsertListings } from '../store/listing-store.ts'
import { addRelations } from '../store/relation-store.ts'
import { toOffer } from './listing-offer.ts'
import { enqueueProcessing } from './queue.ts'

/** A listing as it is, without the request that made it so. Its attributes satisfy their schemas. */
export interface ListingSeed {
  sellerId: string
  sku: string
  marketplaceId: string
  currencyCode: string
  productType: string
  /** Default: LISTING. */
  requirements?: Requirements
  /** Default: LIVE with an ASIN, otherwise NEW, which is processed. */
  state?: ListingState
  asin?: string
  /** Present for marketplace-fulfilled listings. */
  fnSku?: string
  product: Attributes
  offer: Attributes
  isRestricted: boolean
  /** Default: those that processing finds. */
  issues?: readonly Issue[]
  createdAt: Date
  /** Default: when it was created. */
  updatedAt?: Date
}

export interface ListingSeedDependencies {
  offers: OfferWriter
  jobs: JobQueue
  /** Between the submission of a listing and its processing. */
  delayMilliseconds: number
}

const RESTRICTED: Issue = { kind: 'restricted', attribute: 'condition_type' }

/** Writes listings as if submitted and processed, in a few statements. */
export async function seedListings(
  tx: Transaction,
  { offers, jobs, delayMilliseconds }: ListingSeedDependencies,
  seeds: readonly ListingSeed[],
  now: Date,
): Promise<void> {
  const built = seeds.map((seed) => build(seed, now))
  const listings = built.map(({ listing }) => listing)
  await upsertListings(tx, listings)
  await addRelations(
    tx,
    listings.filter(declaresRelations).map((listing) => ({ key: listing, relations: parseRelations(listing) })),
  )
  await offers.write(
    tx,
    listings.map((listing) => toOffer(listing, now)).filter((offer) => offer !== undefined),
  )
  for (const [index, { listing, terms }] of built.entries()) {
    const isNew = listing.state === 'NEW' && seeds[index]?.issues === undefined
    // One that was exported while it waited goes on waiting, but not until a time that the clock has not reached.
    const submittedAt = Math.min(now.getTime(), Date.parse(listing.updatedAt))
    const processedAt = new Date(Math.max(now.getTime(), submittedAt + delayMilliseconds))
    const runAt = isNew ? processedAt : terms.nextChangeAt
    if (runAt) await enqueueProcessing(tx, jobs, listing, runAt)
  }
}

/** Lists the listings of all sellers as seeds. `isRestricted` and the currency are the caller's to know. */
export async function listListingSeeds(
  reader: Reader,
  page: PageRequest,
): Promise<Omit<ListingSeed, 'isRestricted' | 'currencyCode'>[]> {
  return (await listAllListings(reader, page)).map((listing) => ({
    sellerId: listing.sellerId,
    sku: listing.sku,
    marketplaceId: listing.marketplaceId,
    productType: listing.productType,
    requirements: listing.requirements,
    state: listing.state,
    ...(listing.asin !== undefined && { asin: listing.asin }),
    ...(listing.fnSku !== undefined && { fnSku: listing.fnSku }),
    product: JSON.parse(listing.productAttributes),
    offer: JSON.parse(listing.offerAttributes),
    issues: listing.issues,
    createdAt: new Date(listing.createdAt),
    updatedAt: new Date(listing.updatedAt),
  }))
}

/** What buyers see of a listing. */
export function describeListing(seed: Pick<ListingSeed, 'product' | 'offer' | 'currencyCode'>, now: Date) {
  const terms = parseTerms(seed.offer, { now, currencyCode: seed.currencyCode })
  const fulfillmentType = fulfillmentTypeOf(terms)
  return {
    title: itemNameOf(seed.product),
    priceMinor: terms.price?.minor,
    fulfillmentType,
    conditionType: terms.conditionType,
    /** Whether orders take their pieces from its quantity. */
    countsStock: fulfillmentType === 'MFN' && terms.quantity !== undefined,
  }
}

/** The issues that a listing has if its seed does not say. */
export const issuesByDefault = ({ issues: _, ...seed }: ListingSeed, now: Date): readonly Issue[] =>
  build(seed, now).listing.issues

function build(seed: ListingSeed, now: Date): { listing: Listing; terms: SaleTerms } {
  const { currencyCode, product, offer, asin, isRestricted, issues, ...rest } = seed
  const terms = parseTerms(offer, { now, currencyCode })
  const draft: Listing = {
    ...rest,
    state: seed.state ?? (asin === undefined ? 'NEW' : 'LIVE'),
    requirements: seed.requirements ?? 'LISTING',
    asin,
    itemName: itemNameOf(product),
    mainImage: mainImageOf(product),
    ...denormalizeTerms(terms),
    hasRelations: false,
    isBuyable: false,
    isDiscoverable: false,
    productAttributes: JSON.stringify(product),
    offerAttributes: JSON.stringify(offer),
    issues: [],
    createdAt: seed.createdAt.toISOString(),
    updatedAt: (seed.updatedAt ?? seed.createdAt).toISOString(),
  }
  draft.issues = issues ?? findIssues(draft, product, isRestricted)
  const assessed = { ...draft, ...assessListing(draft, terms, currencyCode) }
  return { listing: issues ? { ...assessed, issues } : assessed, terms }
}

function findIssues({ state, requirements }: Listing, product: Attributes, isRestricted: boolean): Issue[] {
  if (state === 'UNKNOWN') return [{ kind: 'unknownSku' }]
  if (state === 'NEW') return []
  return [...(isRestricted ? [RESTRICTED] : []), ...(requirements === 'LISTING_OFFER_ONLY' ? [] : checkImages(product))]
}

const declaresRelations = ({ productAttributes }: Listing) =>
  RELATION_ATTRIBUTES.some((name) => productAttributes.includes(`"${name}":`))
