import { requireParticipation } from '../../../marketplace/accounts/participation.ts'
import { type IdentifierType, matchIdentifiers } from '../../../marketplace/catalog/index.ts'
import { toStoredTime } from '../../../marketplace/schema.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../../platform/errors/api-error.ts'
import { withFields, withoutFields } from '../../../platform/errors/explanation.ts'
import { type JsonText, joinText } from '../../../platform/json-text.ts'
import { decodePageToken, encodePageToken, fromFirstPage } from '../../../platform/paging.ts'
import type { GetItemQuery, IncludedData, SearchItemsQuery } from '../schema.ts'
import { findListingView, findListingViews, peekListingView } from '../store/listing-view.ts'
import type { Search } from '../store/search-conditions.ts'
import {
  countMatches,
  findPage,
  MAX_RESULTS,
  type Position,
  type ResultKey,
  type Sorting,
} from '../store/search-store.ts'
import { createItemRenderer, type RendererDependencies, type RenderOptions } from './item-renderer.ts'

export interface ReadDependencies extends RendererDependencies {
  database: Database
}

export type ListingReadOperations = ReturnType<typeof createListingReadOperations>

const DEFAULT_DATA: readonly IncludedData[] = ['summaries']
const DEFAULT_PAGE_SIZE = 10
const TOKEN_PARTS = 4
const columns = { sku: 'sku', createdDate: 'created_at', lastUpdatedDate: 'updated_at' } as const

export function createListingReadOperations({ database, ...dependencies }: ReadDependencies) {
  const renderer = createItemRenderer(dependencies)

  return {
    getListingsItem({ sellerId }: SellerCaller, sku: string, query: GetItemQuery): JsonText | Promise<JsonText> {
      const { marketplaceIds } = query
      const [marketplaceId] = marketplaceIds as [string]
      const isOne = marketplaceIds.length === 1
      const options = toRenderOptions(sellerId, query)
      const peeked = isOne ? peekListingView(database, { sellerId, sku, marketplaceId }) : undefined
      const rendered = peeked && renderer.renderSync(sku, [peeked], options)
      if (rendered !== undefined) return rendered
      return database.read(async (reader) => {
        const only = isOne ? await findListingView(reader, { sellerId, sku, marketplaceId }) : undefined
        const several = isOne ? [] : await findListingViews(reader, sellerId, [sku], marketplaceIds)
        const listings = only ? [only] : several
        // Participation is checked only if a listing is missing.
        if (listings.length < marketplaceIds.length) await requireParticipation(reader, sellerId, marketplaceIds)
        if (listings.length === 0) {
          throw new ApiError('NOT_FOUND', `SKU '${sku}' not found in marketplace ${marketplaceIds.join(', ')}`, '', {
            reason: 'The seller has no listing with this SKU there. SKUs are case-sensitive.',
            missing: { kind: 'sku', id: sku, marketplaceIds },
          })
        }
        const text = renderer.renderSync(sku, listings, options)
        return text ?? joinText(await renderer.render(reader, [sku], listings, options))
      })
    },

    searchListingsItems({ sellerId }: SellerCaller, query: SearchItemsQuery): Promise<JsonText> {
      return database.readLarge(async (reader) => {
        await requireParticipation(reader, sellerId, query.marketplaceIds)
        const search = await buildSearch(reader, sellerId, query)
        const sorting: Sorting = {
          by: columns[query.sortBy ?? 'lastUpdatedDate'],
          descending: (query.sortOrder ?? 'DESC') === 'DESC',
        }
        const start = parsePageToken(query.pageToken)
        const isPrevious = start?.position.direction === 'previous'
        const room = isPrevious ? MAX_RESULTS : MAX_RESULTS - (start?.returned ?? 0)
        const pageSize = Math.min(query.pageSize ?? DEFAULT_PAGE_SIZE, room)
        const { items: found, stoppedAt } = await findPage(reader, search, sorting, pageSize + 1, start?.position)
        const page = isPrevious ? found.slice(-pageSize) : found.slice(0, pageSize)
        const hasMore = found.length > pageSize || stoppedAt !== undefined
        const skus = page.map((row) => row.sku)
        const listings = await findListingViews(reader, sellerId, skus, search.marketplaceIds)
        const items = await renderer.render(reader, skus, listings, toRenderOptions(sellerId, query))
        const returned = isPrevious ? (start?.returned ?? 0) : (start?.returned ?? 0) + page.length
        // A search that stopped goes on there, and a page without items can only be left from there.
        const last = isPrevious ? (page.at(-1) ?? stoppedAt) : (stoppedAt ?? page.at(-1))
        const first = isPrevious ? (stoppedAt ?? page[0]) : (page[0] ?? stoppedAt)
        const pagination = {
          ...((isPrevious || hasMore) &&
            returned < MAX_RESULTS && { nextToken: createPageToken('next', last, returned) }),
          ...((isPrevious ? hasMore : start !== undefined) && {
            previousToken: createPageToken('previous', first, returned - page.length),
          }),
        }
        // The listings of this page may be beyond those that are counted.
        const numberOfResults = Math.max(await countMatches(reader, search, sorting), page.length)
        const head = `{"numberOfResults":${numberOfResults},"pagination":${JSON.stringify(pagination)},"items":[`
        return joinText([head, ...items.flatMap((item, index) => (index === 0 ? [item] : [',', item])), ']}'])
      })
    },
  }
}

