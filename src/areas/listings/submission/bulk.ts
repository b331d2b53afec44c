import type { SellerMarketplace } from '../../../marketplace/accounts/participation.ts'
import { identifierId, identifiersOf } from '../../../marketplace/catalog/index.ts'
import type { ProductType, ProductTypes, Requirements } from '../../../marketplace/product-types/index.ts'
import type { Database, Transaction } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Patch } from '../domain/attributes.ts'
import type { Change } from '../domain/change.ts'
import { hasErrors, type Issue, renderIssue, type Severity, severityOf } from '../domain/issues.ts'
import type { Listing, ListingKey } from '../domain/listing.ts'
import { mayAddRelations } from '../domain/relations.ts'
import type { ItemRenderer } from '../queries/item-renderer.ts'
import { INCLUDED_DATA, type IncludedData } from '../schema.ts'
import { findListingsToChange } from '../store/listing-store.ts'
import { findListingViews, type ListingView } from '../store/listing-view.ts'
import { lockRelations } from '../store/relation-store.ts'
import { Batch } from './batch.ts'
import { resolveProductType } from './operations.ts'
import { parsePatch, type RawPatch, toReplacement } from './patch.ts'
import { productQueryOf } from './processing.ts'
import { type PendingProducts, type ProductQuery, Products } from './products.ts'
import type { ListingWriter } from './writer.ts'

export interface BulkDependencies {
  ids: Ids
  writer: ListingWriter
  productTypes: ProductTypes
  renderer: ItemRenderer
}

export interface Scope {
  sellerId: string
  marketplaces: readonly SellerMarketplace[]
  locale: string
}

type RawChange =
  | { operation: 'PUT'; productType: string; requirements?: Requirements; attributes: Record<string, unknown> }
  | { operation: 'PARTIAL_UPDATE'; productType: string; attributes: Record<string, unknown> }
  | { operation: 'PATCH'; productType: string; patches: readonly RawPatch[] }

export interface Message {
  sku: string
  change: RawChange | { operation: 'DELETE' }
}

export interface RenderedIssue {
  code: string
  severity: Severity
  message: string
  attribute?: string
}

/** What a batch adds or changes, and others do not see before it is committed. */
export interface PendingKeys {
  skus: ReadonlySet<string>
  /** Identifiers of new products. */
  identifiers: ReadonlySet<string>
}

/** The batch before, if it may not be committed yet. */
type PendingBatch = Pick<PendingKeys, 'skus'> & PendingProducts

export interface PreparedBatch extends PendingKeys {
  write(): Promise<Result[]>
}

type Result = { isAccepted: boolean; issues: RenderedIssue[] } | { error: string }

/** Changes listings in batches, by the rules and the writer of the single operations. Feeds reach it through a port. */
export function createBulkListings({ ids, writer, productTypes, renderer }: BulkDependencies) {
  return {
    dataSets: INCLUDED_DATA,

    async prepare(
      tx: Transaction,
      scope: Scope,
      messages: readonly Message[],
      earlier?: PendingBatch,
    ): Promise<PreparedBatch> {
      // SQL has no empty lists.
      if (messages.length === 0) return NOTHING
      const skus = new Set(messages.map(({ sku }) => sku))
      // A listing that is created but not committed is neither found nor locked.
      if (earlier && messages.some(({ sku }) => earlier.skus.has(sku))) await earlier.committed
      await productTypes.load()
      const types = cacheLookups(productTypes)
      // Started together: on PostgreSQL they share a round trip.
      const [batch] = await Promise.all([loadToChange(tx, scope, messages, earlier), ...findTypes(tx, types, messages)])
      await batch.products.announce(tx, ids, findProductQueries(scope, messages, batch))
      const results: Result[] = []
      for (const message of messages) results.push(await applyMessage(tx, scope, message, types, batch))
      return {
        skus,
        identifiers: new Set(batch.products.added.flatMap(identifiersOf).map(identifierId)),
        async write() {
          await writer.flush(tx, batch)
          return results
        },
      }
    },

    render(database: Database, scope: Scope, skus: readonly string[], dataSets: readonly string[]) {
      const { sellerId, locale } = scope
      const marketplaceIds = toMarketplaceIds(scope)
      return database.read(async (reader) => {
        const listings = await findListingViews(reader, sellerId, skus, marketplaceIds)
        const bySku = Map.groupBy(listings, ({ sku }) => sku)
        const existing = skus.filter((sku) => bySku.has(sku))
        // The caller has checked them against `dataSets`.
        const includedData = dataSets as readonly IncludedData[]
        const options = { sellerId, marketplaceIds, includedData, issueLocale: locale }
        const texts = await renderer.render(reader, existing, listings, options)
        return existing.map((sku, index) => ({
          text: texts[index] as string,
          errors: countIssues(bySku.get(sku) ?? [], 'ERROR'),
          warnings: countIssues(bySku.get(sku) ?? [], 'WARNING'),
        }))
      })
    },
  }

  async function applyMessage(
    tx: Transaction,
    { sellerId, marketplaces, locale }: Scope,
    { sku, change }: Message,
    types: Types,
    batch: Batch,
  ): Promise<Result> {
    const keys = marketplaces.map(({ marketplaceId }): ListingKey => ({ sellerId, sku, marketplaceId }))
    if (change.operation === 'DELETE') {
      for (const key of keys) {
        const before = batch.find(key)
        if (before) writer.remove(batch, before)
      }
      return { isAccepted: true, issues: [] }
    }
    const productType = await resolveProductType(tx, types, change.productType, batch.find(keys[0] as ListingKey))
    if (!productType) return { error: `Product type ${change.productType} does not exist.` }
    const parsed = parseChange(change, productType)
    if ('error' in parsed) return parsed
    const issues = await writer.submitAndProcess(tx, { sellerId, sku, marketplaces, change: parsed }, batch)
    return {
      isAccepted: !hasErrors(issues),
      issues: issues.map((issue) => {
        const { code, message, severity } = renderIssue(issue, { locale, productType })
        return { code, severity, message, ...(issue.attribute && { attribute: issue.attribute }) }
      }),
    }
  }
}

