import type { Migration } from '../platform/database/migrate.ts'

/** What the orders API reads, filters and writes, and the roles that decide who sees personal data. */
export const orders: Migration = {
  name: '0013-orders',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      'alter table orders add column seller_order_id text',
      'alter table orders add column buyer_email text',
      "alter table orders add column payment_method text not null default 'Other'",
      'alter table orders add column easy_ship_status text',
      'alter table orders add column invoice_status text',
      'alter table orders add column supply_source_id text',
      'alter table orders add column store_chain_store_id text',
      'alter table orders add column is_pickup bigint not null default 0',
      // 1 if the pieces were taken from the stock of the listings. Orders of earlier versions took none.
      'alter table orders add column takes_stock bigint not null default 0',
      // JSON: what no query filters by.
      "alter table orders add column details text not null default '{}'",
      "alter table order_items add column details text not null default '{}'",

      `create table order_packages (
        seller_id text not null,
        order_id text not null,
        package_reference_id text not null,
        carrier_code text not null,
        carrier_name text,
        shipping_method text,
        tracking_number text,
        shipped_at text not null,
        created_at text not null,
        supply_source_id text,
        items text not null,
        primary key (seller_id, order_id, package_reference_id),
        foreign key (seller_id, order_id) references orders on delete cascade
      ) ${clustered}`,

      // JSON: the roles of the application, by which it sees personal data.
      "alter table applications add column roles text not null default '[]'",
    ]
  },
}
