import { MAX_ATTRIBUTE_BYTES, type NewCatalogItem, restrictionsFor } from '../../../marketplace/catalog/index.ts'
import type { Requirements } from '../../../marketplace/product-types/index.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Attributes } from '../domain/attributes.ts'
import { checkImages, publicImageOf } from '../domain/images.ts'
import type { Issue } from '../domain/issues.ts'
import { assessListing, type Listing } from '../domain/listing.ts'
import { denormalizeTerms, parseTerms, type SaleTerms, type TermsContext } from '../domain/sale-terms.ts'
import {
  IDENTIFIER_ATTRIBUTE,
  type ProductQuery,
  type Products,
  parseIdentifiers,
  parseSuggestion,
  SUGGESTION_ATTRIBUTE,
} from './products.ts'

export interface Processed {
  listing: Listing
  terms: SaleTerms
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

/** What `processListing` must know of products. */
export function productQueryOf(
  {
    marketplaceId,
    asin,
    requirements,
  }: Pick<Listing, 'marketplaceId' | 'asin'> & { requirements: Requirements | undefined },
  product: Readonly<Record<string, unknown>>,
): ProductQuery {
  const suggestedAsin = parseSuggestion(product[SUGGESTION_ATTRIBUTE])
  return {
    marketplaceId,
    asin,
    suggestedAsin,
    identifiers: parseIdentifiers(marketplaceId, product[IDENTIFIER_ATTRIBUTE]),
    mayBeNew: requirements !== 'LISTING_OFFER_ONLY' && suggestedAsin === undefined,
  }
}

/** The second stage of a submission: matches the listing with a catalog item and checks restrictions and images. */
export async function processListing(
  tx: Transaction,
  { ids, products }: { ids: Ids; products: Products },
  { listing, terms, product }: Submitted,
  { currencyCode }: TermsContext,
): Promise<Processed> {
  const finish = (processed: Listing): Processed => ({
    listing: Object.assign(processed, assessListing(processed, terms, currencyCode)),
    terms,
  })
  if (listing.state === 'UNKNOWN') return finish({ ...listing, issues: [{ kind: 'unknownSku' }] })
  const query = productQueryOf(listing, product)
  if (!products.has(query)) await products.read(tx, ids, [query])
  const match = findProduct(products, query, listing, product)
  const issues: Issue[] = 'issue' in match ? [match.issue] : []
  if ('asin' in match) issues.push(...findRestrictionIssues(products, listing, match.asin, terms))
  if (listing.requirements !== 'LISTING_OFFER_ONLY') issues.push(...checkImages(product))
  const found = 'asin' in match ? { state: 'LIVE' as const, asin: match.asin } : {}
  const fnSku = 'asin' in match && terms.channel !== 'DEFAULT' ? { fnSku: listing.fnSku ?? ids.next('fnSku') } : {}
  return finish({ ...listing, ...found, ...fnSku, issues })
}

/** Finds the catalog item of a listing, or adds it. */
function findProduct(
  products: Products,
  query: ProductQuery,
  listing: Listing,
  product: Attributes,
): { asin: string } | { issue: Issue } {
  if (query.asin !== undefined) return { asin: query.asin }
  const { suggested, identified } = products.match(query)
  if (suggested !== undefined && identified !== undefined && identified !== suggested) {
    return { issue: { kind: 'conflictingMatch', attribute: SUGGESTION_ATTRIBUTE } }
  }
  const asin = suggested ?? identified
  if (asin !== undefined) return { asin }
  if (!query.mayBeNew) return { issue: { kind: 'noMatch', attribute: SUGGESTION_ATTRIBUTE } }
  const item = toCatalogItem(listing, product, products.takeAsin(listing.marketplaceId))
  products.add(item)
  return { asin: item.asin }
}

function findRestrictionIssues(products: Products, listing: Listing, asin: string, terms: SaleTerms): Issue[] {
  const restrictions = products.restrictionsOf(listing.marketplaceId, asin)
  const own = restrictionsFor({ restrictions }, listing.sellerId, terms.conditionType)
  return own.length > 0 ? [{ kind: 'restricted', attribute: 'condition_type' }] : []
}

const MAX_TEXT_LENGTH = 500

function toCatalogItem(listing: Listing, product: Attributes, asin: string): NewCatalogItem {
  const text = (name: string) => {
    const value = product[name]?.[0]?.value
    if (typeof value !== 'string' || value === '') return undefined
    // Cut by code points: half of a surrogate pair cannot be stored.
    return value.length <= MAX_TEXT_LENGTH ? value : Array.from(value).slice(0, MAX_TEXT_LENGTH).join('')
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
    ...(listing.productAttributes.length <= MAX_ATTRIBUTE_BYTES && { attributesJson: listing.productAttributes }),
  }
}
