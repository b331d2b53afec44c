import type { Migration } from '../platform/database/migrate.ts'

/** Catalog, listings and offers. */
export const listings: Migration = {
  name: '0003-listings',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // Product types that the operator added or replaced; the others are built in. The definition is large, so it is the
      // last column: the columns before it are read without it.
      `create table product_types (
        name text primary key,
        version text not null,
        summary text not null,
        updated_at text not null,
        definition text not null
      )`,

      // Not clustered: rows of this size would make the B-tree deep, and a read four times as slow.
      `create table catalog_items (
        marketplace_id text not null references marketplaces,
        asin text not null,
        product_type text not null,
        item_name text not null,
        brand text,
        classification_id text,
        classification_name text,
        facts text not null,
        updated_at text not null,
        primary key (marketplace_id, asin)
      )`,
      `create table catalog_identifiers (
        marketplace_id text not null,
        identifier_type text not null,
        identifier text not null,
        asin text not null,
        primary key (marketplace_id, identifier_type, identifier, asin),
        foreign key (marketplace_id, asin) references catalog_items on delete cascade
      ) ${clustered}`,
      'create index catalog_identifiers_by_item on catalog_identifiers (marketplace_id, asin)',
      // The search keys of an item: a word index that works on both databases.
      `create table catalog_words (
        marketplace_id text not null,
        word text not null,
        asin text not null,
        primary key (marketplace_id, word, asin),
        foreign key (marketplace_id, asin) references catalog_items on delete cascade
      ) ${clustered}`,
      'create index catalog_words_by_item on catalog_words (marketplace_id, asin)',

      // Product attributes and sale terms are separate, because most changes affect only price and quantity.
      // Not clustered: with rows of a kilobyte and more, the B-tree would be as large as the table.
      `create table listings (
        seller_id text not null references sellers,
        sku text not null,
        marketplace_id text not null references marketplaces,
        state text not null,
        product_type text not null,
        requirements text not null,
        asin text,
        fn_sku text,
        item_name text,
        main_image text,
        condition_type text not null,
        channel text not null,
        quantity bigint,
        price_minor bigint,
        price_currency text,
        is_buyable bigint not null,
        is_discoverable bigint not null,
        has_errors bigint not null,
        has_warnings bigint not null,
        product_attributes text not null,
        offer_attributes text not null,
        issues text not null,
        created_at text not null,
        updated_at text not null,
        primary key (seller_id, sku, marketplace_id)
      )`,
      'create index listings_by_sku on listings (seller_id, marketplace_id, sku)',
      'create index listings_by_update on listings (seller_id, marketplace_id, updated_at, sku)',
      'create index listings_by_creation on listings (seller_id, marketplace_id, created_at, sku)',
      'create index listings_by_asin on listings (marketplace_id, asin, seller_id)',
      'create index listings_with_errors on listings (seller_id, marketplace_id, updated_at, sku) where has_errors = 1',
      'create index listings_with_warnings on listings (seller_id, marketplace_id, updated_at, sku) where has_warnings = 1',

      `create table listing_relations (
        seller_id text not null,
        marketplace_id text not null,
        relation text not null,
        parent_sku text not null,
        child_sku text not null,
        primary key (seller_id, marketplace_id, relation, parent_sku, child_sku)
      ) ${clustered}`,
      'create index listing_relations_by_child on listing_relations (seller_id, marketplace_id, child_sku)',

      `create table listing_submissions (
        seller_id text not null,
        submission_id text not null,
        sku text not null,
        marketplace_ids text not null,
        operation text not null,
        status text not null,
        submitted_at text not null,
        primary key (seller_id, submission_id)
      ) ${clustered}`,
      'create index listing_submissions_by_time on listing_submissions (submitted_at)',

      // Offers of sellers' listings, and competitors' offers that the operator supplies.
      `create table offers (
        marketplace_id text not null,
        asin text not null,
        seller_id text not null,
        sku text not null,
        condition_type text not null,
        fulfillment_type text not null,
        price_minor bigint not null,
        shipping_minor bigint not null,
        currency_code text not null,
        quantity bigint not null,
        terms text not null,
        from_listing bigint not null,
        updated_at text not null,
        primary key (marketplace_id, asin, seller_id, sku)
      ) ${clustered}`,
      'create index offers_by_seller on offers (seller_id, sku, marketplace_id)',

      // The outbox: events, written in the transaction of the change.
      `create table events (
        event_id text primary key,
        occurred_at text not null,
        seller_id text not null,
        event_type text not null,
        payload text not null
      ) ${clustered}`,
      'create index events_by_time on events (occurred_at, event_id)',
    ]
  },
}
