import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { toIsoTime } from '../../platform/clock/iso-time.ts'
import { lookUpEach } from '../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isAfter, isOneOf } from '../../platform/database/tuples.ts'
import { prepareInserts, upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { Asin, CountryCode, CurrencyCode, MarketplaceId, MinorUnits, Name, SellerId, Sku, strict } from '../schema.ts'
import { CONDITION_TYPES, type ConditionType } from './conditions.ts'
import { distinctMarkets, type MarketKey, marketId, marketsToJson, type OnMarketsChanged } from './market-key.ts'
import type { OfferTables } from './tables.ts'

/** Replaces the SKU of a competitor, which is not public. */
export const UNDISCLOSED_SKU = '-'

// 10^12: sums and weighted sums of two prices stay exact in a number.
export const MAX_OFFER_MINOR = 1_000_000_000_000
const OfferPrice = { ...MinorUnits, maximum: MAX_OFFER_MINOR }

const Promotion = Type.Object(
  {
    type: Type.Enum(['COUPON', 'DEAL', 'BASKET_BUILDING']),
    amountOffMinor: Type.Optional(OfferPrice),
    percentOff: Type.Optional(Type.Number({ minimum: 1, maximum: 100 })),
  },
  strict,
)

export const OfferTerms = Type.Object(
  {
    prime: Type.Optional(Type.Enum(['NONE', 'NATIONAL', 'REGIONAL'], { description: 'Default: NONE' })),
    points: Type.Optional(
      Type.Object(
        { number: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), valueMinor: Type.Optional(OfferPrice) },
        strict,
      ),
    ),
    promotions: Type.Optional(Type.Array(Promotion, { maxItems: 10 })),
    sellerFeedbackRating: Type.Optional(
      Type.Object(
        {
          percentPositive: Type.Number({ minimum: 0, maximum: 100 }),
          count: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        },
        strict,
      ),
    ),
    shipsFrom: Type.Optional(Type.Object({ countryCode: CountryCode, stateOrRegion: Type.Optional(Name) }, strict)),
  },
  strict,
)
export type OfferTerms = Static<typeof OfferTerms>

export const CompetitorOffer = Type.Object(
  {
    marketplaceId: MarketplaceId,
    asin: Asin,
    sellerId: { ...SellerId, description: 'May be unknown to Souk' },
    // A default, because the SKU is part of the key and of the path.
    sku: Type.Optional({ ...Sku, default: UNDISCLOSED_SKU }),
    conditionType: Type.Enum(CONDITION_TYPES),
    fulfillmentType: Type.Enum(['AFN', 'MFN']),
    priceMinor: OfferPrice,
    shippingMinor: Type.Optional({ ...OfferPrice, description: 'Default: 0' }),
    currencyCode: CurrencyCode,
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default: 1' })),
    terms: Type.Optional(OfferTerms),
  },
  { ...strict, description: 'An offer for a product' },
)
export type CompetitorOffer = Static<typeof CompetitorOffer>

/** Fills in the defaults of the schema. */
export const withDefaults = (offer: CompetitorOffer) => ({
  sku: UNDISCLOSED_SKU,
  shippingMinor: 0,
  quantity: 1,
  terms: {},
  ...offer,
})

export interface OfferKey {
  marketplaceId: string
  asin: string
  sellerId: string
  sku: string
}

export const offerId = ({ marketplaceId, asin, sellerId, sku }: OfferKey): string =>
  `${marketplaceId} ${asin} ${sellerId} ${sku}`

export interface Offer extends OfferKey {
  conditionType: string
  fulfillmentType: 'AFN' | 'MFN'
  priceMinor: number
  shippingMinor: number
  currencyCode: string
  quantity: number
  terms: OfferTerms
  updatedAt: Date
}

const db = queryBuilder<OfferTables>()
type Row = OfferTables['offers']

const KEY = ['marketplace_id', 'asin', 'seller_id', 'sku'] satisfies (keyof Row)[]
const NUMBERS = ['price_minor', 'shipping_minor', 'quantity', 'from_listing'] satisfies (keyof Row)[]

