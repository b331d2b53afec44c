import {
  bonusesOf,
  type Closing,
  canBeFeatured,
  dailyClosings,
  landedMinor,
  type Market,
  priceAfterBonuses,
  type Standing,
  standingsOf,
  timeOfDay,
} from '../../../marketplace/market/index.ts'
import { formatMinor } from '../../../marketplace/money.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import { toMoney } from '../money.ts'
import {
  type ConsoleOffer,
  type HISTORY_EVENTS,
  MAX_OFFERS,
  type ProductOffers,
  type ProductPriceHistory,
} from './schema.ts'

const PER_MILLE_OF_PERCENT = 10

export function renderPriceHistory(market: Market, today: number): ProductPriceHistory {
  const { currencyCode, offers, history } = market
  const days = dailyClosings(history, today)
  const [lowest] = offers
  const renderDay = ([day, minor]: Closing) => ({
    date: timeOfDay(day).toISOString().slice(0, 10),
    featuredPrice: minor === null ? null : toMoney(minor, currencyCode),
  })
  return {
    ...renderProduct(market),
    ...(lowest && { lowestPrice: toMoney(landedMinor(lowest), currencyCode) }),
    days: days.map(renderDay),
    events: days.flatMap((closing, index) => {
      const kind = eventOf(closing[1], days[index - 1]?.[1])
      return kind ? [{ ...renderDay(closing), kind }] : []
    }),
  }
}

/** What changed between two closing prices. A price is undefined before the first that is known. */
function eventOf(price: number | null, before: number | null | undefined): (typeof HISTORY_EVENTS)[number] | undefined {
  if (price === before) return undefined
  if (before === undefined) return 'FIRST_KNOWN'
  if (price === null) return 'NOT_FEATURED'
  if (before === null) return 'FEATURED_AGAIN'
  return price > before ? 'RAISED' : 'LOWERED'
}

export function renderProductOffers(market: Market, sellerId: string): ProductOffers {
  const standings = standingsOf(market)
  const listed = standings.filter(({ offer }, index) => index < MAX_OFFERS || offer.sellerId === sellerId)
  return {
    ...renderProduct(market),
    offerCount: standings.length,
    offers: listed.map((standing) => renderStanding(market, standing, sellerId)),
  }
}

function renderProduct({ product, currencyCode, references }: Market) {
  const { wasMinor, thresholdMinor, competitiveMinor } = references
  return {
    asin: product.asin,
    marketplaceId: product.marketplaceId,
    currencyCode,
    ...(wasMinor !== undefined && { wasPrice: toMoney(wasMinor, currencyCode) }),
    ...(thresholdMinor !== undefined && { thresholdPrice: toMoney(thresholdMinor, currencyCode) }),
    ...(competitiveMinor !== undefined && { competitivePrice: toMoney(competitiveMinor, currencyCode) }),
  }
}

function renderStanding(market: Market, standing: Standing, sellerId: string): ConsoleOffer {
  const { offer, rank, lostBy } = standing
  const { currencyCode, terms } = offer
  const money = (minor: number) => toMoney(minor, currencyCode)
  const bonuses = bonusesOf(offer)
  const isOwn = offer.sellerId === sellerId
  const ineligibility = canBeFeatured(market.product) ? standing.ineligibility : 'PRODUCT'
  return {
    sellerId: offer.sellerId,
    isOwn,
    ...(isOwn && { sku: offer.sku }),
    ...splitCondition(offer.conditionType),
    fulfillmentType: offer.fulfillmentType,
    listingPrice: money(offer.priceMinor),
    shippingPrice: money(offer.shippingMinor),
    landedPrice: money(landedMinor(offer)),
    prime: terms.prime ?? 'NONE',
    ...(terms.sellerFeedbackRating && { feedback: terms.sellerFeedbackRating }),
    isFeatured: offer === market.featured,
    isEligible: ineligibility === undefined,
    ...(ineligibility && { ineligibility }),
    ...(rank !== undefined && { rank }),
    bonuses: {
      fulfilledByMarketplacePercent: bonuses.fulfilledByMarketplace / PER_MILLE_OF_PERCENT,
      primePercent: bonuses.prime / PER_MILLE_OF_PERCENT,
      excellentSellerPercent: bonuses.excellentSeller / PER_MILLE_OF_PERCENT,
    },
    priceAfterBonuses: money(priceAfterBonuses(offer)),
    ...(lostBy && { lostBy }),
    reason: reasonOf(market, standing, ineligibility),
  }
}

const LOST_BY: Readonly<Record<NonNullable<Standing['lostBy']>, string>> = {
  PRICE_AFTER_BONUSES: 'costs less after bonuses',
  LANDED_PRICE: 'costs the same after bonuses, and less before them',
  LISTING_PRICE: 'costs the same, and less without shipping',
  FULFILLMENT: 'costs the same, and the marketplace ships it',
  NUMBER_OF_RATINGS: 'costs the same, and its seller has more ratings',
  SELLER_ID: 'is equal, and the id of its seller sorts first',
  SKU: 'is equal, and its SKU sorts first',
}

function reasonOf(
  { references, currencyCode }: Market,
  standing: Standing,
  ineligibility: ConsoleOffer['ineligibility'],
) {
  const price = (minor: number) => `${formatMinor(minor, currencyCode)} ${currencyCode}`
  const { offer, lostBy } = standing
  switch (ineligibility) {
    case 'PRODUCT':
      return 'The product is a variation parent or for adults, so none of its offers is featured.'
    case 'CONDITION':
      return 'Only offers of new items are featured.'
    case 'SELLER_RATING':
      return `Only ${offer.terms.sellerFeedbackRating?.percentPositive} % of the ratings of its seller are positive, and 80 % are required.`
    case 'PRICE':
      return `It costs ${price(landedMinor(offer))} with shipping, and offers above ${price(references.thresholdMinor ?? 0)} are not featured.`
    default:
      return lostBy
        ? `The featured offer ${LOST_BY[lostBy]}.`
        : 'It has the lowest price after bonuses of all eligible offers.'
  }
}
