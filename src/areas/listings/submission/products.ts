import {
  type CatalogItem,
  findAsinsByIdentifier,
  findRestrictions,
  IDENTIFIER_TYPES,
  type IdentifierType,
  identifierId,
  identifiersOf,
  lockIdentifiers,
  type MarketplaceIdentifier,
  type NewCatalogItem,
} from '../../../marketplace/catalog/index.ts'
import { type MarketKey, marketId } from '../../../marketplace/offers/market-key.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import type { Ids } from '../../../platform/ids/port.ts'

/** What decides which product a listing is matched with. */
export interface ProductQuery {
  marketplaceId: string
  /** The product that the listing is already matched with. */
  asin: string | undefined
  suggestedAsin: string | undefined
  identifiers: readonly MarketplaceIdentifier[]
  /** Whether the product is added if it does not exist. */
  mayBeNew: boolean
}

export type ProductMatch = { suggested: string | undefined; identified: string | undefined }

export const IDENTIFIER_ATTRIBUTE = 'externally_assigned_product_identifier'
export const SUGGESTION_ATTRIBUTE = 'merchant_suggested_asin'

// Each is looked up, and locked if it is new, before the attribute is validated. Built-in product types allow five.
const MAX_IDENTIFIERS = 25
// Of the operator's product types, too: longer ones do not fit into an index.
const MAX_IDENTIFIER_LENGTH = 100

/** Reads the identifiers of a product from its attribute, which may not be valid yet. */
export function parseIdentifiers(marketplaceId: string, entries: unknown): MarketplaceIdentifier[] {
  if (!Array.isArray(entries)) return []
  return entries.slice(0, MAX_IDENTIFIERS).flatMap((entry) => {
    const { type, value } = (entry ?? {}) as { type?: unknown; value?: unknown }
    if (typeof type !== 'string' || typeof value !== 'string' || value.length > MAX_IDENTIFIER_LENGTH) return []
    const known = IDENTIFIER_TYPES.find((one) => one.toLowerCase() === type.toLowerCase())
    return known ? [{ marketplaceId, type: known as IdentifierType, value }] : []
  })
}

/** Reads the ASIN that the seller suggests from its attribute, which may not be valid yet. */
export function parseSuggestion(entries: unknown): string | undefined {
  const value = (Array.isArray(entries) ? entries[0] : undefined)?.value
  return typeof value === 'string' ? value : undefined
}

/** Products that an earlier batch adds, and that are not found before it is committed. */
export interface PendingProducts {
  identifiers: ReadonlySet<string>
  committed: Promise<unknown>
}

/** The products that a transaction needs, read together, and those that it adds. */
export class Products {
  readonly #added: NewCatalogItem[] = []
  /** By identifier; undefined if no product has it. */
  readonly #asins = new Map<string, string | undefined>()
  /** By market; undefined if the product does not exist. */
  readonly #items = new Map<string, Pick<CatalogItem, 'restrictions'> | undefined>()
  #expected: readonly MarketKey[] = []
  /** ASINs that do not exist, by marketplace. */
  readonly #free = new Map<string, string[]>()
  readonly #pending: PendingProducts | undefined

  constructor(pending?: PendingProducts) {
    // A copy, because the caller's may hold all of the earlier batch.
    this.#pending = pending && { identifiers: pending.identifiers, committed: pending.committed }
  }

  /** The products that are still to be written. */
  get added(): readonly NewCatalogItem[] {
    return this.#added
  }

  /**
   * Announces the queries of a batch. Those of unmatched listings are read at once: if a transaction locked the
   * identifiers of one new product after the other, it and another one could wait for each other. Most matched listings
   * are not processed again; their products are read together with the first that is.
   */
  async announce(tx: Transaction, ids: Ids, queries: readonly ProductQuery[]): Promise<void> {
    this.#expected = queries.filter(({ asin }) => asin !== undefined).flatMap(namedProduct)
    await this.read(
      tx,
      ids,
      queries.filter(({ asin }) => asin === undefined),
    )
  }

