import type { Migration } from '../platform/database/migrate.ts'

/** Summaries of the offers for a product. All but the price history can be recomputed. */
export const pricing: Migration = {
  name: '0006-pricing',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // At most as many entries as there are days to look back on, so they go with the product and not into rows.
      `create table price_histories (
        marketplace_id text not null,
        asin text not null,
        currency_code text not null,
        closings text not null,
        primary key (marketplace_id, asin)
      ) ${clustered}`,
      // Not clustered, for the size of the rows. What is asked for most comes first: the rest is not read with it.
      `create table market_summaries (
        marketplace_id text not null,
        asin text not null,
        computed_on bigint not null,
        head_end bigint not null,
        featured_end bigint not null,
        references_end bigint not null,
        offers_end bigint not null,
        element text not null,
        used_offers text not null,
        collectible_offers text not null,
        refurbished_offers text not null,
        club_offers text not null,
        primary key (marketplace_id, asin)
      )`,
    ]
  },
}
