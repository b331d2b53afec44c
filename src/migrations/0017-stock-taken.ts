import type { Migration } from '../platform/database/migrate.ts'

/** The pieces that an order took from the stock of a listing, which are all that it gives back. */
export const stockTaken: Migration = {
  name: '0017-stock-taken',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      `create table stock_taken (
        seller_id text not null,
        order_id text not null,
        sku text not null,
        -- A listing that is deleted and created again has another stock.
        stock_id text not null,
        pieces bigint not null,
        primary key (seller_id, order_id, sku, stock_id),
        foreign key (seller_id, order_id) references orders on delete cascade
      ) ${clustered}`,
    ]
  },
}
