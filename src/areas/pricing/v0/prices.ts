import { type Market, offersIn } from '../../../marketplace/market/index.ts'
import { CONDITIONS, splitCondition } from '../../../marketplace/offers/conditions.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'
import { renderPrices, toMoney } from './money.ts'
import { renderSalesRanks } from './offers.ts'
import type { Price, PricingQuery, Product } from './schema.ts'

/** A requested product or listing, and its market if there is one. */
export interface Item {
  asin?: string
  sku?: string
  market?: Market | undefined
}

const NEW_BUY_BOX = '1'

/** Renders the seller's own offers for an item. */
export function renderOwnPrice(item: Item, sellerId: string, query: PricingQuery): Price {
  return renderPrice(item, sellerId, ({ offers }) => ({
    Offers: offers
      .filter((offer) => offer.sellerId === sellerId && (item.sku === undefined || offer.sku === item.sku))
      .filter(({ conditionType }) => matchesQuery(conditionType, query))
      .map(renderOwnOffer),
  }))
}

const matchesQuery = (conditionType: string, { ItemCondition, OfferType }: PricingQuery) =>
  OfferType !== 'B2B' && (ItemCondition === undefined || splitCondition(conditionType).condition === ItemCondition)

/** Renders the featured offer and the number of offers for an item. */
export function renderCompetitivePrice(item: Item, sellerId: string, forBusiness: boolean): Price {
  return renderPrice(item, sellerId, (market) => ({
    CompetitivePricing: {
      CompetitivePrices: forBusiness || !market.featured ? [] : [renderFeatured(market.featured, sellerId)],
      NumberOfOfferListings: forBusiness ? [] : countListings(market),
    },
    SalesRankings: renderSalesRanks(market),
  }))
}

function renderPrice(
  { asin, sku, market }: Item,
  sellerId: string,
  renderProduct: (market: Market) => Partial<Product>,
): Price {
  const itemId = sku === undefined ? { ASIN: asin ?? '' } : { SellerSKU: sku }
  if (!market) return { status: 'ClientError', ...itemId }
  const { marketplaceId: MarketplaceId } = market.product
  return {
    status: 'Success',
    ...itemId,
    Product: {
      Identifiers: {
        MarketplaceASIN: { MarketplaceId, ASIN: market.product.asin },
        // Empty in a response by ASIN, as the public example has it: clients read it without a check.
        SKUIdentifier:
          sku === undefined
            ? { MarketplaceId: '', SellerId: '', SellerSKU: '' }
            : { MarketplaceId, SellerId: sellerId, SellerSKU: sku },
      },
      ...renderProduct(market),
    },
  }
}

function renderOwnOffer(offer: Offer): NonNullable<Product['Offers']>[number] {
  const { condition, subCondition } = splitCondition(offer.conditionType)
  return {
    offerType: 'B2C',
    BuyingPrice: renderPrices(offer),
    RegularPrice: toMoney(offer.priceMinor, offer.currencyCode),
    FulfillmentChannel: offer.fulfillmentType === 'AFN' ? 'AMAZON' : 'MERCHANT',
    ItemCondition: condition,
    ItemSubCondition: subCondition,
    SellerSKU: offer.sku,
  }
}

function renderFeatured(offer: Offer, sellerId: string) {
  const { condition, subCondition } = splitCondition(offer.conditionType)
  return {
    CompetitivePriceId: NEW_BUY_BOX,
    Price: renderPrices(offer),
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
