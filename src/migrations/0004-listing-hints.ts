import type { Migration } from '../platform/database/migrate.ts'

/** Hints that save a query when a listing is read. The defaults, for existing listings, require the query. */
export const listingHints: Migration = {
  name: '0004-listing-hints',
  statements() {
    return [
      // The sale terms consist only of price, channel and quantity.
      'alter table listings add column has_plain_terms bigint not null default 0',
      // The listing has or had a relationship to another listing.
      'alter table listings add column has_relations bigint not null default 1',
    ]
  },
}
