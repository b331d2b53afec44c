import { MAX_VIOLATIONS, type ProductType, type Requirements } from '../../../marketplace/product-types/index.ts'
import { toIsoTime } from '../../../platform/clock/iso-time.ts'
import { type Attributes, applyPatch, type Entry, itemNameOf, localize, type Patch } from './attributes.ts'
import { mainImageOf } from './images.ts'
import { fromViolation, hasErrors, type Issue } from './issues.ts'
import { assessListing, type Listing, type ListingKey } from './listing.ts'
import { RELATION_ATTRIBUTES } from './relations.ts'
import { denormalizeTerms, parseTerms, type SaleTerms, type TermsContext } from './sale-terms.ts'

// Of a request, in all its marketplaces. Each merge and each delete looks at all stored entries of its attribute, which
// may be 500, and a request may have 500 of them.
const MAX_COMPARED_ENTRIES = 10_000
const COMPARED_ENTRIES_LIMIT = `${MAX_COMPARED_ENTRIES} entries that all merges and deletes together compare`

export type Change =
  | { operation: 'PUT'; productType: ProductType; requirements: Requirements; attributes: Record<string, unknown> }
  | { operation: 'PATCH'; productType: ProductType; patches: readonly Patch[] }

export interface ChangeResult {
  issues: Issue[]
  /** Absent if there are errors. */
  listing?: Listing
  terms?: SaleTerms
  /** The product attributes, if the change parsed them. */
  product?: Attributes
  /** Names of the attributes in the change, with duplicates. */
  touched: readonly string[]
}

export interface ChangeContext extends TermsContext {
  key: ListingKey
  /** All marketplaces of the request: entries may refer to any of them. */
  marketplaceIds: readonly string[]
}

/** Applies a change in memory, for one marketplace. Does no I/O, so previews use it too. */
export function applyChange(before: Listing | undefined, change: Change, context: ChangeContext): ChangeResult {
  return change.operation === 'PUT' ? applyPut(before, change, context) : applyPatches(before, change, context)
}

function applyPut(
  before: Listing | undefined,
  change: Extract<Change, { operation: 'PUT' }>,
  context: ChangeContext,
): ChangeResult {
  const { productType, requirements } = change
  // Stored attributes that the request omits are removed, so they are touched too. Only relations matter to the caller.
  const removed = RELATION_ATTRIBUTES.filter(
    (name) => before?.hasRelations && before.productAttributes.includes(`"${name}":`),
  )
  const touched = [...Object.keys(change.attributes), ...removed]
  const attributes = productType.normalizeAttributes(change.attributes)
  const issues = productType.checkAll(attributes, requirements).map(fromViolation)
  if (hasErrors(issues)) return { issues, touched }

  // The attributes that the requirements cover are replaced; the other stored attributes stay unless the request has them.
  const product = requirements === 'LISTING_OFFER_ONLY' ? parse(before?.productAttributes) : {}
  const offer = requirements === 'LISTING_PRODUCT_ONLY' ? parse(before?.offerAttributes) : {}
  for (const [name, entries] of Object.entries(attributes as Attributes)) {
    issues.push(...findForeignMarketplace(name, entries, context.marketplaceIds))
    const own = localize(entries, context.key.marketplaceId)
    if (own.length > 0) (productType.isOffer(name) ? offer : product)[name] = own
  }
  if (hasErrors(issues)) return { issues, touched }
  const listing: Listing = {
    ...emptyListing(before, context),
    state: before?.state === 'LIVE' ? 'LIVE' : 'NEW',
    productType: productType.name,
    requirements: mergeRequirements(before, requirements),
    issues: before?.state === 'LIVE' ? before.issues : [],
  }
  return checkSize(issues, touched, completeListing(listing, { product, offer }, context))
}

/** Product and offer together are a full listing, and a full listing stays one. */
function mergeRequirements(before: Listing | undefined, requirements: Requirements): Requirements {
  const isKnown = before !== undefined && before.state !== 'UNKNOWN'
  return isKnown && before.requirements !== requirements ? 'LISTING' : requirements
}

function applyPatches(
  before: Listing | undefined,
  change: Extract<Change, { operation: 'PATCH' }>,
  context: ChangeContext,
): ChangeResult {
  const { productType, patches } = change
  const listing = before ?? emptyListing(undefined, context, productType.name)
  const parts = new AttributeParts(listing)
  const issues: Issue[] = []
  const touched = patches.map(({ attribute }) => attribute)
  const removed = new Set<string>()
  let comparedEntries = 0
  for (const { op, attribute, value } of patches) {
    // Hundreds of patches may have many violations each, and a feed stores all of them.
    if (issues.length >= MAX_VIOLATIONS) break
    const entries = value && (productType.normalize(attribute, value) as readonly Entry[])
    const patchIssues = checkPatch(productType, op, attribute, entries, context.marketplaceIds)
    issues.push(...patchIssues)
    if (hasErrors(patchIssues)) continue
    const own = entries && localize(entries, context.key.marketplaceId)
    // All entries are for other marketplaces of the request.
    if (own?.length === 0 && entries?.length !== 0) continue
    const part = parts.of(productType.isOffer(attribute))
    if (own && (op === 'merge' || op === 'delete')) comparedEntries += own.length + (part[attribute]?.length ?? 0)
    if (comparedEntries * context.marketplaceIds.length > MAX_COMPARED_ENTRIES) {
      issues.push({ kind: 'aboveMaximum', attribute, place: '', limit: COMPARED_ENTRIES_LIMIT })
      break
    }
    const after = applyPatch(part[attribute], op, own, productType.selectors(attribute))
    const violations = op === 'merge' ? productType.check(attribute, after).map(fromViolation) : []
    issues.push(...violations)
    if (violations.length > 0) continue
    if (after) {
      part[attribute] = after
      removed.delete(attribute)
    } else {
      delete part[attribute]
      removed.add(attribute)
    }
  }
  // Checked after the last patch: a later patch may set a removed attribute again.
  for (const attribute of removed) {
    if (isRequired(before, productType, attribute)) issues.push({ kind: 'required', attribute })
  }
  if (hasErrors(issues)) return { issues: issues.slice(0, MAX_VIOLATIONS), touched }
  return checkSize(issues, touched, completeListing(listing, parts.changed(), context))
}

