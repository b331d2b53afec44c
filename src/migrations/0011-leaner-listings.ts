import type { Migration } from '../platform/database/migrate.ts'

/** Removes what nothing reads. */
export const leanerListings: Migration = {
  name: '0011-leaner-listings',
  statements() {
    return [
      // A row for each patch, which nothing ever read.
      'drop table listing_submissions',
    ]
  },
}
