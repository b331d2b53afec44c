export { distinctMarkets, MARKET_LOCK, type MarketKey, marketId, marketsToJson } from '../offers/market-key.ts'
export { groupOffers, type OfferGroup } from '../offers/offer-groups.ts'
export {
  bonusesOf,
  CRITERION_NAMES,
  compareOffers,
  findExpectedPrice,
  findIneligibility,
  INELIGIBILITIES,
  landedMinor,
  priceAfterBonuses,
  type Standing,
} from './featured-offer.ts'
export { canBeFeatured, eligibleOffers, hasNewClosing, type Market, offersIn, standingsOf } from './market.ts'
export { loadFewOffers, loadMarketOffers } from './market-offers.ts'
export { type Closing, dailyClosings, dayOf, RETENTION_DAYS, timeOfDay } from './price-history.ts'
export { listPriceHistories, loadMarkets, type PriceHistory, writePriceHistories } from './store.ts'
