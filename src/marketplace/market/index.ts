export { groupOffers, type OfferGroup } from '../offers/offer-groups.ts'
export { compareOffers, findExpectedPrice, findIneligibility as findObstacle, landedMinor } from './featured-offer.ts'
export { canBeFeatured, eligibleOffers, type Market, offersIn } from './market.ts'
export {
  expandOfferChange as beginOfferChange,
  listOfferNotifications as pageOfferChange,
  type OfferChange,
  type OfferChangeContext,
} from './offer-change.ts'
export {
  listPriceMinor,
  renderShippingTime as representShippingTime,
  renderSubCondition as spellSubCondition,
  salesRanksOf,
} from './offer-words.ts'
export { dayOf } from './price-history.ts'
export { type MarketKey, marketId } from './stale.ts'
export {
  loadMarkets as readMarkets,
  type PriceHistory,
  storeSummaries as refreshMarkets,
  writePriceHistories,
} from './store.ts'
export {
  ELEMENT_CLOSING,
  MAX_OFFERS as MOST_OFFERS,
  OFFERS_CLOSING,
  OFFERS_OPENING,
  renderPoints as representPoints,
  SUCCESS,
  type Summary,
  toMoney,
} from './summary.ts'