function checkPatch(
  productType: ProductType,
  op: Patch['op'],
  attribute: string,
  entries: readonly Entry[] | undefined,
  marketplaceIds: readonly string[],
): readonly Issue[] {
  if (!productType.has(attribute)) return [{ kind: 'unknown', attribute }]
  if (entries === undefined) return []
  // Entries to delete contain only selectors, and merged entries are checked after the merge.
  const violations = op === 'delete' || op === 'merge' ? [] : productType.check(attribute, entries)
  if (violations.length > 0) return violations.map(fromViolation)
  const invalidIndex = entries.findIndex((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry))
  if (invalidIndex !== -1) return [{ kind: 'invalid', attribute, place: `[${invalidIndex}]`, limit: 'object' }]
  return findForeignMarketplace(attribute, entries, marketplaceIds)
}

// An unknown SKU has no required attributes.
const isRequired = (before: Listing | undefined, productType: ProductType, attribute: string) =>
  before !== undefined && before.state !== 'UNKNOWN' && productType.required(before.requirements).includes(attribute)

const NONE: readonly Issue[] = []

/** Finds an entry for a marketplace that is not part of the request. */
function findForeignMarketplace(
  attribute: string,
  entries: readonly Entry[],
  marketplaceIds: readonly string[],
): readonly Issue[] {
  const index = entries.findIndex(
    ({ marketplace_id: id }) => id !== undefined && !marketplaceIds.includes(id as string),
  )
  if (index === -1) return NONE
  const id = entries[index]?.marketplace_id
  const limit = typeof id === 'string' ? id.slice(0, 50) : typeof id
  return [{ kind: 'foreignMarketplace', attribute, place: `[${index}].marketplace_id`, limit }]
}

/** The product and offer attributes of a listing, parsed on first use. */
class AttributeParts {
  readonly #listing: Listing
  #product: Attributes | undefined
  #offer: Attributes | undefined

  constructor(listing: Listing) {
    this.#listing = listing
  }

  of(isOffer: boolean): Attributes {
    if (isOffer) {
      this.#offer ??= parse(this.#listing.offerAttributes)
      return this.#offer
    }
    this.#product ??= parse(this.#listing.productAttributes)
    return this.#product
  }

  changed(): { product?: Attributes; offer?: Attributes } {
    return { ...(this.#product && { product: this.#product }), ...(this.#offer && { offer: this.#offer }) }
  }
}

// A search response contains up to 20 listings.
const MAX_ATTRIBUTE_CHARACTERS = 500_000

const parse = (text: string | undefined): Attributes => (text === undefined ? {} : JSON.parse(text))

/** Sets the quantity that is left after a sale or a cancellation. */
export function changeQuantity(before: Listing, quantity: number, context: TermsContext): ChangeResult {
  const offer = parse(before.offerAttributes)
  const [availability, ...others] = offer.fulfillment_availability ?? []
  offer.fulfillment_availability = [{ ...availability, quantity }, ...others]
  return { issues: [], touched: ['fulfillment_availability'], ...completeListing(before, { offer }, context) }
}

function checkSize(issues: Issue[], touched: readonly string[], completed: Completed): ChangeResult {
  const { productAttributes, offerAttributes } = completed.listing
  if (productAttributes.length + offerAttributes.length <= MAX_ATTRIBUTE_CHARACTERS)
    return { issues, touched, ...completed }
  const [attribute = ''] = touched
  const limit = `${MAX_ATTRIBUTE_CHARACTERS} characters in all`
  return { issues: [...issues, { kind: 'aboveMaximum', attribute, place: '', limit }], touched }
}

type Completed = Required<Pick<ChangeResult, 'listing' | 'terms'>> & Pick<ChangeResult, 'product'>

function completeListing(
  listing: Listing,
  { product, offer }: { product?: Attributes; offer?: Attributes },
  context: TermsContext,
): Completed {
  const terms = parseTerms(offer ?? parse(listing.offerAttributes), context)
  const after: Listing = { ...listing, ...denormalizeTerms(terms), updatedAt: toIsoTime(context.now) }
  if (product) {
    after.productAttributes = JSON.stringify(product)
    after.itemName = itemNameOf(product)
    after.mainImage = mainImageOf(product)
  }
  if (offer) after.offerAttributes = JSON.stringify(offer)
  return { terms, product, listing: Object.assign(after, assessListing(after, terms, context.currencyCode)) }
}

function emptyListing(before: Listing | undefined, context: ChangeContext, productType = ''): Listing {
  const { key, now } = context
  return (
    before ?? {
      ...key,
      state: 'UNKNOWN',
      productType,
      requirements: 'LISTING',
      ...denormalizeTerms(parseTerms({}, context)),
      hasRelations: false,
      isBuyable: false,
      isDiscoverable: false,
      productAttributes: '{}',
      offerAttributes: '{}',
      issues: [],
      createdAt: toIsoTime(now),
      updatedAt: toIsoTime(now),
    }
  )
}
