import type { SellerMarketplace } from '../../../marketplace/accounts/participation.ts'
import {
  type BulkListings,
  type BulkMessage,
  type BulkScope,
  INVALID_MESSAGE_CODE,
  type MessageResult,
} from '../../../marketplace/bulk-listings.ts'
import type { ProductTypes, Requirements } from '../../../marketplace/product-types/index.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import type { Change } from '../domain/change.ts'
import { hasErrors, type Issue, renderIssue, severityOf } from '../domain/issues.ts'
import type { ListingKey } from '../domain/listing.ts'
import type { ItemRenderer } from '../queries/item-renderer.ts'
import { findListings } from '../store/listing-store.ts'
import { findListingViews, type ListingView } from '../store/listing-view.ts'
import { Batch } from './batch.ts'
import { parsePatch, resolveProductType } from './operations.ts'
import type { ListingWriter } from './writer.ts'

export interface BulkDependencies {
  writer: ListingWriter
  productTypes: ProductTypes
  renderer: ItemRenderer
}

/** Changes many listings in one go, by the same rules and the same writer as one at a time. */
export function createBulkListings({ writer, productTypes, renderer }: BulkDependencies): BulkListings {
  return {
    async apply(tx, scope, messages) {
      // An empty list of SKUs is no SQL.
      if (messages.length === 0) return []
      await productTypes.load()
      const { sellerId, marketplaces: places } = scope
      const skus = [...new Set(messages.map(({ sku }) => sku))]
      const batch = new Batch(await findListings(tx, sellerId, skus, toMarketplaceIds(places)))
      const types = cacheLookups(productTypes)
      const outcomes: MessageResult[] = []
      for (const message of messages) outcomes.push(await applyMessage(tx, scope, message, types, batch))
      await writer.flush(tx, batch)
      return outcomes
    },

    render(database, scope, skus, includedData) {
      return database.read(async (reader) => {
        const listings = await findListingViews(reader, scope.sellerId, skus, toMarketplaceIds(scope.marketplaces))
        const bySku = Map.groupBy(listings, ({ sku }) => sku)
        const existing = skus.filter((sku) => bySku.has(sku))
        const texts = await renderer.render(reader, existing, listings, {
          sellerId: scope.sellerId,
          marketplaceIds: toMarketplaceIds(scope.marketplaces),
          includedData,
          issueLocale: scope.locale,
        })
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
    { sellerId, marketplaces: places, locale }: BulkScope,
    { messageId, sku, change }: BulkMessage,
    types: Types,
    batch: Batch,
  ): Promise<MessageResult> {
    const keys = places.map(({ marketplaceId }): ListingKey => ({ sellerId, sku, marketplaceId }))
    const reject = (message: string): MessageResult => ({
      isAccepted: false,
      issues: [{ messageId, sku, code: INVALID_MESSAGE_CODE, severity: 'ERROR', message }],
    })
    if (change.operation === 'DELETE') {
      for (const key of keys) {
        const before = batch.find(key)
        if (before) writer.remove(batch, before)
      }
      return { isAccepted: true, issues: [] }
    }
    const productType = await resolveProductType(tx, types, change.productType, batch.find(keys[0] as ListingKey))
    if (!productType) return reject(`There is no product type ${change.productType}.`)
    const parsed = parseChange(change, productType)
    if ('fault' in parsed) return reject(parsed.fault)
    const issues = await writer.submitAndProcess(tx, { sellerId, sku, marketplaces: places, change: parsed }, batch)
    return {
      isAccepted: !hasErrors(issues),
      issues: issues.map((issue) => {
        const { code, message, severity } = renderIssue(issue, { locale, productType })
        return { messageId, sku, code, severity, message, ...(issue.attribute && { attribute: issue.attribute }) }
      }),
    }
  }
}

type Types = Pick<ProductTypes, 'find'>

/** The messages of a batch all see one state of the database. */
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

function parseChange(
  change: Exclude<BulkMessage['change'], { operation: 'DELETE' }>,
  productType: Change['productType'],
): Change | { fault: string } {
  if (change.operation === 'PUT') {
    const { attributes, requirements = 'LISTING' } = change
    return { operation: 'PUT', productType, requirements: requirements as Requirements, attributes }
  }
  try {
    return { operation: 'PATCH', productType, patches: change.patches.map(parsePatch) }
  } catch (error) {
    if (error instanceof ApiError) return { fault: error.message }
    throw error
  }
}

const toMarketplaceIds = (places: readonly SellerMarketplace[]) => places.map(({ marketplaceId }) => marketplaceId)

function countIssues(listings: readonly ListingView[], severity: string): number {
  const issues = listings.flatMap((listing) => JSON.parse(listing.issues) as Issue[])
  return issues.filter((issue) => severityOf(issue) === severity).length
}
