export { groupOffers, type OfferGroup } from '../offers/offer-groups.ts'
export { compareOffers, findExpectedPrice, findObstacle, landedMinor } from './featured-offer.ts'
export { canBeFeatured, eligibleOffers, type Market, offersIn } from './market.ts'
export { beginOfferChange, type OfferChange, type OfferChangeContext, pageOfferChange } from './offer-change.ts'
export { listPriceMinor, representShippingTime, salesRanksOf, spellSubCondition } from './offer-words.ts'
export { dayOf } from './price-history.ts'
export { type MarketKey, marketId } from './stale.ts'
export { type PriceHistory, readMarkets, refreshMarkets, writePriceHistories } from './store.ts'
export {
  ELEMENT_CLOSING,
  MOST_OFFERS,
  OFFERS_CLOSING,
  OFFERS_OPENING,
  representPoints,
  SUCCESS,
  type Summary,
  toMoney,
} from './summary.ts'
