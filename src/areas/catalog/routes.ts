import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import type { CatalogOperations } from './operations.ts'
import { GetItemQuery, Item, ItemParams, ItemSearchResults, SearchItemsQuery } from './schema.ts'

const ITEMS = '/catalog/2022-04-01/items'
const tags = ['catalog']
const config = { access: { seller: true }, rate: { perSecond: 2, burst: 2 } } as const

export function createCatalogRoutes(operations: CatalogOperations): Routes {
  return (app: App) => {
    app.get(
      ITEMS,
      {
        config,
        schema: {
          operationId: 'searchCatalogItems',
          summary: 'Search catalog items by identifiers or keywords',
          tags,
          querystring: SearchItemsQuery,
          response: { 200: ItemSearchResults, ...errorResponses },
        },
      },
      async (request) => operations.searchCatalogItems(sellerOf(request), request.query),
    )

    app.get(
      `${ITEMS}/:asin`,
      {
        config,
        schema: {
          operationId: 'getCatalogItem',
          summary: 'Get a catalog item',
          tags,
          params: ItemParams,
          querystring: GetItemQuery,
          response: { 200: Item, ...errorResponses },
        },
      },
      async (request) => operations.getCatalogItem(sellerOf(request), request.params.asin, request.query),
    )
  }
}
