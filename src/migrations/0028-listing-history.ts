import type { Migration } from '../platform/database/migrate.ts'

/** What price and quantity of a listing were until a change. */
export const listingHistory: Migration = {
  name: '0028-listing-history',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // The values before a change: creating a listing writes no row, and listings from before this table have a history.
      `create table listing_history (
        seller_id text not null,
        sku text not null,
        marketplace_id text not null,
        changed_at text not null,
        quantity_before bigint,
        price_minor_before bigint,
        price_currency_before text,
        primary key (seller_id, sku, marketplace_id, changed_at)
      ) ${clustered}`,
      'create index listing_history_by_time on listing_history (changed_at)',
    ]
  },
}
