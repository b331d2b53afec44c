import type { Offer } from '../offers/offers.ts'

export const INELIGIBILITIES = ['CONDITION', 'SELLER_RATING', 'PRICE'] as const
export type Ineligibility = (typeof INELIGIBILITIES)[number]

const NEW = 'new_new'
// Fewer ratings are not significant.
const MIN_RATINGS = 10
const MIN_PERCENT_POSITIVE = 80
const EXCELLENT_PERCENT_POSITIVE = 95
const PER_MILLE = 1000
/** Ranking bonuses in thousandths of the landed price. */
const ADVANTAGE = {
  fulfilledByMarketplace: 20,
  prime: { NATIONAL: 20, REGIONAL: 10, NONE: 0 },
  excellentSeller: 10,
} as const

/** The total that a buyer pays: price and shipping, less the value of points. */
export const landedMinor = ({ priceMinor, shippingMinor, terms }: Offer): number =>
  Math.max(0, priceMinor + shippingMinor - (terms.points?.valueMinor ?? 0))

/**
 * Returns why an offer cannot be featured, or undefined. Featured offers are for new items, from sellers with at least
 * 80 % positive ratings, at a landed price up to the threshold.
 */
export function findIneligibility(offer: Offer, thresholdMinor: number | undefined): Ineligibility | undefined {
  if (offer.conditionType !== NEW) return 'CONDITION'
  if (percentPositive(offer) < MIN_PERCENT_POSITIVE) return 'SELLER_RATING'
  if (thresholdMinor !== undefined && landedMinor(offer) > thresholdMinor) return 'PRICE'
  return undefined
}

/**
 * Chooses the offer with the lowest landed price after bonuses: 2 % for fulfillment by the marketplace, 2 % for national
 * and 1 % for regional Prime, and 1 % for at least 95 % positive ratings. `compareOffers` resolves every tie, so the
 * result does not depend on the order of the offers.
 */
export function chooseFeatured(offers: readonly Offer[], thresholdMinor: number | undefined): Offer | undefined {
  let best: Offer | undefined
  for (const offer of offers) {
    if (findIneligibility(offer, thresholdMinor)) continue
    if (!best || compareOffers(offer, best) < 0) best = offer
  }
  return best
}

/** What decides between two offers, in this order. */
const CRITERIA = {
  PRICE_AFTER_BONUSES: (one, other) => weightedPrice(one) - weightedPrice(other),
  LANDED_PRICE: (one, other) => landedMinor(one) - landedMinor(other),
  LISTING_PRICE: (one, other) => one.priceMinor - other.priceMinor,
  FULFILLMENT: (one, other) => Number(other.fulfillmentType === 'AFN') - Number(one.fulfillmentType === 'AFN'),
  NUMBER_OF_RATINGS: (one, other) => ratingsOf(other) - ratingsOf(one),
  SELLER_ID: (one, other) => compareText(one.sellerId, other.sellerId),
  SKU: (one, other) => compareText(one.sku, other.sku),
} satisfies Record<string, (one: Offer, other: Offer) => number>

export type Criterion = keyof typeof CRITERIA
export const CRITERION_NAMES = Object.keys(CRITERIA) as Criterion[]
const COMPARISONS = Object.values(CRITERIA)

/** Returns a negative number if the first offer ranks before the second, and 0 only for the same offer. */
export function compareOffers(one: Offer, other: Offer): number {
  for (const compare of COMPARISONS) {
    const difference = compare(one, other)
    if (difference !== 0) return difference
  }
  return 0
}

/** How an offer stands in the choice of the featured one. */
export interface Standing {
  offer: Offer
  ineligibility?: Ineligibility
  /** Of an eligible offer. 1 is featured. */
  rank?: number
  /** What decides between an eligible offer and the featured one. */
  lostBy?: Criterion
}

