import type { Reader } from '../../platform/database/port.ts'
import type { MarketKey } from '../offers/market-key.ts'
import { listOffers, listOffersByProduct, type Offer } from '../offers/offers.ts'

/** A seller can list a product under any number of SKUs, and would make its market slow for all others. */
export const MAX_OFFERS_PER_SELLER = 100

/** Products with more than these are read one by one. */
const MAX_OFFERS_TOGETHER = 5_000
const PAGE_SIZE = 1_000

/** These products together have so many offers that it would take long to read them. */
export class TooManyOffersError extends Error {
  override name = 'TooManyOffersError'
}

/** Reads the offers of these products, in no particular order: of each seller as many as a market has, or more. */
export async function loadMarketOffers(reader: Reader, products: readonly MarketKey[]): Promise<Offer[]> {
  const few = await findFewOffers(reader, products)
  if (few) return few
  const offers: Offer[] = []
  for (const product of products) for await (const page of offerPages(reader, product)) offers.push(...page)
  return offers
}

/** The same for products with few offers. Throws `TooManyOffersError` otherwise. */
export async function loadFewOffers(reader: Reader, products: readonly MarketKey[]): Promise<Offer[]> {
  const few = await findFewOffers(reader, products)
  if (!few) throw new TooManyOffersError()
  return few
}

async function findFewOffers(reader: Reader, products: readonly MarketKey[]): Promise<Offer[] | undefined> {
  const offers = await listOffersByProduct(reader, products, MAX_OFFERS_TOGETHER + 1)
  return offers.length <= MAX_OFFERS_TOGETHER ? offers : undefined
}

/** Skips the rest of a seller with many offers. */
async function* offerPages(reader: Reader, { marketplaceId, asin }: MarketKey): AsyncGenerator<Offer[]> {
  let after = [marketplaceId, asin, '']
  for (;;) {
    const page = await listOffers(reader, { marketplaceId, asin, after, limit: PAGE_SIZE })
    yield page
    const last = page.at(-1)
    if (!last || page.length < PAGE_SIZE) return
    const { sellerId, sku } = last
    const isSkipped = page.filter((offer) => offer.sellerId === sellerId).length >= MAX_OFFERS_PER_SELLER
    // Without a SKU it is after all of the seller's: no text is greater than every SKU.
    after = isSkipped ? [marketplaceId, asin, sellerId] : [marketplaceId, asin, sellerId, sku]
  }
}

/** The offers for one product that are in its market: the first of each seller, by SKU. */
export function limitPerSeller(offers: readonly Offer[]): readonly Offer[] {
  if (offers.length <= MAX_OFFERS_PER_SELLER) return offers
  return [...Map.groupBy(offers, ({ sellerId }) => sellerId).values()].flatMap((own) =>
    own.length <= MAX_OFFERS_PER_SELLER ? own : own.sort(bySku).slice(0, MAX_OFFERS_PER_SELLER),
  )
}

const bySku = (one: Offer, other: Offer) => Buffer.compare(Buffer.from(one.sku), Buffer.from(other.sku))
