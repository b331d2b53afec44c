import { findMarketplaces, type Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { dayOf, loadMarkets, type Market, type MarketKey, marketId } from '../../marketplace/market/index.ts'
import { listListedProducts, type Offer, offerId } from '../../marketplace/offers/offers.ts'
import type { Reader } from '../../platform/database/port.ts'

const MAX_LISTED_OFFERS = 1000
const NEW = 'new_new'

/** An offer of a seller's listing that buyers can choose. */
export interface Choice {
  offer: Offer
  market: Market
  marketplace: Marketplace
  isFeatured: boolean
}

/**
 * The markets in which sellers of Souk have offers. Loading all of them takes longer than a step, so they are loaded once
 * a day, and those that a step changes are loaded again.
 */
export class MarketView {
  readonly #markets = new Map<string, Market>()
  readonly #marketplaces = new Map<string, Marketplace>()
  readonly #listed = new Set<string>()
  readonly #changed = new Map<string, MarketKey>()
  #day: number | undefined
  readonly #choiceByMarket = new Map<string, Choice>()
  #choices: readonly Choice[] | undefined

  /** The database may differ from this view: load everything again. */
  clear(): void {
    this.#day = undefined
  }

  change(key: MarketKey): void {
    this.#changed.set(marketId(key), key)
  }

  /** A listing has stock again, so that its offer is back. */
  addListed(offer: Pick<Offer, 'marketplaceId' | 'asin' | 'sellerId' | 'sku'>): void {
    this.#listed.add(offerId(offer))
    this.change(offer)
  }

  async refresh(reader: Reader, now: Date, assigned: readonly MarketKey[]): Promise<void> {
    // Reference prices depend on the day.
    if (this.#day !== dayOf(now)) await this.#loadAll(reader, now, assigned)
    else if (this.#changed.size > 0) await this.#load(reader, [...this.#changed.values()], now)
    this.#changed.clear()
  }

  async #loadAll(reader: Reader, now: Date, assigned: readonly MarketKey[]): Promise<void> {
    this.#markets.clear()
    this.#choiceByMarket.clear()
    this.#listed.clear()
    const listed = await listListedProducts(reader, MAX_LISTED_OFFERS)
    for (const offer of listed) this.#listed.add(offerId(offer))
    const keys = new Map([...listed, ...assigned].map((key) => [marketId(key), key]))
    const marketplaceIds = [...new Set([...keys.values()].map(({ marketplaceId }) => marketplaceId))]
    for (const marketplace of await findMarketplaces(reader, marketplaceIds)) {
      this.#marketplaces.set(marketplace.marketplaceId, marketplace)
    }
    await this.#load(reader, [...keys.values()], now)
    this.#day = dayOf(now)
  }

  async #load(reader: Reader, keys: readonly MarketKey[], now: Date): Promise<void> {
    this.#choices = undefined
    for (let start = 0; start < keys.length; start += MAX_MARKETS_PER_QUERY) {
      const loaded = await loadMarkets(reader, keys.slice(start, start + MAX_MARKETS_PER_QUERY), now)
      for (const [id, market] of loaded) {
        this.#markets.set(id, market)
        const choice = this.#findChoice(market)
        if (choice) this.#choiceByMarket.set(id, choice)
        else this.#choiceByMarket.delete(id)
      }
    }
  }

  find(key: MarketKey): Market | undefined {
    return this.#markets.get(marketId(key))
  }

  /** One offer of each market that sellers of Souk are in, ordered by market. */
  get choices(): readonly Choice[] {
    this.#choices ??= [...this.#choiceByMarket]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, choice]) => choice)
    return this.#choices
  }

  /** The featured offer if it is of a listing, else the best one of a listing. */
  #findChoice(market: Market): Choice | undefined {
    const marketplace = this.#marketplaces.get(market.product.marketplaceId)
    const own = market.offers.filter((offer) => offer.conditionType === NEW && this.#listed.has(offerId(offer)))
    const featured = own.find((offer) => offer === market.featured)
    const offer = featured ?? own[0]
    return offer && marketplace && { offer, market, marketplace, isFeatured: featured !== undefined }
  }
}

const MAX_MARKETS_PER_QUERY = 200