const write = prepareInserts<Row>('offers', { numbers: NUMBERS, existing: KEY })

const remove = prepare((params: OfferKey) =>
  db
    .deleteFrom('offers')
    .where('marketplace_id', '=', params.marketplaceId)
    .where('asin', '=', params.asin)
    .where('seller_id', '=', params.sellerId)
    .where('sku', '=', params.sku),
)

export type OfferWriter = ReturnType<typeof createOfferWriter>

/** Every change of an offer goes through this writer, so that `onMarketsChanged` sees all changed markets. */
export const createOfferWriter = (onMarketsChanged: OnMarketsChanged) => ({
  /**
   * Writes and removes offers of listings. Nothing can have been computed from the markets of products that the
   * transaction has added.
   */
  async write(
    tx: Transaction,
    offers: readonly Offer[],
    { removed = [], newProducts = [] }: { removed?: readonly OfferKey[]; newProducts?: readonly MarketKey[] } = {},
  ): Promise<void> {
    await write(
      tx,
      offers.map((offer) => toRow(offer, { fromListing: true })),
    )
    if (removed.length > 0) await tx.runEach(remove, removed)
    const added = new Set(newProducts.map(marketId))
    const changed = [...offers, ...removed]
    await onMarketsChanged(tx, added.size === 0 ? changed : changed.filter((key) => !added.has(marketId(key))))
  },

  async remove(tx: Transaction, keys: readonly OfferKey[]): Promise<void> {
    await tx.runEach(remove, keys)
    await onMarketsChanged(tx, keys)
  },

  /** Writes competitors' offers, which the operator API supplies. */
  async upsertCompetitors(tx: Transaction, offers: readonly CompetitorOffer[], now: Date): Promise<void> {
    const complete = offers.map((offer) => ({ ...withDefaults(offer), updatedAt: now }))
    // In one order everywhere, so that two transactions never wait for each other's rows.
    complete.sort((a, b) => (offerId(a) < offerId(b) ? -1 : 1))
    const rows = complete.map((offer) => toRow(offer, { fromListing: false }))
    await upsertMany(tx, 'offers', KEY, rows)
    await onMarketsChanged(tx, offers)
  },
})

const ofProducts = prepare(({ products, limit }: { products: string; limit: number }, dialect) =>
  db
    .selectFrom(lookUpEach<Row>(products, dialect, { table: 'offers', by: ['marketplace_id', 'asin'], several: true }))
    .selectAll()
    .limit(limit),
)

/** Returns the offers for these products, in no particular order: all, or as many as the limit. */
export async function listOffersByProduct(
  reader: Reader,
  products: readonly MarketKey[],
  limit = Number.MAX_SAFE_INTEGER,
): Promise<Offer[]> {
  if (products.length === 0) return []
  const rows = await reader.all(ofProducts, { products: marketsToJson(distinctMarkets(products)), limit })
  return rows.map(fromOfferRow)
}

export interface OriginatedOffer extends Offer {
  /** Whether it is the offer of a seller's listing, which changes with the listing only. */
  fromListing: boolean
}

const ofProduct = prepare(({ marketplaceId, asin }: MarketKey) =>
  db.selectFrom('offers').selectAll().where('marketplace_id', '=', marketplaceId).where('asin', '=', asin),
)

/** Lists offers of sellers' listings for new items. */
export async function listListedProducts(reader: Reader, limit: number): Promise<OfferKey[]> {
  const rows = await reader.all(
    db
      .selectFrom('offers')
      .select(['marketplace_id', 'asin', 'seller_id', 'sku'])
      .where('from_listing', '=', 1)
      .where('condition_type', '=', 'new_new')
      .orderBy('marketplace_id')
      .orderBy('asin')
      .orderBy('seller_id')
      .orderBy('sku')
      .limit(limit),
  )
  return rows.map((row) => ({
    marketplaceId: row.marketplace_id,
    asin: row.asin,
    sellerId: row.seller_id,
    sku: row.sku,
  }))
}

