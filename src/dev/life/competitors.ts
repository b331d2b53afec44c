import { chooseFeatured } from '../../marketplace/market/featured-offer.ts'
import { landedMinor, type Market } from '../../marketplace/market/index.ts'
import type { CompetitorOffers } from '../../marketplace/offers/competitor-offers.ts'
import {
  type CompetitorOffer,
  findOffers,
  type Offer,
  type OfferKey,
  UNDISCLOSED_SKU,
} from '../../marketplace/offers/offers.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { MarketView } from './market-view.ts'
import type { LifeRules } from './options.ts'
import { Random } from './random.ts'
import type { Assignment } from './state.ts'
import { strategies } from './strategies.ts'

const PRODUCTS_PER_COMPETITOR = 8
const RECONSIDER_MILLISECONDS = 6 * 60 * 60 * 1000
const NEW = 'new_new'

/** Chooses the products of each competitor among those that sellers of Souk have. */
export function assignProducts(view: MarketView, { seed, competitors }: LifeRules): Assignment[] {
  const markets = view.choices.map(({ market }) => market)
  return competitors.flatMap((strategy, index) => {
    const random = Random.of(seed, 'assortment', index)
    const rest = [...markets]
    const chosen: Market[] = []
    while (rest.length > 0 && chosen.length < PRODUCTS_PER_COMPETITOR) {
      chosen.push(...rest.splice(random.integer(0, rest.length - 1), 1))
    }
    return chosen.flatMap(({ product: { marketplaceId, asin }, featured, offers }): Assignment[] => {
      const typical = featured ?? offers.find(({ conditionType }) => conditionType === NEW)
      if (!typical) return []
      return [{ sellerId: `ALIFE${index + 1}`, strategy, marketplaceId, asin, baseMinor: landedMinor(typical) }]
    })
  })
}

export interface CompetitionInput {
  view: MarketView
  assignments: readonly Assignment[]
  competitorOffers: CompetitorOffers
  seed: number
  step: number
  stepMilliseconds: number
  now: Date
}

/** Has the competitors whose turn it is reconsider their offers. Returns how many they changed. */
export async function compete(tx: Transaction, input: CompetitionInput): Promise<number> {
  const { view, assignments, competitorOffers, seed, step, now } = input
  const period = Math.max(1, Math.round(RECONSIDER_MILLISECONDS / input.stepMilliseconds))
  const written: CompetitorOffer[] = []
  const removed: OfferKey[] = []
  for (const [index, assignment] of assignments.entries()) {
    const market = view.find(assignment)
    // Their turns are spread over the period. All join in the first step.
    const shifted = step === 0 ? 0 : step + Random.of(seed, 'turn', index).integer(0, period - 1)
    if (!market || shifted % period !== 0) continue
    const own = market.offers.find(({ sellerId }) => sellerId === assignment.sellerId)
    const priceMinor = findPrice(market, assignment, shifted / period, now)
    if (priceMinor === own?.priceMinor) continue
    view.change(assignment)
    if (priceMinor !== undefined) written.push(toOffer(market, assignment, priceMinor))
    else if (own) removed.push(own)
  }
  if (written.length > 0) await competitorOffers.put(tx, written, now)
  if (removed.length > 0) await competitorOffers.remove(tx, await findOffers(tx, removed), now)
  return written.length + removed.length
}

function findPrice(
  { offers, references, featured }: Market,
  { sellerId, strategy, baseMinor }: Assignment,
  turn: number,
  now: Date,
): number | undefined {
  const others = offers.filter((offer) => offer.sellerId !== sellerId && offer.conditionType === NEW)
  const rest = featured?.sellerId === sellerId ? chooseFeatured(others, references.thresholdMinor) : featured
  const landed = (offer: Offer | undefined) => (offer ? landedMinor(offer) : undefined)
  return strategies[strategy]({ lowestMinor: landed(others[0]), featuredMinor: landed(rest), baseMinor, turn, now })
}

const toOffer = ({ currencyCode }: Market, { sellerId, marketplaceId, asin }: Assignment, priceMinor: number) =>
  ({
    marketplaceId,
    asin,
    sellerId,
    sku: UNDISCLOSED_SKU,
    conditionType: NEW,
    fulfillmentType: 'MFN',
    priceMinor,
    shippingMinor: 0,
    currencyCode,
    quantity: 20,
    terms: { sellerFeedbackRating: { percentPositive: 92, count: 250 } },
  }) satisfies CompetitorOffer
