export { groupOffers, type OfferGroup } from '../offers/offer-groups.ts'
export { compareOffers, findExpectedPrice, findIneligibility, landedMinor } from './featured-offer.ts'
export { canBeFeatured, eligibleOffers, type Market, offersIn } from './market.ts'
export { dayOf } from './price-history.ts'
export { type MarketKey, marketId } from './stale.ts'
export {
  loadMarkets,
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
