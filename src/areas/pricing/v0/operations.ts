import { findParticipationError } from '../../../marketplace/accounts/participation.ts'
import { loadMarkets, type Market, type MarketKey, marketId } from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../../platform/errors/api-error.ts'
import { withFields } from '../../../platform/errors/explanation.ts'
import { renderErrorStatus, renderErrors } from '../batch.ts'
import type { PricingDependencies } from '../ports.ts'
import { type ItemId, renderOffers } from './offers.ts'
import { type Item, renderCompetitivePrice, renderOwnPrice } from './prices.ts'
import type {
  CompetitivePricingQuery,
  GetOffersResponse,
  ItemsQuery,
  Offers,
  OffersBatch,
  OffersBatchResult,
  OffersQuery,
  OffersRequest,
  OffersResponse,
  PriceList,
  PricingQuery,
} from './schema.ts'

export type PricingV0Operations = ReturnType<typeof createPricingV0Operations>

type OffersLookup = { query: OffersQuery; itemId: ItemId }

export function createPricingV0Operations({ database, clock, findListedProducts }: PricingDependencies) {
  return {
    async getPricing({ sellerId }: SellerCaller, query: PricingQuery): Promise<PriceList> {
      const items = await findItems(sellerId, query)
      return { payload: items.map((item) => renderOwnPrice(item, sellerId, query)) }
    },

    async getCompetitivePricing({ sellerId }: SellerCaller, query: CompetitivePricingQuery): Promise<PriceList> {
      const items = await findItems(sellerId, query)
      const forBusiness = query.CustomerType === 'Business'
      return { payload: items.map((item) => renderCompetitivePrice(item, sellerId, forBusiness)) }
    },

    async getOffers({ sellerId }: SellerCaller, itemId: ItemId, query: OffersQuery): Promise<GetOffersResponse> {
      const [offers] = await findOffers(sellerId, [{ query, itemId }])
      if (!offers || offers instanceof ApiError) throw offers
      return { payload: offers }
    },

    async getOffersBatch(
      { sellerId }: SellerCaller,
      { requests }: OffersBatch,
      parseUri: (uri: string) => ItemId | undefined,
    ): Promise<OffersBatchResult> {
      const lookups = requests.map((query) => {
        const itemId = parseUri(query.uri)
        return itemId && { query, itemId }
      })
      const valid = lookups.filter((lookup) => lookup !== undefined)
      const results = new Map<OffersLookup, Offers | ApiError>()
      const found = await findOffers(sellerId, valid)
      for (const [index, lookup] of valid.entries()) results.set(lookup, found[index] as Offers | ApiError)
      return {
        responses: requests.map((request, index) => {
          const lookup = lookups[index]
          return renderElement(request, lookup?.itemId, (lookup && results.get(lookup)) ?? invalidUri(index))
        }),
      }
    },
  }

  /** Finds the requested products or listings, in the order of the request. */
  async function findItems(sellerId: string, query: ItemsQuery): Promise<Item[]> {
    const { MarketplaceId: marketplaceId, ItemType } = query
    const names = ItemType === 'Asin' ? query.Asins : query.Skus
    if (!names) {
      const other = ItemType === 'Asin' ? 'Sku' : 'Asin'
      // With items of the other type, that is what was meant.
      const fields = query[`${other}s`] ? { ItemType: other } : { [`${ItemType}s`]: `<${ItemType}>` }
      throw invalidParameter(`${ItemType}s`, `is required when ItemType is ${ItemType}`, withFields(fields))
    }
    return database.read(async (reader) => {
      const participationError = await findParticipationError(reader, sellerId, marketplaceId, 'MarketplaceId')
      if (participationError) throw participationError
      const items: Item[] =
        ItemType === 'Asin'
          ? names.map((asin) => ({ asin }))
          : await findProducts(reader, sellerId, marketplaceId, names)
      const keys = items.flatMap(({ asin }) => (asin === undefined ? [] : [{ marketplaceId, asin }]))
      const markets = await loadMarkets(reader, keys, clock.now())
      return items.map((item) => ({ ...item, market: markets.get(marketId({ marketplaceId, asin: item.asin ?? '' })) }))
    })
  }

  async function findProducts(
    reader: Reader,
    sellerId: string,
    marketplaceId: string,
    skus: readonly string[],
  ): Promise<Item[]> {
    const listed = await findListedProducts(reader, sellerId, marketplaceId, skus)
    const asins = new Map(listed.map(({ sku, asin }) => [sku, asin]))
    return skus.map((sku) => {
      const asin = asins.get(sku)
      return { sku, ...(asin !== undefined && { asin }) }
    })
  }

  async function findOffers(sellerId: string, lookups: readonly OffersLookup[]): Promise<(Offers | ApiError)[]> {
    return database.read(async (reader) => {
      const keys = await findKeys(reader, sellerId, lookups)
      const found = keys.flatMap((key) => (key instanceof ApiError ? [] : [key]))
      const markets: ReadonlyMap<string, Market> = await loadMarkets(reader, found, clock.now())
      return lookups.map(({ query, itemId }, index) => {
        const key = keys[index] as MarketKey | ApiError
        if (key instanceof ApiError) return key
        const market = markets.get(marketId(key))
        return market ? renderOffers(market, query, itemId, sellerId) : unknownItem(itemId, key.marketplaceId)
      })
    })
  }

  /** Returns the product of each lookup, or an error. */
  async function findKeys(
    reader: Reader,
    sellerId: string,
    lookups: readonly OffersLookup[],
  ): Promise<(MarketKey | ApiError)[]> {
    const keys = new Map<OffersLookup, MarketKey | ApiError>()
    for (const [marketplaceId, group] of Map.groupBy(lookups, ({ query }) => query.MarketplaceId)) {
      const participationError = await findParticipationError(reader, sellerId, marketplaceId, 'MarketplaceId')
      const skus = group.flatMap(({ itemId }) => ('SellerSKU' in itemId ? [itemId.SellerSKU] : []))
      const products = participationError ? [] : await findProducts(reader, sellerId, marketplaceId, skus)
      const asins = new Map(products.map(({ sku, asin }) => [sku, asin]))
      for (const lookup of group) {
        const asin = 'ASIN' in lookup.itemId ? lookup.itemId.ASIN : asins.get(lookup.itemId.SellerSKU)
        keys.set(
          lookup,
          participationError ??
            (asin === undefined ? unknownItem(lookup.itemId, marketplaceId) : { marketplaceId, asin }),
        )
      }
    }
    return lookups.map((lookup) => keys.get(lookup) as MarketKey | ApiError)
  }
}

