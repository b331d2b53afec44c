import { isDeepStrictEqual } from 'node:util'
import type { Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { type CatalogItem, findCatalogItems, restrictionsFor } from '../../marketplace/catalog/index.ts'
import type { Reader } from '../../platform/database/port.ts'
import type { SeededListing, SeedPorts, StoredListing } from './ports.ts'
import { listingKey } from './products.ts'

/** The stock of a listing, which orders take from. */
export interface Stock {
  stockId: string
  countsStock: boolean
  isKnown: boolean
}

/** Renders the listings of an export. */
export class ListingExport {
  readonly #reader: Reader
  readonly #ports: SeedPorts
  readonly #currencies: ReadonlyMap<string, string>
  readonly #now: Date
  /** Of the listings that were rendered, by `listingKey`. */
  readonly stocks = new Map<string, Stock>()

  constructor(reader: Reader, ports: SeedPorts, marketplaces: readonly Marketplace[], now: Date) {
    this.#reader = reader
    this.#ports = ports
    this.#currencies = new Map(marketplaces.map(({ marketplaceId, currencyCode }) => [marketplaceId, currencyCode]))
    this.#now = now
  }

  async render(page: readonly StoredListing[]): Promise<object[]> {
    const keys = page.flatMap(({ marketplaceId, asin }) => (asin === undefined ? [] : [{ marketplaceId, asin }]))
    const items = new Map(
      (await findCatalogItems(this.#reader, keys)).map((item) => [`${item.marketplaceId} ${item.asin}`, item]),
    )
    return page.map((listing) => this.#render(listing, items.get(`${listing.marketplaceId} ${listing.asin}`)))
  }

  #render(listing: StoredListing, item: CatalogItem | undefined): object {
    const { rules } = this.#ports
    const { sellerId, sku, marketplaceId, productType, requirements, state, asin, fnSku, product, offer } = listing
    const currencyCode = this.#currencies.get(marketplaceId) ?? ''
    const { conditionType, countsStock } = rules.describeListing({ product, offer, currencyCode }, this.#now)
    const createdAt = listing.createdAt.toISOString()
    const updatedAt = listing.updatedAt?.toISOString()
    this.stocks.set(listingKey(listing), { stockId: createdAt, countsStock, isKnown: state !== 'UNKNOWN' })
    const isRestricted = item !== undefined && restrictionsFor(item, sellerId, conditionType).length > 0
    const { issues, ...seed } = { ...listing, currencyCode, isRestricted } satisfies SeededListing
    const isDerived = isDeepStrictEqual(rules.issuesByDefault(seed, this.#now), issues)
    return {
      sellerId,
      sku,
      marketplaceId,
      productType,
      ...(requirements !== 'LISTING' && { requirements }),
      ...(asin !== undefined && { asin }),
      ...(fnSku !== undefined && { fnSku }),
      ...(state === 'UNKNOWN' && { state }),
      attributes: { ...product, ...offer },
      ...(!isDerived && { issues }),
      createdAt,
      ...(updatedAt !== createdAt && { updatedAt }),
    }
  }
}
