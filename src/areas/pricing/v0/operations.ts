import { findRefusal } from '../../../marketplace/accounts/participation.ts'
import { type Market, type MarketKey, marketId, readMarkets } from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../../platform/errors/api-error.ts'
import type { FindListedProducts } from '../ports.ts'
import { type Named, representOffers } from './offers.ts'
import { type Item, representCompetitivePrice, representOwnPrice } from './prices.ts'
import type {
  CompetitivePricingQuery,
  ItemsQuery,
  Offers,
  OffersAnswer,
  OffersBatch,
  OffersBatchResult,
  OffersQuery,
  OffersRequest,
  OffersResponse,
  PriceList,
  PricingQuery,
} from './schema.ts'

export interface PricingV0Dependencies {
  database: Database
  clock: Clock
  findListedProducts: FindListedProducts
}

export type PricingV0Operations = ReturnType<typeof createPricingV0Operations>

/** A request for the offers of one thing, alone or out of a batch. */
type Asked = { query: OffersQuery; named: Named }

export function createPricingV0Operations({ database, clock, findListedProducts }: PricingV0Dependencies) {
  return {
    async getPricing({ sellerId }: SellerCaller, query: PricingQuery): Promise<PriceList> {
      const items = await findItems(sellerId, query)
      return { payload: items.map((item) => representOwnPrice(item, sellerId, query)) }
    },

    async getCompetitivePricing({ sellerId }: SellerCaller, query: CompetitivePricingQuery): Promise<PriceList> {
      const items = await findItems(sellerId, query)
      const forBusiness = query.CustomerType === 'Business'
      return { payload: items.map((item) => representCompetitivePrice(item, sellerId, forBusiness)) }
    },

    async getOffers({ sellerId }: SellerCaller, named: Named, query: OffersQuery): Promise<OffersAnswer> {
      const [offers] = await findOffers(sellerId, [{ query, named }])
      if (!offers || offers instanceof ApiError) throw offers
      return { payload: offers }
    },

    async getOffersBatch(
      { sellerId }: SellerCaller,
      { requests }: OffersBatch,
      nameOf: (uri: string) => Named | undefined,
    ): Promise<OffersBatchResult> {
      const asked = requests.map((query) => {
        const named = nameOf(query.uri)
        return named && { query, named }
      })
      const understood = asked.filter((one) => one !== undefined)
      const outcomes = new Map<Asked, Offers | ApiError>()
      const found = await findOffers(sellerId, understood)
      for (const [index, one] of understood.entries()) outcomes.set(one, found[index] as Offers | ApiError)
      return {
        responses: requests.map((request, index) => {
          const one = asked[index]
          return represent(request, one?.named, (one && outcomes.get(one)) ?? wrongUri(index))
        }),
      }
    },
  }

  /** The products or listings that were asked for, in the order of the question. */
  async function findItems(sellerId: string, query: ItemsQuery): Promise<Item[]> {
    const { MarketplaceId: marketplaceId, ItemType } = query
    const names = ItemType === 'Asin' ? query.Asins : query.Skus
    if (!names) throw invalidParameter(`${ItemType}s`, `is required where ItemType is ${ItemType}`)
    return database.read(async (reader) => {
      const refusal = await findRefusal(reader, sellerId, marketplaceId, 'MarketplaceId')
      if (refusal) throw refusal
      const items: Item[] =
        ItemType === 'Asin'
          ? names.map((asin) => ({ asin }))
          : await nameProducts(reader, sellerId, marketplaceId, names)
      const keys = items.flatMap(({ asin }) => (asin === undefined ? [] : [{ marketplaceId, asin }]))
      const markets = await readMarkets(reader, keys, clock.now())
      return items.map((item) => ({ ...item, market: markets.get(marketId({ marketplaceId, asin: item.asin ?? '' })) }))
    })
  }

  async function nameProducts(
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

  async function findOffers(sellerId: string, asked: readonly Asked[]): Promise<(Offers | ApiError)[]> {
    return database.read(async (reader) => {
      const keys = await findKeys(reader, sellerId, asked)
      const found = keys.flatMap((key) => (key instanceof ApiError ? [] : [key]))
      const markets: ReadonlyMap<string, Market> = await readMarkets(reader, found, clock.now())
      return asked.map(({ query, named }, index) => {
        const key = keys[index] as MarketKey | ApiError
        if (key instanceof ApiError) return key
        const market = markets.get(marketId(key))
        return market ? representOffers(market, query, named, sellerId) : unknown(named)
      })
    })
  }

  /** The product that each is about, or why there is none. */
  async function findKeys(
    reader: Reader,
    sellerId: string,
    asked: readonly Asked[],
  ): Promise<(MarketKey | ApiError)[]> {
    const keys = new Map<Asked, MarketKey | ApiError>()
    for (const [marketplaceId, group] of Map.groupBy(asked, ({ query }) => query.MarketplaceId)) {
      const refusal = await findRefusal(reader, sellerId, marketplaceId, 'MarketplaceId')
      const skus = group.flatMap(({ named }) => ('SellerSKU' in named ? [named.SellerSKU] : []))
      const products = refusal ? [] : await nameProducts(reader, sellerId, marketplaceId, skus)
      const asins = new Map(products.map(({ sku, asin }) => [sku, asin]))
      for (const one of group) {
        const asin = 'ASIN' in one.named ? one.named.ASIN : asins.get(one.named.SellerSKU)
        keys.set(one, refusal ?? (asin === undefined ? unknown(one.named) : { marketplaceId, asin }))
      }
    }
    return asked.map((one) => keys.get(one) as MarketKey | ApiError)
  }
}

const unknown = (named: Named) =>
  'ASIN' in named
    ? invalidParameter('Asin', `names no product of the marketplace: ${named.ASIN}`)
    : invalidParameter('SellerSKU', `names no listing of the seller in the marketplace: ${named.SellerSKU}`)

const wrongUri = (index: number) =>
  invalidParameter(`requests[${index}].uri`, 'is not the path of the operation for one')

function represent(request: OffersRequest, named: Named | undefined, outcome: Offers | ApiError): OffersResponse {
  const { MarketplaceId, ItemCondition, CustomerType } = request
  const isRefused = outcome instanceof ApiError
  return {
    headers: {},
    status: isRefused
      ? { statusCode: outcome.status, reasonPhrase: 'Client Error' }
      : { statusCode: 200, reasonPhrase: 'OK' },
    request: {
      MarketplaceId,
      ItemCondition,
      ...(CustomerType && { CustomerType }),
      ...(named && ('ASIN' in named ? { Asin: named.ASIN } : named)),
    },
    body: isRefused
      ? { errors: [{ code: outcome.code, message: outcome.message, details: outcome.details }] }
      : { payload: outcome },
  }
}
