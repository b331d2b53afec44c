import { type Market, offersIn } from '../../../marketplace/market/index.ts'
import { CONDITIONS, splitCondition } from '../../../marketplace/offers/conditions.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'
import { representPrices, toMoney } from './money.ts'
import { representSalesRanks } from './offers.ts'
import type { Price, PricingQuery, Product } from './schema.ts'

/** A product or a listing that was asked for, and its market if it has one. */
export interface Item {
  asin?: string
  sku?: string
  market?: Market | undefined
}

const NEW_BUY_BOX = '1'

/** What the seller asks for an item. */
export function representOwnPrice(item: Item, sellerId: string, query: PricingQuery): Price {
  return representPrice(item, sellerId, ({ offers }) => ({
    Offers: offers
      .filter((offer) => offer.sellerId === sellerId && (item.sku === undefined || offer.sku === item.sku))
      .filter(({ conditionType }) => isWanted(conditionType, query))
      .map(representOwnOffer),
  }))
}

const isWanted = (conditionType: string, { ItemCondition, OfferType }: PricingQuery) =>
  OfferType !== 'B2B' && (ItemCondition === undefined || splitCondition(conditionType).condition === ItemCondition)

/** What the others ask, as far as buyers are shown it first. */
export function representCompetitivePrice(item: Item, sellerId: string, forBusiness: boolean): Price {
  return representPrice(item, sellerId, (market) => ({
    CompetitivePricing: {
      CompetitivePrices: forBusiness || !market.featured ? [] : [representFeatured(market.featured, sellerId)],
      NumberOfOfferListings: forBusiness ? [] : countListings(market),
    },
    SalesRankings: representSalesRanks(market),
  }))
}

function representPrice(
  { asin, sku, market }: Item,
  sellerId: string,
  describe: (market: Market) => Partial<Product>,
): Price {
  const named = sku === undefined ? { ASIN: asin ?? '' } : { SellerSKU: sku }
  if (!market) return { status: 'ClientError', ...named }
  const { marketplaceId: MarketplaceId } = market.product
  return {
    status: 'Success',
    ...named,
    Product: {
      Identifiers: {
        MarketplaceASIN: { MarketplaceId, ASIN: market.product.asin },
        ...(sku !== undefined && { SKUIdentifier: { MarketplaceId, SellerId: sellerId, SellerSKU: sku } }),
      },
      ...describe(market),
    },
  }
}

function representOwnOffer(offer: Offer): NonNullable<Product['Offers']>[number] {
  const { condition, subCondition } = splitCondition(offer.conditionType)
  return {
    offerType: 'B2C',
    BuyingPrice: representPrices(offer),
    RegularPrice: toMoney(offer.priceMinor, offer.currencyCode),
    FulfillmentChannel: offer.fulfillmentType === 'AFN' ? 'AMAZON' : 'MERCHANT',
    ItemCondition: condition,
    ItemSubCondition: subCondition,
    SellerSKU: offer.sku,
  }
}

function representFeatured(offer: Offer, sellerId: string) {
  const { condition, subCondition } = splitCondition(offer.conditionType)
  return {
    CompetitivePriceId: NEW_BUY_BOX,
    Price: representPrices(offer),
    condition,
    subcondition: subCondition,
    offerType: 'B2C',
    sellerId: offer.sellerId,
    belongsToRequester: offer.sellerId === sellerId,
  } as const
}

function countListings(market: Market) {
  const counts = CONDITIONS.map((condition) => ({ Count: offersIn(market, condition).length, condition }))
  return [...counts.filter(({ Count }) => Count > 0), { Count: market.offers.length, condition: 'Any' }]
}