/** Returns all offers for a product, in no particular order. */
export async function listProductOffers(
  reader: Reader,
  { marketplaceId, asin }: MarketKey,
): Promise<OriginatedOffer[]> {
  return (await reader.all(ofProduct, { marketplaceId, asin })).map(withOrigin)
}

export async function findOffers(reader: Reader, keys: readonly OfferKey[]): Promise<OriginatedOffer[]> {
  if (keys.length === 0) return []
  const tuples = keys.map(({ marketplaceId, asin, sellerId, sku }) => [marketplaceId, asin, sellerId, sku])
  const rows = await reader.all(db.selectFrom('offers').selectAll().where(isOneOf(KEY, tuples)))
  return rows.map(withOrigin)
}

/** Lists offers in the order of their keys. After the first parts of a key is after all offers that have them. */
export async function listOffers(
  reader: Reader,
  page: PageRequest & { marketplaceId?: string; asin?: string },
): Promise<Offer[]> {
  let query = db.selectFrom('offers').selectAll().limit(page.limit)
  for (const column of ['marketplace_id', 'asin', 'seller_id', 'sku'] as const) query = query.orderBy(column)
  if (page.marketplaceId) query = query.where('marketplace_id', '=', page.marketplaceId)
  if (page.asin) query = query.where('asin', '=', page.asin)
  if (page.after) query = query.where(isAfter(KEY.slice(0, page.after.length), page.after))
  return (await reader.all(query)).map(fromOfferRow)
}

/** Lists the offers that belong to no listing. */
export async function listCompetitorOffers(reader: Reader, page: PageRequest): Promise<Offer[]> {
  let query = db.selectFrom('offers').selectAll().where('from_listing', '=', 0).limit(page.limit)
  for (const column of ['marketplace_id', 'asin', 'seller_id', 'sku'] as const) query = query.orderBy(column)
  if (page.after) query = query.where(isAfter(KEY, page.after))
  return (await reader.all(query)).map(fromOfferRow)
}

/** A condition for queries of other owners. */
export const isOffered = ({ marketplaceId, asin, sellerId, sku }: OfferKey): RawBuilder<SqlBool> =>
  sql`exists (select 1 from offers where marketplace_id = ${marketplaceId} and asin = ${asin} and seller_id = ${sellerId} and sku = ${sku})`

export const renderOffer = (offer: Offer): CompetitorOffer => ({
  marketplaceId: offer.marketplaceId,
  asin: offer.asin,
  sellerId: offer.sellerId,
  sku: offer.sku,
  conditionType: offer.conditionType as ConditionType,
  fulfillmentType: offer.fulfillmentType,
  priceMinor: offer.priceMinor,
  shippingMinor: offer.shippingMinor,
  currencyCode: offer.currencyCode,
  quantity: offer.quantity,
  terms: offer.terms,
})

const toRow = (offer: Offer, { fromListing }: { fromListing: boolean }): Row => ({
  marketplace_id: offer.marketplaceId,
  asin: offer.asin,
  seller_id: offer.sellerId,
  sku: offer.sku,
  condition_type: offer.conditionType,
  fulfillment_type: offer.fulfillmentType,
  price_minor: offer.priceMinor,
  shipping_minor: offer.shippingMinor,
  currency_code: offer.currencyCode,
  quantity: offer.quantity,
  terms: JSON.stringify(offer.terms),
  from_listing: Number(fromListing),
  updated_at: toIsoTime(offer.updatedAt),
})

const withOrigin = (row: Row): OriginatedOffer => ({ ...fromOfferRow(row), fromListing: row.from_listing === 1 })

export const fromOfferRow = (row: Row): Offer => ({
  marketplaceId: row.marketplace_id,
  asin: row.asin,
  sellerId: row.seller_id,
  sku: row.sku,
  conditionType: row.condition_type,
  fulfillmentType: row.fulfillment_type as Offer['fulfillmentType'],
  priceMinor: row.price_minor,
  shippingMinor: row.shipping_minor,
  currencyCode: row.currency_code,
  quantity: row.quantity,
  terms: JSON.parse(row.terms),
  updatedAt: new Date(row.updated_at),
})
