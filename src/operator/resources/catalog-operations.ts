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
import type { Database, Reader, Transaction } from '../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import type { PageRequest } from '../../platform/paging.ts'
import {
  checkAttributes,
  checkCatalogItems,
  checkCurrencies,
  checkMarketplaces,
  checkOrigins,
  inBatch,
  type PathOf,
  refuse,
  unlessImplied,
  wholeBody,
} from '../checks.ts'
import { createPatching } from './patching.ts'

export type CatalogOperations = ReturnType<typeof createCatalogOperations>

export interface CatalogDependencies {
  database: Database
  clock: Clock
  catalog: CatalogWriter
  competitorOffers: CompetitorOffers
}

export function createCatalogOperations({ database, clock, catalog, competitorOffers }: CatalogDependencies) {
  const patch = createPatching(database)
  return {
    async upsertCatalogItems(items: CatalogItem[]) {
      await database.transact((tx) => putCatalogItems(tx, items, inBatch('catalogItems')))
      return items.map(({ marketplaceId, asin }) => ({ marketplaceId, asin }))
    },
    findCatalogItem: (key: CatalogKey) => database.read((reader) => findCatalogItem(reader, key)),
    listCatalogItems: (page: PageRequest & { marketplaceId?: string }) =>
      database.read((reader) => listCatalogItems(reader, page)),
    patchCatalogItem: patch(findCatalogItem, (tx, item) => putCatalogItems(tx, [item], wholeBody)),

    async upsertOffers(offers: CompetitorOffer[]) {
      await database.transact((tx) => putOffers(tx, offers, inBatch('offers')))
      return offers.map(({ marketplaceId, asin, sellerId, sku }) => ({ marketplaceId, asin, sellerId, sku }))
    },
    findOffer: (key: OfferKey) => database.read((reader) => readOffer(reader, key)),
    async listOffers(page: PageRequest & { marketplaceId?: string; asin?: string }) {
      if (page.asin && !page.marketplaceId) throw invalidParameter('marketplaceId', 'is required with asin')
      return (await database.read((reader) => listOffers(reader, page))).map(renderOffer)
    },
    patchOffer: patch(readOffer, (tx, offer) => putOffers(tx, [offer], wholeBody)),
    async removeOffer(key: OfferKey): Promise<void> {
      await database.transact(async (tx) => {
        const [offer] = await findOffers(tx, [key])
        if (!offer) throw new ApiError('NotFound', 'The offer was not found.')
        if (offer.fromListing) throw invalidParameter('sku', "belongs to a seller's listing")
        await competitorOffers.remove(tx, [offer], clock.now())
      })
    },
  }

  async function putCatalogItems(tx: Transaction, items: readonly CatalogItem[], pathOf: PathOf): Promise<void> {
    refuse(checkAttributes(pathOf, items), await checkMarketplaces(tx, pathOf, items))
    await catalog.upsert(tx, items, clock.now())
  }

  async function putOffers(tx: Transaction, offers: readonly CompetitorOffer[], pathOf: PathOf): Promise<void> {
    const marketplaces = await checkMarketplaces(tx, pathOf, offers)
    refuse(
      marketplaces,
      unlessImplied(await checkCatalogItems(tx, pathOf, offers), marketplaces),
      await checkCurrencies(tx, pathOf, offers),
      await checkOrigins(tx, pathOf, offers),
    )
    await competitorOffers.put(tx, offers, clock.now())
  }
}

async function readOffer(reader: Reader, key: OfferKey): Promise<CompetitorOffer | undefined> {
  const [offer] = await findOffers(reader, [key])
  return offer && renderOffer(offer)
}
