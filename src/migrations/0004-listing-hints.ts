import type { Migration } from '../platform/database/migrate.ts'

/** What spares readers of a listing a look elsewhere. Of those that are there it is not known, so they look. */
export const listingHints: Migration = {
  name: '0004-listing-hints',
  statements() {
    return [
      // The terms of sale consist of price, channel and quantity alone.
      'alter table listings add column has_plain_terms bigint not null default 0',
      // There is, or has been, a relation to another listing.
      'alter table listings add column has_relations bigint not null default 1',
    ]
  },
}