const NOTHING: PreparedBatch = { skus: new Set(), identifiers: new Set(), write: async () => [] }

async function loadToChange(
  tx: Transaction,
  scope: Scope,
  messages: readonly Message[],
  earlier: PendingProducts | undefined,
): Promise<Batch> {
  const { sellerId } = scope
  const marketplaceIds = toMarketplaceIds(scope)
  const addsRelations = messages.some(({ change }) => mayAddRelations(changedNames(change)))
  await lockRelations(
    tx,
    marketplaceIds.map((marketplaceId) => ({ sellerId, marketplaceId })),
    addsRelations ? 'exclusive' : 'shared',
  )
  const skus = [...new Set(messages.map(({ sku }) => sku))]
  return new Batch(await findListingsToChange(tx, sellerId, skus, marketplaceIds), new Products(earlier))
}

/**
 * Reads nothing of products for changes of price and quantity, which rarely need any. What is missing is read with the
 * listing.
 */
const RARELY_PROCESSED: ReadonlySet<string> = new Set(['purchasable_offer', 'fulfillment_availability'])

/** What is known of the products that the listings will be matched with, before the changes are applied. */
function findProductQueries(
  { sellerId, marketplaces }: Scope,
  messages: readonly Message[],
  batch: Batch,
): ProductQuery[] {
  return messages.flatMap(({ sku, change }) => {
    if (changedNames(change).every((name) => RARELY_PROCESSED.has(name))) return []
    const changed = changedAttributes(change)
    return marketplaces.flatMap(({ marketplaceId }) => {
      const listing = batch.find({ sellerId, sku, marketplaceId })
      const isPut = change.operation === 'PUT'
      // A patch of an unknown SKU is not matched.
      if (!isPut && (!listing || listing.state === 'UNKNOWN')) return []
      const product = needsProduct(listing) ? { ...JSON.parse(listing.productAttributes), ...changed } : changed
      const requirements = isPut ? (change.requirements ?? 'LISTING') : listing?.requirements
      return [productQueryOf({ marketplaceId, asin: listing?.asin, requirements }, product)]
    })
  })
}

/** The attributes of a listing that is already matched do not identify its product. */
const needsProduct = (listing: Listing | undefined): listing is Listing =>
  listing !== undefined && listing.asin === undefined

const patchedName = ({ path }: RawPatch) => path.slice(path.lastIndexOf('/') + 1)

function changedNames(change: Message['change']): string[] {
  if (change.operation === 'DELETE') return []
  return change.operation === 'PATCH' ? change.patches.map(patchedName) : Object.keys(change.attributes)
}

function changedAttributes(change: Message['change']): Readonly<Record<string, unknown>> {
  if (change.operation === 'DELETE') return {}
  if (change.operation !== 'PATCH') return change.attributes
  return Object.fromEntries(change.patches.map((patch) => [patchedName(patch), patch.value]))
}

type Types = Pick<ProductTypes, 'find'>

const findTypes = (tx: Transaction, types: Types, messages: readonly Message[]) =>
  [...new Set(messages.flatMap(({ change }) => ('productType' in change ? change.productType : [])))].map((name) =>
    types.find(tx, name),
  )

/** All messages of a batch see the same state of the database, so each product type is looked up once. */
function cacheLookups(productTypes: ProductTypes): Types {
  const found = new Map<string, ReturnType<ProductTypes['find']>>()
  return {
    find(reader, name) {
      const type = found.get(name) ?? productTypes.find(reader, name)
      found.set(name, type)
      return type
    },
  }
}

function parseChange(change: RawChange, productType: ProductType): Change | { error: string } {
  if (change.operation === 'PUT') {
    const { attributes, requirements = 'LISTING' } = change
    return { operation: 'PUT', productType, requirements, attributes }
  }
  try {
    return { operation: 'PATCH', productType, patches: parsePatches(change) }
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message }
    throw error
  }
}

function parsePatches(change: Exclude<RawChange, { operation: 'PUT' }>): Patch[] {
  if (change.operation === 'PATCH') return change.patches.map(parsePatch)
  return Object.entries(change.attributes).map(toReplacement)
}

const toMarketplaceIds = ({ marketplaces }: Scope) => marketplaces.map(({ marketplaceId }) => marketplaceId)

function countIssues(listings: readonly ListingView[], severity: Severity): number {
  const issues = listings.flatMap((listing) => JSON.parse(listing.issues) as Issue[])
  return issues.filter((issue) => severityOf(issue) === severity).length
}
