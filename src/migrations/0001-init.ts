import type { Migration } from '../platform/database/migrate.ts'

// Column types that both databases support: text for ids and times (UTC, ISO 8601, fixed width, so that they sort),
// bigint for counts and money in minor units, 0 or 1 for booleans, text for JSON. Every key starts with the tenant.
export const init: Migration = {
  name: '0001-init',
  statements(dialect) {
    // A table without rowid is stored in the order of its primary key: one lookup instead of two.
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      `create table settings (
        name text primary key,
        value text not null
      ) ${clustered}`,

      `create table marketplaces (
        marketplace_id text primary key,
        name text not null,
        country_code text not null,
        currency_code text not null,
        language_code text not null,
        domain_name text not null
      ) ${clustered}`,

      `create table sellers (
        seller_id text primary key,
        business_type text not null,
        selling_plan text not null,
        business text,
        primary_contact text
      ) ${clustered}`,

      `create table participations (
        seller_id text not null references sellers on delete cascade,
        marketplace_id text not null references marketplaces,
        store_name text not null,
        is_participating bigint not null,
        has_suspended_listings bigint not null,
        primary key (seller_id, marketplace_id)
      ) ${clustered}`,

      `create table applications (
        application_id text primary key,
        name text not null,
        client_id text not null unique,
        client_secret_digest text not null,
        signing_key_id text not null unique
      ) ${clustered}`,

      `create table authorizations (
        seller_id text not null references sellers,
        application_id text not null references applications,
        authorized_at text not null,
        primary key (seller_id, application_id)
      ) ${clustered}`,

      `create table refresh_tokens (
        token_digest text primary key,
        seller_id text not null,
        application_id text not null,
        foreign key (seller_id, application_id) references authorizations on delete cascade
      ) ${clustered}`,
      'create index refresh_tokens_by_seller on refresh_tokens (seller_id, application_id)',

      `create table authorization_codes (
        code_digest text primary key,
        seller_id text not null,
        application_id text not null,
        redirect_uri text,
        expires_at text not null,
        foreign key (seller_id, application_id) references authorizations on delete cascade
      ) ${clustered}`,
      'create index authorization_codes_by_expiry on authorization_codes (expires_at)',

      `create table access_tokens (
        token_digest text primary key,
        application_id text not null,
        seller_id text,
        scopes text not null,
        restricted_to text,
        expires_at text not null
      ) ${clustered}`,
      'create index access_tokens_by_expiry on access_tokens (expires_at)',
      'create index access_tokens_by_seller on access_tokens (seller_id, application_id)',

      `create table orders (
        seller_id text not null references sellers,
        order_id text not null,
        marketplace_id text not null references marketplaces,
        status text not null,
        fulfillment_channel text not null,
        purchased_at text not null,
        updated_at text not null,
        earliest_ship_at text,
        latest_ship_at text,
        earliest_delivery_at text,
        latest_delivery_at text,
        shipped_at text,
        delivered_at text,
        buyer_accepts_requests bigint not null,
        currency_code text not null,
        ship_service_level text not null,
        ship_city text,
        ship_state text,
        ship_postal_code text,
        ship_country_code text,
        primary key (seller_id, order_id)
      ) ${clustered}`,

      `create table order_items (
        seller_id text not null,
        order_id text not null,
        order_item_id text not null,
        sku text not null,
        asin text not null,
        title text not null,
        quantity bigint not null,
        quantity_shipped bigint not null,
        price_minor bigint not null,
        tax_minor bigint not null,
        shipping_price_minor bigint not null,
        primary key (seller_id, order_id, order_item_id),
        foreign key (seller_id, order_id) references orders on delete cascade
      ) ${clustered}`,

      // The primary key ensures that an order has one solicitation, whichever operation requests it.
      `create table solicitations (
        seller_id text not null,
        order_id text not null,
        sent_through text not null,
        sent_at text not null,
        primary key (seller_id, order_id),
        foreign key (seller_id, order_id) references orders on delete cascade
      ) ${clustered}`,
    ]
  },
}
