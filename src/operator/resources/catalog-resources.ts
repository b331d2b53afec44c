import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { CatalogItem } from '../../marketplace/catalog/index.ts'
import { CompetitorOffer, type OfferKey } from '../../marketplace/offers/offers.ts'
import { Asin, MarketplaceId } from '../../marketplace/schema.ts'
import type { CatalogOperations } from './catalog-operations.ts'
import { addResourceRoutes, operatorConfig, operatorTags } from './resource-routes.ts'

const offerKey = ['marketplaceId', 'asin', 'sellerId', 'sku'] as const satisfies (keyof OfferKey)[]

export function createCatalogResourceRoutes(operations: CatalogOperations): Routes {
  return (app: App) => {
    addResourceRoutes<CatalogItem, CatalogItem>(app, {
      plural: 'catalogItems',
      singular: 'CatalogItem',
      label: 'catalog items',
      schema: CatalogItem,
      viewSchema: CatalogItem,
      key: ['marketplaceId', 'asin'],
      filters: Type.Object({ marketplaceId: Type.Optional(MarketplaceId) }),
      upsert: operations.upsertCatalogItems,
      find: operations.findCatalogItem,
      list: operations.listCatalogItems,
      patch: operations.patchCatalogItem,
    })
    addResourceRoutes<CompetitorOffer, CompetitorOffer>(app, {
      plural: 'offers',
      singular: 'Offer',
      schema: CompetitorOffer,
      viewSchema: CompetitorOffer,
      key: [...offerKey],
      filters: Type.Object({ marketplaceId: Type.Optional(MarketplaceId), asin: Type.Optional(Asin) }),
      upsert: operations.upsertOffers,
      find: (key) => operations.findOffer(key as OfferKey),
      list: operations.listOffers,
      patch: (key, change) => operations.patchOffer(key as OfferKey, change),
    })

    app.delete(
      ['/operator/v1/offers', ...offerKey.map((name) => `:${name}`)].join('/'),
      {
        config: operatorConfig,
        schema: {
          operationId: 'removeOffer',
          summary: "Delete a competitor's offer",
          tags: operatorTags,
          params: Type.Object({
            marketplaceId: Type.String(),
            asin: Type.String(),
            sellerId: Type.String(),
            sku: Type.String(),
          }),
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.removeOffer(request.params)
        return {}
      },
    )
  }
}
