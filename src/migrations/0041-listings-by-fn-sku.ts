import type { Migration } from '../platform/database/migrate.ts'

/** A search by FNSKU would read all listings of the seller. Few listings have one. */
export const listingsByFnSku: Migration = {
  name: '0041-listings-by-fn-sku',
  indexes: [{ name: 'listings_by_fn_sku', on: 'listings (seller_id, fn_sku) where fn_sku is not null' }],
}
