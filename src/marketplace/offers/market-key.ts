import type { Transaction } from '../../platform/database/port.ts'

/** A product in a marketplace, whose offers form a market. */
export interface MarketKey {
  marketplaceId: string
  asin: string
}

/** Runs in the transaction that changes offers or products, so that data computed from them can be invalidated with it. */
export type OnMarketsChanged = (tx: Transaction, markets: readonly MarketKey[]) => Promise<void>

export const marketId = ({ marketplaceId, asin }: MarketKey): string => `${marketplaceId} ${asin}`

/** For queries that look up many markets with one value. */
export const marketsToJson = (markets: readonly MarketKey[]): string =>
  JSON.stringify(markets.map(({ marketplaceId, asin }) => [marketplaceId, asin]))

/** The kind of lock of what is computed from the offers of markets: shared by transactions that change offers. */
export const MARKET_LOCK = 'market'

export const distinctMarkets = <Key extends MarketKey>(keys: readonly Key[]): Key[] =>
  keys.length < 2 ? [...keys] : [...new Map(keys.map((key) => [marketId(key), key])).values()]
