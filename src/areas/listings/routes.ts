import { type App, errorResponses, type Routes, sellerOf, sendJsonText } from '../../http/route.ts'
import type { ListingConsoleOperations } from './console/operations.ts'
import { createListingConsoleRoutes } from './console/routes.ts'
import type { ListingReadOperations } from './queries/operations.ts'
import {
  DeleteItemQuery,
  GetItemQuery,
  Item,
  ItemParams,
  ItemSearchResults,
  PatchItemBody,
  PatchItemQuery,
  PutItemBody,
  PutItemQuery,
  SearchItemsQuery,
  SellerParams,
  SubmissionResponse,
} from './schema.ts'
import type { ListingWriteOperations } from './submission/operations.ts'

const tags = ['listings']
const seller = { access: { seller: true }, signed: true } as const
const frequent = { ...seller, rate: { perSecond: 5, burst: 10 } } as const
// The specification's message for an invalid patch request; its details are empty.
const INVALID_PATCH = 'Request has missing or invalid parameters and cannot be parsed.'
const infrequent = { ...seller, rate: { perSecond: 5, burst: 5 } } as const

export function createListingRoutes(
  reads: ListingReadOperations,
  writes: ListingWriteOperations,
  console: ListingConsoleOperations,
): Routes {
  return (app: App) => {
    addRoutes(app, '/listings/2021-08-01/items', false)
    // A widely used client sends requests of 2021-08-01 to this path.
    addRoutes(app, '/listings/2020-09-01/items', true)
    createListingConsoleRoutes(console)(app)
  }

  function addRoutes(app: App, prefix: string, hide: boolean): void {
    const ITEMS = `${prefix}/:sellerId`
    const ITEM = `${ITEMS}/:sku`

    app.get(
      ITEMS,
      {
        config: infrequent,
        schema: {
          operationId: 'searchListingsItems',
          summary: 'Search listings',
          tags,
          hide,
          params: SellerParams,
          querystring: SearchItemsQuery,
          response: { 200: ItemSearchResults, ...errorResponses },
        },
      },
      (request, reply) => sendJsonText(reply, reads.searchListingsItems(sellerOf(request), request.query)),
    )

    app.get(
      ITEM,
      {
        config: frequent,
        schema: {
          operationId: 'getListingsItem',
          summary: 'Get a listing',
          tags,
          hide,
          params: ItemParams,
          querystring: GetItemQuery,
          response: { 200: Item, ...errorResponses },
        },
      },
      (request, reply) =>
        sendJsonText(reply, reads.getListingsItem(sellerOf(request), request.params.sku, request.query)),
    )

    app.put(
      ITEM,
      {
        config: frequent,
        schema: {
          operationId: 'putListingsItem',
          summary: 'Create or replace a listing',
          tags,
          hide,
          params: ItemParams,
          querystring: PutItemQuery,
          body: PutItemBody,
          response: { 200: SubmissionResponse, ...errorResponses },
        },
      },
      (request) => writes.putListingsItem(sellerOf(request), request.params.sku, request.query, request.body),
    )

    app.patch(
      ITEM,
      {
        config: { ...infrequent, invalidInputMessage: INVALID_PATCH },
        schema: {
          operationId: 'patchListingsItem',
          summary: 'Update attributes of a listing',
          tags,
          hide,
          params: ItemParams,
          querystring: PatchItemQuery,
          body: PatchItemBody,
          response: { 200: SubmissionResponse, ...errorResponses },
        },
      },
      (request) => writes.patchListingsItem(sellerOf(request), request.params.sku, request.query, request.body),
    )

    app.delete(
      ITEM,
      {
        config: infrequent,
        schema: {
          operationId: 'deleteListingsItem',
          summary: 'Delete a listing',
          tags,
          hide,
          params: ItemParams,
          querystring: DeleteItemQuery,
          response: { 200: SubmissionResponse, ...errorResponses },
        },
      },
      (request) => writes.deleteListingsItem(sellerOf(request), request.params.sku, request.query.marketplaceIds),
    )
  }
}