  async read(tx: Transaction, ids: Ids, queries: readonly ProductQuery[]): Promise<void> {
    const unmatched = queries.filter(({ asin }) => asin === undefined)
    await this.#waitForPending(unmatched)
    await Promise.all([
      this.#readIdentifiers(
        tx,
        unmatched.flatMap(({ identifiers }) => identifiers).filter((one) => !this.#asins.has(identifierId(one))),
      ),
      this.#readItems(tx, queries.flatMap(namedProduct)),
    ])
    const unknown = unmatched.filter((query) => this.#identify(query) === undefined)
    const identifiers = unknown.flatMap((query) => query.identifiers)
    // Another transaction may have been adding an item with the same identifier.
    if (await lockIdentifiers(tx, identifiers)) await this.#readIdentifiers(tx, identifiers)
    const isNew = (query: ProductQuery) => query.mayBeNew && this.#identify(query) === undefined
    await this.#drawAsins(tx, ids, unknown.filter(isNew))
    await this.#readItems(
      tx,
      unmatched.flatMap((query) => this.#identifiedProduct(query)),
    )
  }

  /** Whether everything that the query needs has been read. */
  has(query: ProductQuery): boolean {
    const { marketplaceId, asin, identifiers, mayBeNew } = query
    if (namedProduct(query).some((key) => !this.#items.has(marketId(key)))) return false
    if (asin !== undefined) return true
    if (identifiers.some((one) => !this.#asins.has(identifierId(one)))) return false
    const identified = this.#identify(query)
    if (identified !== undefined) return this.#items.has(marketId({ marketplaceId, asin: identified }))
    return !mayBeNew || this.#freeIn(marketplaceId).length > 0
  }

  match(query: ProductQuery): ProductMatch {
    const { marketplaceId, suggestedAsin: asin } = query
    const exists = asin !== undefined && this.#items.get(marketId({ marketplaceId, asin })) !== undefined
    return { suggested: exists ? asin : undefined, identified: this.#identify(query) }
  }

  restrictionsOf(marketplaceId: string, asin: string): CatalogItem['restrictions'] {
    return this.#items.get(marketId({ marketplaceId, asin }))?.restrictions
  }

  takeAsin(marketplaceId: string): string {
    const asin = this.#freeIn(marketplaceId).shift()
    if (asin === undefined) throw new Error('The product of the listing was not read')
    return asin
  }

  /** Adds a product. Listings that are processed after it are matched with it. */
  add(item: NewCatalogItem): void {
    this.#added.push(item)
    this.#items.set(marketId(item), {})
    for (const identifier of identifiersOf(item)) this.#asins.set(identifierId(identifier), item.asin)
  }

  /** The order of identifiers decides, so an earlier one must not be missed. */
  async #waitForPending(queries: readonly ProductQuery[]): Promise<void> {
    const { identifiers, committed } = this.#pending ?? {}
    if (!identifiers || identifiers.size === 0) return
    const isPending = (query: ProductQuery) => query.identifiers.some((one) => identifiers.has(identifierId(one)))
    if (queries.some(isPending)) await committed
  }

  /** The product of the first identifier that exists. */
  #identify({ identifiers }: ProductQuery): string | undefined {
    for (const identifier of identifiers) {
      const asin = this.#asins.get(identifierId(identifier))
      if (asin !== undefined) return asin
    }
    return undefined
  }

  #freeIn(marketplaceId: string): string[] {
    const free = this.#free.get(marketplaceId) ?? []
    this.#free.set(marketplaceId, free)
    return free
  }

  #identifiedProduct(query: ProductQuery) {
    const asin = this.#identify(query)
    return asin === undefined ? [] : [{ marketplaceId: query.marketplaceId, asin }]
  }

  async #readIdentifiers(tx: Transaction, identifiers: readonly MarketplaceIdentifier[]): Promise<void> {
    const found = await findAsinsByIdentifier(tx, identifiers)
    for (const id of identifiers.map(identifierId)) this.#asins.set(id, found.get(id))
  }

  async #readItems(tx: Transaction, keys: readonly MarketKey[]): Promise<void> {
    if (keys.every((key) => this.#items.has(marketId(key)))) return
    const missing = [...keys, ...this.#expected].filter((key) => !this.#items.has(marketId(key)))
    const found = await findRestrictions(tx, missing)
    for (const id of missing.map(marketId)) {
      this.#items.set(id, found.has(id) ? { restrictions: found.get(id) } : undefined)
    }
  }

  /** Short ASINs collide: those that exist are drawn again. */
  async #drawAsins(tx: Transaction, ids: Ids, queries: readonly ProductQuery[]): Promise<void> {
    for (let wanted = queries; wanted.length > 0; ) {
      const drawn = wanted.map(({ marketplaceId }) => ({ marketplaceId, asin: ids.next('asin') }))
      const taken = await findRestrictions(tx, drawn)
      wanted = wanted.filter((_, index) => taken.has(marketId(drawn[index] as (typeof drawn)[number])))
      for (const key of drawn) {
        if (!taken.has(marketId(key))) this.#freeIn(key.marketplaceId).push(key.asin)
      }
    }
  }
}

const namedProduct = ({ marketplaceId, asin: matched, suggestedAsin }: ProductQuery) => {
  const asin = matched ?? suggestedAsin
  return asin === undefined ? [] : [{ marketplaceId, asin }]
}
