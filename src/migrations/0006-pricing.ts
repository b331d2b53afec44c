import type { Migration } from '../platform/database/migrate.ts'

/** Summaries of the offers for a product. All but the price history can be recomputed. */
export const pricing: Migration = {
  name: '0006-pricing',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // A history has at most one entry per day of its period, so it is a column of the product and not a table.
      `create table price_histories (
        marketplace_id text not null,
        asin text not null,
        currency_code text not null,
        closings text not null,
        primary key (marketplace_id, asin)
      ) ${clustered}`,
      // Not clustered, because rows are large. The columns that are read most come first, so the others are not read.
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
