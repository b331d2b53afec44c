import type { Migration } from '../platform/database/migrate.ts'

/** Events that are fanned out in several steps or have failed, and the last notified content of each market. */
export const fanOuts: Migration = {
  name: '0009-fan-outs',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // PENDING: the next step is due at due_at. QUEUED: waits for another event of the same lane. DEAD: given up.
      // Not clustered: the payload is large.
      `create table fan_outs (
        event_id text primary key,
        seller_id text not null,
        event_type text not null,
        occurred_at text not null,
        state text not null,
        lane text,
        due_at text not null,
        attempts bigint not null,
        last_error text,
        progress text,
        payload text not null
      )`,
      'create index fan_outs_by_state on fan_outs (state, due_at, event_id)',
      'create index fan_outs_by_lane on fan_outs (lane, event_id)',
      'create index fan_outs_by_time on fan_outs (occurred_at)',

      // One relay at a time turns events into deliveries. The table has one row, written by the first that does.
      `create table fan_out_leases (
        name text primary key,
        lease text,
        ends_at text not null
      ) ${clustered}`,

      // A page of the subscribers to one seller is read in the order of their ids.
      'drop index subscriptions_by_type',
      'create index subscriptions_by_type on subscriptions (notification_type, seller_id, subscription_id)',

      // The digest of the last notification, so that the same content is not sent again.
      `create table market_notices (
        marketplace_id text not null,
        asin text not null,
        condition text not null,
        event_id text not null,
        digest text not null,
        notified_at text not null,
        primary key (marketplace_id, asin, condition),
        foreign key (marketplace_id, asin) references catalog_items on delete cascade
      ) ${clustered}`,
      `create table pricing_health_notices (
        marketplace_id text not null,
        asin text not null,
        seller_id text not null,
        sku text not null,
        event_id text not null,
        digest text not null,
        notified_at text not null,
        primary key (marketplace_id, asin, seller_id, sku),
        foreign key (marketplace_id, asin, seller_id, sku) references offers on delete cascade
      ) ${clustered}`,
    ]
  },
}
