import type { Offer } from '../offers/offers.ts'

/** Why an offer cannot be featured. */
export type Ineligibility = 'CONDITION' | 'SELLER_RATING' | 'PRICE'

const NEW = 'new_new'
// Fewer ratings than these say nothing, neither for a seller nor against one.
const MIN_RATINGS = 10
const MIN_PERCENT_POSITIVE = 80
const EXCELLENT_PERCENT_POSITIVE = 95
const PER_MILLE = 1000
/** By how many thousandths an offer counts as cheaper than it is. */
const ADVANTAGE = {
  fulfilledByMarketplace: 20,
  prime: { NATIONAL: 20, REGIONAL: 10, NONE: 0 },
  excellentSeller: 10,
} as const

/** What a buyer pays in the end: the price with shipping, less what the points are worth. */
export const landedMinor = ({ priceMinor, shippingMinor, terms }: Offer): number =>
  Math.max(0, priceMinor + shippingMinor - (terms.points?.valueMinor ?? 0))

/**
 * What keeps an offer from being featured, if anything does. Only what is new in every respect is featured, of sellers
 * with whom at least four of five buyers were content, at a landed price that is not above the threshold.
 */
export function findIneligibility(offer: Offer, thresholdMinor: number | undefined): Ineligibility | undefined {
  if (offer.conditionType !== NEW) return 'CONDITION'
  if (percentPositive(offer) < MIN_PERCENT_POSITIVE) return 'SELLER_RATING'
  if (thresholdMinor !== undefined && landedMinor(offer) > thresholdMinor) return 'PRICE'
  return undefined
}

/**
 * The offer that buyers are shown first, out of all that are made for a product: the lowest landed price, where an
 * offer counts as 2 % cheaper if the marketplace ships it, as 2 % (regionally: 1 %) cheaper if it is Prime, and as 1 %
 * cheaper if at least 95 % of the seller's buyers were content. `compareOffers` settles every tie, so the answer does
 * not depend on the order of the offers.
 */
export function chooseFeatured(offers: readonly Offer[], thresholdMinor: number | undefined): Offer | undefined {
  let best: Offer | undefined
  for (const offer of offers) {
    if (findIneligibility(offer, thresholdMinor)) continue
    if (!best || compareOffers(offer, best) < 0) best = offer
  }
  return best
}

/** Negative if the first is to be featured before the second. Zero for an offer and itself only. */
export function compareOffers(one: Offer, other: Offer): number {
  return (
    weightedPrice(one) - weightedPrice(other) ||
    landedMinor(one) - landedMinor(other) ||
    one.priceMinor - other.priceMinor ||
    Number(other.fulfillmentType === 'AFN') - Number(one.fulfillmentType === 'AFN') ||
    (other.terms.sellerFeedbackRating?.count ?? 0) - (one.terms.sellerFeedbackRating?.count ?? 0) ||
    compareText(one.sellerId, other.sellerId) ||
    compareText(one.sku, other.sku)
  )
}

/**
 * The highest listing price at which an offer is featured before the best of its rivals, if there is one. Prices are
 * at most a million million minor units (see `OfferPrice`), so that all of this is exact in numbers.
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
  // A higher price never helps, not among equals either, so the last one that does is found by halving.
  let [wins, loses] = [1, ceiling + 1]
  while (loses - wins > 1) {
    const middle = Math.floor((wins + loses) / 2)
    if (isFeaturedAt(middle)) wins = middle
    else loses = middle
  }
  return wins
}

const weightedPrice = (offer: Offer) => landedMinor(offer) * (PER_MILLE - advantageOf(offer))

function advantageOf(offer: Offer): number {
  const { fulfillmentType, terms } = offer
  const rating = terms.sellerFeedbackRating
  const isExcellent = rating && rating.count >= MIN_RATINGS && rating.percentPositive >= EXCELLENT_PERCENT_POSITIVE
  return (
    (fulfillmentType === 'AFN' ? ADVANTAGE.fulfilledByMarketplace : 0) +
    ADVANTAGE.prime[terms.prime ?? 'NONE'] +
    (isExcellent ? ADVANTAGE.excellentSeller : 0)
  )
}

/** A seller of whom little is known is not held to be a bad one. */
function percentPositive({ terms: { sellerFeedbackRating: rating } }: Offer): number {
  return rating && rating.count >= MIN_RATINGS ? rating.percentPositive : 100
}

// By code units: what a database takes for the order of texts depends on how it was set up.
const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The order in which offers are listed: by what a buyer pays. */
export const byLandedPrice = (one: Offer, other: Offer): number =>
  landedMinor(one) - landedMinor(other) ||
  one.priceMinor - other.priceMinor ||
  compareText(one.sellerId, other.sellerId) ||
  compareText(one.sku, other.sku)
