import { MOST_VIOLATIONS, type ProductType, type Requirements } from '../../../marketplace/product-types/index.ts'
import { type Attributes, applyPatch, type Entry, itemNameOf, localize, type Patch } from './attributes.ts'
import { mainImageOf } from './images.ts'
import { fromViolation, hasErrors, type Issue } from './issues.ts'
import { assessListing, type Listing, type ListingKey } from './listing.ts'
import { RELATION_ATTRIBUTES } from './relations.ts'
import { denormalizeTerms, parseTerms, type SaleTerms, type TermsContext } from './sale-terms.ts'

/** What a seller wants of a listing. */
export type Change =
  | { operation: 'PUT'; productType: ProductType; requirements: Requirements; attributes: Record<string, unknown> }
  | { operation: 'PATCH'; productType: ProductType; patches: readonly Patch[] }

/** A listing as a change would leave it, or what is wrong with the change. */
export interface ChangeResult {
  issues: Issue[]
  /** Absent when there are errors. */
  listing?: Listing
  terms?: SaleTerms
  /** The attributes that describe the product, where the change had them taken apart. */
  product?: Attributes
  /** The names of the attributes that it is about; one may be there twice. */
  touched: readonly string[]
}

export interface ChangeContext extends TermsContext {
  key: ListingKey
  /** All marketplaces of the request: entries may name one of them. */
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
  // What is there and is not given again is touched as well: it goes. Only of relations does anybody have to know.
  const gone = RELATION_ATTRIBUTES.filter(
    (name) => before?.hasRelations && before.productAttributes.includes(`"${name}":`),
  )
  const touched = [...Object.keys(change.attributes), ...gone]
  const attributes = productType.normalizeAttributes(change.attributes)
  const issues = productType.checkAll(attributes, requirements).map(fromViolation)
  if (hasErrors(issues)) return { issues, touched }

  // What the requirements are about is replaced whole; anything else is left as it is unless it is given.
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

/** A listing that has one half and is given the other is a whole one, and one that is whole stays so. */
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
  for (const { op, attribute, value } of patches) {
    // As with a whole set of attributes: hundreds of patches may have many faults each, and a feed keeps all of them.
    if (issues.length >= MOST_VIOLATIONS) break
    const entries = value && (productType.normalize(attribute, value) as readonly Entry[])
    const patchIssues = checkPatch(productType, op, attribute, entries, context.marketplaceIds)
    issues.push(...patchIssues)
    if (hasErrors(patchIssues)) continue
    const own = entries && localize(entries, context.key.marketplaceId)
    // Entries for other marketplaces say nothing of this one.
    if (own?.length === 0 && entries?.length !== 0) continue
    const part = parts.of(productType.isOffer(attribute))
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
  // Once all are applied: what is removed may be set again by the same request.
  for (const attribute of removed) {
    if (isRequired(before, productType, attribute)) issues.push({ kind: 'required', attribute })
  }
  if (hasErrors(issues)) return { issues: issues.slice(0, MOST_VIOLATIONS), touched }
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
  // What is to be deleted is named by its selectors, and need not be whole; what is merged is checked once it is.
  const violations = op === 'delete' || op === 'merge' ? [] : productType.check(attribute, entries)
  if (violations.length > 0) return violations.map(fromViolation)
  const invalidIndex = entries.findIndex((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry))
  if (invalidIndex !== -1) return [{ kind: 'invalid', attribute, place: `[${invalidIndex}]`, limit: 'object' }]
  return findForeignMarketplace(attribute, entries, marketplaceIds)
}

// There is no record of a SKU that is not known, so nothing is required of it either.
const isRequired = (before: Listing | undefined, productType: ProductType, attribute: string) =>
  before !== undefined && before.state !== 'UNKNOWN' && productType.required(before.requirements).includes(attribute)

const NONE: readonly Issue[] = []

/** Whether an entry is for a marketplace that the request is not for. */
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

/** The two parts of a listing's attributes, each taken apart only when it is needed. */
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

// An answer of a search holds twenty of them.
const MAX_ATTRIBUTE_CHARACTERS = 500_000

const parse = (text: string | undefined): Attributes => (text === undefined ? {} : JSON.parse(text))

/** What passes all checks may still be more than anybody should have to read. */
function checkSize(issues: Issue[], touched: readonly string[], done: Completed): ChangeResult {
  const { productAttributes, offerAttributes } = done.listing
  if (productAttributes.length + offerAttributes.length <= MAX_ATTRIBUTE_CHARACTERS) return { issues, touched, ...done }
  const [attribute = ''] = touched
  const limit = `${MAX_ATTRIBUTE_CHARACTERS} characters in all`
  return { issues: [...issues, { kind: 'aboveMaximum', attribute, place: '', limit }], touched }
}

type Completed = Required<Pick<ChangeResult, 'listing' | 'terms'>> & Pick<ChangeResult, 'product'>

function completeListing(
  listing: Listing,
  { product, offer }: { product?: Attributes; offer?: Attributes },
  context: ChangeContext,
): Completed {
  const terms = parseTerms(offer ?? parse(listing.offerAttributes), context)
  const after: Listing = { ...listing, ...denormalizeTerms(terms), updatedAt: context.now.toISOString() }
  if (product) {
    after.productAttributes = JSON.stringify(product)
    after.itemName = itemNameOf(product)
    after.mainImage = mainImageOf(product)
  }
  if (offer) after.offerAttributes = JSON.stringify(offer)
  return { terms, product, listing: Object.assign(after, assessListing(after, terms, context.currencyCode)) }
}

/** A listing before anything was said of it. */
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
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    }
  )
}
