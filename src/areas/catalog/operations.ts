import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import {
  findCatalogItems,
  type Match,
  matchAsins,
  matchIdentifiers,
  matchKeywords,
} from '../../marketplace/catalog/index.ts'
import { requireSameSeller, type SellerCaller } from '../../platform/auth/caller.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { FindAsinsBySku } from './ports.ts'
import { renderItem } from './render.ts'
import type { GetItemQuery, IncludedData, Item, ItemSearchResults, SearchItemsQuery } from './schema.ts'
import { countRefinements, paginate, parseKeywords, validateSearch } from './search.ts'

export interface CatalogDependencies {
  database: Database
  findAsinsBySku: FindAsinsBySku
}

export type CatalogOperations = ReturnType<typeof createCatalogOperations>

const DEFAULT_DATA: readonly IncludedData[] = ['summaries']

export function createCatalogOperations({ database, findAsinsBySku }: CatalogDependencies) {
  return {
    async getCatalogItem({ sellerId }: SellerCaller, asin: string, query: GetItemQuery): Promise<Item> {
      const { marketplaceIds } = query
      return database.read(async (reader) => {
        await requireParticipation(reader, sellerId, marketplaceIds)
        const keys = marketplaceIds.map((marketplaceId) => ({ marketplaceId, asin }))
        const [first, ...others] = await findCatalogItems(reader, keys)
        if (first) return renderItem([first, ...others], query.includedData ?? DEFAULT_DATA)
        throw new ApiError('NOT_FOUND', `Item ${asin} was not found in marketplace ${marketplaceIds.join(', ')}.`, '', {
          missing: { kind: 'asin', id: asin, marketplaceIds },
        })
      })
    },

    async searchCatalogItems(caller: SellerCaller, query: SearchItemsQuery): Promise<ItemSearchResults> {
      validateSearch(query, caller)
      const [marketplaceId] = query.marketplaceIds as [string]
      return database.readLarge(async (reader) => {
        await requireParticipation(reader, caller.sellerId, [marketplaceId])
        const matches = query.keywords && (await searchKeywords(reader, marketplaceId, query))
        const found =
          matches?.map(({ asin }) => asin) ?? (await searchIdentifiers(reader, caller, marketplaceId, query))
        const { asins, ...pagination } = paginate(found, query)
        const keys = asins.map((asin) => ({ marketplaceId, asin }))
        const items = await findCatalogItems(reader, keys)
        return {
          numberOfResults: found.length,
          pagination,
          ...(matches && { refinements: countRefinements(matches) }),
          items: items.map((item) => renderItem([item], query.includedData ?? DEFAULT_DATA)),
        }
      })
    },
  }

  async function searchKeywords(reader: Reader, marketplaceId: string, query: SearchItemsQuery): Promise<Match[]> {
    const search = parseKeywords(marketplaceId, query)
    return search ? matchKeywords(reader, search) : []
  }

  async function searchIdentifiers(
    reader: Reader,
    caller: SellerCaller,
    marketplaceId: string,
    { identifiers = [], identifiersType, sellerId = '' }: SearchItemsQuery,
  ): Promise<string[]> {
    if (identifiersType === 'ASIN') return matchAsins(reader, marketplaceId, identifiers)
    if (identifiersType === 'SKU') {
      // SKUs are private to their seller.
      requireSameSeller(caller, sellerId)
      return matchAsins(reader, marketplaceId, await findAsinsBySku(reader, sellerId, marketplaceId, identifiers))
    }
    if (identifiersType === undefined) return []
    const typed = identifiers.map((value) => ({ type: identifiersType, value }))
    return matchIdentifiers(reader, marketplaceId, typed)
  }
}
