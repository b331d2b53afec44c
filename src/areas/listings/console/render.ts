import { formatMinor } from '../../../marketplace/money.ts'
import { MAX_CHANGES } from '../domain/history.ts'
import type { Listing } from '../domain/listing.ts'
import type { PastTerms } from '../store/history-store.ts'
import type { ListingHistory } from './schema.ts'

/** Each change has the values before it, so an entry begins with one change and has the values of the next one. */
export function renderHistory(
  listing: Listing,
  newestFirst: readonly PastTerms[],
  { since, until }: { since: string; until: string },
): ListingHistory {
  const changes = newestFirst.slice(0, MAX_CHANGES).reverse()
  const isCut = newestFirst.length > MAX_CHANGES
  const times = [...(isCut ? [] : [since]), ...changes.map(({ changedAt }) => changedAt)]
  const values = [...(isCut ? changes.slice(1) : changes), listing]
  return {
    sku: listing.sku,
    marketplaceId: listing.marketplaceId,
    entries: values.map((terms, index) => renderEntry(terms, times[index] as string)),
    until,
    isComplete: !isCut && since === listing.createdAt,
  }
}

const renderEntry = (
  { price, quantity }: Pick<Listing, 'price' | 'quantity'>,
  from: string,
): ListingHistory['entries'][number] => ({
  from,
  price: price ? { amount: formatMinor(price.minor, price.currencyCode), currencyCode: price.currencyCode } : null,
  quantity: quantity ?? null,
})
