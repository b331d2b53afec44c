import { findMarketplace, type Marketplace } from '../marketplace/accounts/marketplaces.ts'
import { findCatalogItem } from '../marketplace/catalog/index.ts'
import { compareOffers } from '../marketplace/market/index.ts'
import { formatMinor, toMinor } from '../marketplace/money.ts'
import type { MarketKey } from '../marketplace/offers/market-key.ts'
import {
  type CompetitorOffer,
  listProductOffers,
  MAX_OFFER_MINOR,
  type Offer,
  type OriginatedOffer,
  renderOffer,
  UNDISCLOSED_SKU,
} from '../marketplace/offers/offers.ts'
import type { Transaction } from '../platform/database/port.ts'
import { invalidParameter, invalidParameters, type Violation } from '../platform/errors/api-error.ts'
import { type ActDependencies, requireId } from './dependencies.ts'
import type { JoinAct, LeaveAct, SetPriceAct } from './schema.ts'

const NEW_COMPETITOR = 'ACOMPETITOR'
const DEFAULT_QUANTITY = 10

export function createCompetitorActs({ database, clock, competitorOffers, findDefaults }: ActDependencies) {
  return {
    /** Changes the price of an offer. */
    setPrice(act: SetPriceAct): Promise<CompetitorOffer> {
      return withProduct(act, async (tx, { currencyCode }, offers) => {
        const [offer, ...others] = requireOffers(act, offers)
        if (others.length > 0) throw invalidParameter('sku', 'is required: the competitor has several offers')
        const amounts = toAmounts(act, currencyCode)
        return put(tx, { ...renderOffer(offer), ...amounts })
      })
    },

    /** Adds an offer of a competitor to a product. */
    join(act: JoinAct): Promise<CompetitorOffer> {
      return withProduct(act, async (tx, { marketplaceId, currencyCode }, offers) => {
        const { price, shipping, sku = UNDISCLOSED_SKU, sellerId = newCompetitorId(offers), ...given } = act
        if (offers.some((offer) => offer.sellerId === sellerId && offer.sku === sku)) {
          throw invalidParameter('sellerId', 'already has an offer for the product')
        }
        const amounts = toAmounts({ ...(price !== undefined && { price }), shipping: shipping ?? 0 }, currencyCode)
        const conditionType = given.conditionType ?? 'new_new'
        const priceMinor = amounts.priceMinor ?? findLowest(offers, conditionType)
        if (priceMinor === undefined) throw invalidParameter('price', 'is required: the product has no offers')
        return put(tx, {
          fulfillmentType: 'MFN',
          quantity: DEFAULT_QUANTITY,
          ...given,
          marketplaceId,
          sellerId,
          sku,
          conditionType,
          currencyCode,
          ...amounts,
          priceMinor,
        })
      })
    },

    /** Removes the offers of a competitor from a product. */
    leave(act: LeaveAct): Promise<object> {
      return withProduct(act, async (tx, _marketplace, offers) => {
        await competitorOffers.remove(tx, requireOffers(act, offers), clock.now())
        return {}
      })
    },
  }

  async function withProduct<Result>(
    act: { marketplaceId?: string; asin: string },
    work: (tx: Transaction, marketplace: Marketplace, offers: readonly OriginatedOffer[]) => Promise<Result>,
  ): Promise<Result> {
    const key: MarketKey = { marketplaceId: requireId('marketplaceId', act, await findDefaults()), asin: act.asin }
    return database.transact(async (tx) => {
      const marketplace = await findMarketplace(tx, key.marketplaceId)
      if (!marketplace) throw invalidParameter('marketplaceId', 'does not exist')
      if (!(await findCatalogItem(tx, key))) throw invalidParameter('asin', 'does not exist in the marketplace')
      return work(tx, marketplace, await listProductOffers(tx, key))
    })
  }

  async function put(tx: Transaction, offer: CompetitorOffer): Promise<CompetitorOffer> {
    await competitorOffers.put(tx, [offer], clock.now())
    return offer
  }
}

/** The offers that an act is about: one of a competitor, all of a competitor, or all of the best competitor. */
function requireOffers(
  { sellerId, sku }: { sellerId?: string; sku?: string },
  offers: readonly OriginatedOffer[],
): [OriginatedOffer, ...OriginatedOffer[]] {
  const isNamed = (offer: Offer) =>
    (sellerId === undefined || offer.sellerId === sellerId) && (sku === undefined || offer.sku === sku)
  const named = offers.filter(isNamed)
  const ofCompetitors = named.filter(({ fromListing }) => !fromListing).sort(compareOffers)
  const [best] = ofCompetitors
  if (best)
    return ofCompetitors.filter((offer) => offer.sellerId === best.sellerId) as [OriginatedOffer, ...OriginatedOffer[]]
  if (named.length > 0 && sellerId !== undefined)
    throw invalidParameter('sellerId', "has the offer of a seller's listing")
  if (sellerId === undefined) throw invalidParameter('asin', "has no competitors' offers")
  throw invalidParameter('sellerId', 'has no such offer for the product')
}

/** Converts amounts, and refuses fractions of the currency's smallest unit. */
function toAmounts(
  amounts: { price?: number; shipping?: number },
  currencyCode: string,
): { priceMinor?: number; shippingMinor?: number } {
  const violations: Violation[] = []
  const convert = (path: 'price' | 'shipping') => {
    const amount = amounts[path]
    if (amount === undefined) return undefined
    const minor = toMinor(amount, currencyCode)
    if (minor > MAX_OFFER_MINOR) violations.push({ path, reason: 'is too high' })
    else if (Number(formatMinor(minor, currencyCode)) !== amount) {
      violations.push({ path, reason: `has more decimals than ${currencyCode}` })
    }
    return minor
  }
  const priceMinor = convert('price')
  const shippingMinor = convert('shipping')
  if (violations.length > 0) throw invalidParameters(violations)
  return {
    ...(priceMinor !== undefined && { priceMinor }),
    ...(shippingMinor !== undefined && { shippingMinor }),
  }
}

const findLowest = (offers: readonly Offer[], conditionType: string): number | undefined => {
  const prices = offers.filter((offer) => offer.conditionType === conditionType).map(({ priceMinor }) => priceMinor)
  return prices.length > 0 ? Math.min(...prices) : undefined
}

function newCompetitorId(offers: readonly Offer[]): string {
  const taken = new Set(offers.map(({ sellerId }) => sellerId))
  for (let number = 1; ; number++) {
    if (!taken.has(`${NEW_COMPETITOR}${number}`)) return `${NEW_COMPETITOR}${number}`
  }
}