const toRenderOptions = (
  sellerId: string,
  { includedData = DEFAULT_DATA as IncludedData[], issueLocale, marketplaceIds }: GetItemQuery,
): RenderOptions => ({
  sellerId,
  marketplaceIds,
  includedData,
  issueLocale,
})

async function buildSearch(reader: Reader, sellerId: string, query: SearchItemsQuery): Promise<Search> {
  const selectors = ['identifiers', 'variationParentSku', 'packageHierarchySku'] as const
  const [first, second] = selectors.filter((name) => query[name] !== undefined)
  if (second) throw invalidParameter(second, `cannot be combined with ${first}`, withoutFields(second))
  if (query.identifiers && !query.identifiersType)
    throw invalidParameter('identifiersType', 'is required with identifiers', withFields({ identifiersType: 'SKU' }))
  if (query.identifiersType && !query.identifiers)
    throw invalidParameter('identifiers', 'is required with identifiersType', withoutFields('identifiersType'))
  const time = (text: string | undefined) => text && toStoredTime(text)
  const { marketplaceIds } = query
  const search: Search = {
    sellerId,
    marketplaceIds,
    severities: query.withIssueSeverity ?? [],
    withStatus: query.withStatus ?? [],
    withoutStatus: query.withoutStatus ?? [],
    ...pick('createdAfter', time(query.createdAfter)),
    ...pick('createdBefore', time(query.createdBefore)),
    ...pick('updatedAfter', time(query.lastUpdatedAfter)),
    ...pick('updatedBefore', time(query.lastUpdatedBefore)),
  }
  if (query.variationParentSku) {
    return { ...search, relatedTo: { relation: 'VARIATION', sku: query.variationParentSku } }
  }
  if (query.packageHierarchySku) {
    return { ...search, relatedTo: { relation: 'PACKAGE_HIERARCHY', sku: query.packageHierarchySku } }
  }
  if (!query.identifiers) return search
  switch (query.identifiersType) {
    case 'SKU':
      return { ...search, skus: query.identifiers }
    case 'ASIN':
      return { ...search, asins: query.identifiers }
    case 'FNSKU':
      return { ...search, fnSkus: query.identifiers }
    default: {
      const type = query.identifiersType as IdentifierType
      const identifiers = query.identifiers.map((value) => ({ type, value }))
      const asins = await Promise.all(marketplaceIds.map((id) => matchIdentifiers(reader, id, identifiers)))
      return { ...search, asins: asins.flat() }
    }
  }
}

const pick = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>

/** The token contains the number of items returned so far, because the live service does not page beyond MAX_RESULTS. */
function createPageToken(direction: Position['direction'], edge: ResultKey | undefined, returned: number) {
  return edge && encodePageToken([direction, edge.value, edge.sku, String(Math.max(returned, 0))])
}

function parsePageToken(token: string | undefined): { position: Position; returned: number } | undefined {
  if (token === undefined) return undefined
  const [direction, value = '', sku = '', count = ''] = decodePageToken(token, TOKEN_PARTS)
  const returned = Number(count)
  const isCount = Number.isInteger(returned) && returned >= 0 && returned < MAX_RESULTS
  if ((direction !== 'next' && direction !== 'previous') || !isCount) {
    throw invalidParameter('pageToken', 'is invalid: it was not issued by this service', fromFirstPage(token))
  }
  return { position: { direction, value, sku }, returned }
}
