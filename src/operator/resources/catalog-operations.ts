import {
  type CatalogItem,
  type CatalogKey,
  type CatalogWriter,
  findCatalogItem,
  listCatalogItems,
} from '../../marketplace/catalog/index.ts'
import type { CompetitorOffers } from '../../marketplace/offers/competitor-offers.ts'
import {
  type CompetitorOffer,
  findOffers,
  listOffers,
  type OfferKey,
  renderOffer,
} from '../../marketplace/offers/offers.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import type { PageRequest } from '../../platform/paging.ts'
import {
  refuseLargeAttributes,
  refuseOffersOfListings,
  requireCatalogItems,
  requireMarketplaces,
  requireOwnCurrency,
} from '../checks.ts'

export type CatalogOperations = ReturnType<typeof createCatalogOperations>

export interface CatalogDependencies {
  database: Database
  clock: Clock
  catalog: CatalogWriter
  competitorOffers: CompetitorOffers
}

export function createCatalogOperations({ database, clock, catalog, competitorOffers }: CatalogDependencies) {
  return {
    async upsertCatalogItems(items: CatalogItem[]) {
      refuseLargeAttributes('catalogItems', items)
      await database.transact(async (tx) => {
        await requireMarketplaces(tx, 'catalogItems', items)
        await catalog.upsert(tx, items, clock.now())
      })
      return items.map(({ marketplaceId, asin }) => ({ marketplaceId, asin }))
    },
    findCatalogItem: (key: CatalogKey) => database.read((reader) => findCatalogItem(reader, key)),
    listCatalogItems: (page: PageRequest & { marketplaceId?: string }) =>
      database.read((reader) => listCatalogItems(reader, page)),

    async upsertOffers(offers: CompetitorOffer[]) {
      await database.transact(async (tx) => {
        await requireMarketplaces(tx, 'offers', offers)
        await requireCatalogItems(tx, 'offers', offers)
        await requireOwnCurrency(tx, 'offers', offers)
        await refuseOffersOfListings(tx, 'offers', offers)
        await competitorOffers.put(tx, offers, clock.now())
      })
      return offers.map(({ marketplaceId, asin, sellerId, sku }) => ({ marketplaceId, asin, sellerId, sku }))
    },
    async findOffer(key: OfferKey) {
      const [offer] = await database.read((reader) => findOffers(reader, [key]))
      return offer && renderOffer(offer)
    },
    async listOffers(page: PageRequest & { marketplaceId?: string; asin?: string }) {
      if (page.asin && !page.marketplaceId) throw invalidParameter('marketplaceId', 'is required with asin')
      return (await database.read((reader) => listOffers(reader, page))).map(renderOffer)
    },
    async removeOffer(key: OfferKey): Promise<void> {
      await database.transact(async (tx) => {
        const [offer] = await findOffers(tx, [key])
        if (!offer) throw new ApiError('NotFound', 'The offer was not found.')
        if (offer.fromListing) throw invalidParameter('sku', "belongs to a seller's listing")
        await competitorOffers.remove(tx, [offer], clock.now())
      })
    },
  }
}
