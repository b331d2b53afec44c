import {
  addCatalogItem,
  type CatalogItem,
  findCatalogItem,
  findRestrictions,
  lockIdentifiers,
  MAX_ATTRIBUTE_BYTES,
  restrictionsFor,
} from '../../../marketplace/catalog/index.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Attributes } from '../domain/attributes.ts'
import { checkImages, publicImageOf } from '../domain/images.ts'
import type { Issue } from '../domain/issues.ts'
import { assessListing, type Listing } from '../domain/listing.ts'
import { denormalizeTerms, parseTerms, type SaleTerms, type TermsContext } from '../domain/sale-terms.ts'
import { findAsinByIdentifiers, IDENTIFIER_ATTRIBUTE, parseIdentifiers } from './new-products.ts'

export interface Processed {
  listing: Listing
  terms: SaleTerms
  /** Present if the product is new: its search words are still to be written. */
  newItem?: CatalogItem
}

/** The result of the first stage of a submission. */
export interface Submitted {
  listing: Listing
  terms: SaleTerms
  product: Attributes
}

/** Prepares a stored listing for processing. Reads the sale terms again: most listings return because a price is due. */
export function toSubmitted(submitted: Listing, context: TermsContext): Submitted {
  const terms = parseTerms(JSON.parse(submitted.offerAttributes), context)
  const { price: _, quantity: __, ...rest } = submitted
  return { listing: { ...rest, ...denormalizeTerms(terms) }, terms, product: JSON.parse(submitted.productAttributes) }
}

/** The second stage of a submission: matches the listing with a catalog item and checks restrictions and images. */
export async function processListing(
  tx: Transaction,
  ids: Ids,
  { listing, terms, product }: Submitted,
  { now, currencyCode }: TermsContext,
): Promise<Processed> {
  const finish = (processed: Listing, newItem?: CatalogItem): Processed => ({
    listing: Object.assign(processed, assessListing(processed, terms, currencyCode)),
    terms,
    ...(newItem && { newItem }),
  })
  if (listing.state === 'UNKNOWN') return finish({ ...listing, issues: [{ kind: 'unknownSku' }] })
  const match = await findProduct(tx, ids, listing, product, now)
  const issues: Issue[] = 'issue' in match ? [match.issue] : []
  // A new item has no restrictions.
  if ('asin' in match && !match.newItem) issues.push(...(await findRestrictionIssues(tx, listing, match.asin, terms)))
  if (listing.requirements !== 'LISTING_OFFER_ONLY') issues.push(...checkImages(product))
  const found = 'asin' in match ? { state: 'LIVE' as const, asin: match.asin } : {}
  const fnSku = 'asin' in match && terms.channel !== 'DEFAULT' ? { fnSku: listing.fnSku ?? ids.next('fnSku') } : {}
  return finish({ ...listing, ...found, ...fnSku, issues }, 'asin' in match ? match.newItem : undefined)
}

type ProductMatch = { asin: string; newItem?: CatalogItem } | { issue: Issue }

/** Finds the catalog item of a listing, or creates it. */
async function findProduct(
  tx: Transaction,
  ids: Ids,
  listing: Listing,
  product: Attributes,
  now: Date,
): Promise<ProductMatch> {
  if (listing.asin !== undefined) return { asin: listing.asin }
  const { marketplaceId } = listing
  const suggested = product.merchant_suggested_asin?.[0]?.value
  const asin = typeof suggested === 'string' ? suggested : undefined
  const suggestedItem = asin === undefined ? undefined : await findCatalogItem(tx, { marketplaceId, asin })
  const identifiers = parseIdentifiers(marketplaceId, product[IDENTIFIER_ATTRIBUTE])
  const findMatch = () => findAsinByIdentifiers(tx, identifiers)
  const matchedAsin = await findMatch()
  if (suggestedItem && matchedAsin !== undefined && matchedAsin !== suggestedItem.asin) {
    return { issue: { kind: 'conflictingMatch', attribute: 'merchant_suggested_asin' } }
  }
  const match = suggestedItem?.asin ?? matchedAsin
  if (match !== undefined) return { asin: match }
  if (listing.requirements === 'LISTING_OFFER_ONLY' || asin !== undefined) {
    return { issue: { kind: 'noMatch', attribute: 'merchant_suggested_asin' } }
  }
  // Another transaction may have been adding an item with the same identifier.
  if (await lockIdentifiers(tx, identifiers)) {
    const added = await findMatch()
    if (added !== undefined) return { asin: added }
  }
  for (;;) {
    const item = toCatalogItem(listing, product, ids.next('asin'))
    if (await addCatalogItem(tx, item, now)) return { asin: item.asin, newItem: item }
  }
}

async function findRestrictionIssues(
  tx: Transaction,
  listing: Listing,
  asin: string,
  terms: SaleTerms,
): Promise<Issue[]> {
  const restrictions = await findRestrictions(tx, { marketplaceId: listing.marketplaceId, asin })
  const own = restrictionsFor({ restrictions }, listing.sellerId, terms.conditionType)
  return own.length > 0 ? [{ kind: 'restricted', attribute: 'condition_type' }] : []
}

function toCatalogItem(listing: Listing, product: Attributes, asin: string): CatalogItem {
  const text = (name: string) => {
    const value = product[name]?.[0]?.value
    // Cut by code points: half of a surrogate pair cannot be stored.
    return typeof value === 'string' && value !== '' ? Array.from(value).slice(0, 500).join('') : undefined
  }
  const optional = (key: string, name: string) => {
    const value = text(name)
    return value === undefined ? {} : { [key]: value }
  }
  const mainImage = publicImageOf(product)
  return {
    marketplaceId: listing.marketplaceId,
    asin,
    productType: listing.productType,
    itemName: text('item_name') ?? listing.sku,
    ...optional('brand', 'brand'),
    ...optional('manufacturer', 'manufacturer'),
    ...optional('modelNumber', 'model_number'),
    ...optional('color', 'color'),
    ...optional('style', 'style'),
    identifiers: parseIdentifiers(listing.marketplaceId, product[IDENTIFIER_ATTRIBUTE])
      .filter(({ value }) => /^[0-9]{8,14}$|^[0-9]{9}X$/.test(value))
      .map(({ type, value }) => ({ type, value })),
    ...(mainImage !== undefined && { images: [{ variant: 'MAIN', link: mainImage, height: 1000, width: 1000 }] }),
    ...(listing.productAttributes.length <= MAX_ATTRIBUTE_BYTES && { attributes: product }),
  }
}