function unknownItem(itemId: ItemId, marketplaceId: string): ApiError {
  const marketplaceIds = [marketplaceId]
  if ('ASIN' in itemId) {
    const { ASIN: id } = itemId
    return invalidParameter('Asin', `is not a product of the marketplace: ${id}`, { kind: 'asin', id, marketplaceIds })
  }
  const { SellerSKU: id } = itemId
  const reason = `is not a listing of the seller in the marketplace: ${id}`
  return invalidParameter('SellerSKU', reason, { kind: 'sku', id, marketplaceIds })
}

const invalidUri = (index: number) =>
  invalidParameter(`requests[${index}].uri`, 'is not the path of the single-item operation')

function renderElement(request: OffersRequest, itemId: ItemId | undefined, result: Offers | ApiError): OffersResponse {
  const { MarketplaceId, ItemCondition, CustomerType } = request
  const isError = result instanceof ApiError
  return {
    headers: {},
    status: isError ? renderErrorStatus(result) : { statusCode: 200, reasonPhrase: 'OK' },
    request: {
      MarketplaceId,
      ItemCondition,
      ...(CustomerType && { CustomerType }),
      ...(itemId && ('ASIN' in itemId ? { Asin: itemId.ASIN } : itemId)),
    },
    body: isError ? { errors: renderErrors(result) } : { payload: result },
  }
}