/** Ranks offers by the rule of `chooseFeatured`: eligible ones first, the others in their order. */
export function rankOffers(offers: readonly Offer[], thresholdMinor: number | undefined): Standing[] {
  const judged = offers.map((offer) => ({ offer, ineligibility: findIneligibility(offer, thresholdMinor) }))
  const eligible = judged.flatMap(({ offer, ineligibility }) => (ineligibility ? [] : [offer])).sort(compareOffers)
  const [featured] = eligible
  return [
    ...eligible.map((offer, index) => {
      const lostBy = featured && offer !== featured ? findDecisive(offer, featured) : undefined
      return { offer, rank: index + 1, ...(lostBy && { lostBy }) }
    }),
    ...judged.flatMap(({ offer, ineligibility }) => (ineligibility ? [{ offer, ineligibility }] : [])),
  ]
}

const findDecisive = (one: Offer, other: Offer) => CRITERION_NAMES.find((name) => CRITERIA[name](one, other) !== 0)

/**
 * Returns the highest listing price at which an offer ranks before its best competitor, or undefined if there is none.
 * Exact in numbers, because prices are limited to 10^12 minor units (see `OfferPrice`).
 */
export function findExpectedPrice(
  offer: Offer,
  bestCompetitor: Offer,
  thresholdMinor: number | undefined,
): number | undefined {
  const isFeaturedAt = (priceMinor: number) => compareOffers({ ...offer, priceMinor }, bestCompetitor) < 0
  const priceOf = (landed: number) => landed - offer.shippingMinor + (offer.terms.points?.valueMinor ?? 0)
  const equal = priceOf(Math.floor(weightedPrice(bestCompetitor) / (PER_MILLE - advantageOf(offer))))
  const ceiling = thresholdMinor === undefined ? equal : Math.min(equal, priceOf(thresholdMinor))
  if (ceiling < 1 || !isFeaturedAt(1)) return undefined
  // A higher price never ranks better, so a binary search finds the highest price that suffices.
  let [wins, loses] = [1, ceiling + 1]
  while (loses - wins > 1) {
    const middle = Math.floor((wins + loses) / 2)
    if (isFeaturedAt(middle)) wins = middle
    else loses = middle
  }
  return wins
}

const weightedPrice = (offer: Offer) => landedMinor(offer) * (PER_MILLE - advantageOf(offer))

/** The price by which offers are compared: the landed price after bonuses, rounded. */
export const priceAfterBonuses = (offer: Offer): number => Math.round(weightedPrice(offer) / PER_MILLE)

const ratingsOf = ({ terms }: Offer) => terms.sellerFeedbackRating?.count ?? 0

/** The bonuses of an offer, in thousandths of its landed price. */
export function bonusesOf({ fulfillmentType, terms }: Offer) {
  const rating = terms.sellerFeedbackRating
  const isExcellent = rating && rating.count >= MIN_RATINGS && rating.percentPositive >= EXCELLENT_PERCENT_POSITIVE
  return {
    fulfilledByMarketplace: fulfillmentType === 'AFN' ? ADVANTAGE.fulfilledByMarketplace : 0,
    prime: ADVANTAGE.prime[terms.prime ?? 'NONE'],
    excellentSeller: isExcellent ? ADVANTAGE.excellentSeller : 0,
  }
}

function advantageOf(offer: Offer): number {
  const { fulfilledByMarketplace, prime, excellentSeller } = bonusesOf(offer)
  return fulfilledByMarketplace + prime + excellentSeller
}

/** A seller with few ratings counts as neither good nor bad. */
function percentPositive({ terms: { sellerFeedbackRating: rating } }: Offer): number {
  return rating && rating.count >= MIN_RATINGS ? rating.percentPositive : 100
}

// By code units, because the collation of a database depends on its configuration.
const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The order of offers in responses: by landed price. */
export const byLandedPrice = (one: Offer, other: Offer): number =>
  landedMinor(one) - landedMinor(other) ||
  one.priceMinor - other.priceMinor ||
  compareText(one.sellerId, other.sellerId) ||
  compareText(one.sku, other.sku)
