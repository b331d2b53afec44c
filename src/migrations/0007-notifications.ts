import type { Migration } from '../platform/database/migrate.ts'

/** Destinations, subscriptions and deliveries. */
export const notifications: Migration = {
  name: '0007-notifications',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // Event ids already sort by time, and maintaining an index would cost each change a tenth of its time.
      'drop index events_by_time',

      "alter table sellers add column account_status text not null default 'NORMAL'",

      // The target is unique: the ARN of a queue, or the AWS account of an event bus.
      `create table destinations (
        application_id text not null references applications,
        destination_id text not null,
        name text not null,
        kind text not null,
        target text not null,
        region text,
        created_at text not null,
        primary key (application_id, destination_id),
        unique (application_id, kind, target)
      ) ${clustered}`,

      `create table subscriptions (
        seller_id text not null,
        application_id text not null,
        notification_type text not null,
        payload_version text not null,
        subscription_id text not null,
        destination_id text not null,
        directive text,
        created_at text not null,
        primary key (seller_id, application_id, notification_type, payload_version),
        unique (application_id, subscription_id),
        foreign key (seller_id, application_id) references authorizations on delete cascade,
        foreign key (application_id, destination_id) references destinations
      ) ${clustered}`,
      'create index subscriptions_by_destination on subscriptions (application_id, destination_id)',
      'create index subscriptions_by_type on subscriptions (notification_type, seller_id)',
      'create index subscriptions_by_creation on subscriptions (created_at)',

      // One notification for one subscription. Not clustered: the payload is large. A test notification has no
      // subscription.
      `create table deliveries (
        application_id text not null,
        destination_id text not null,
        delivery_id text not null,
        event_id text not null,
        seller_id text,
        subscription_id text,
        notification_type text not null,
        payload_version text not null,
        state text not null,
        due_at text not null,
        event_time text not null,
        attempts bigint not null,
        last_error text,
        payload text not null,
        primary key (application_id, destination_id, delivery_id),
        foreign key (application_id, destination_id) references destinations on delete cascade,
        foreign key (application_id, subscription_id) references subscriptions (application_id, subscription_id)
          on delete cascade
      )`,
      `create index deliveries_in_order on deliveries
        (state, application_id, destination_id, due_at, event_id, delivery_id)`,
      'create index deliveries_by_time on deliveries (due_at)',

      // A destination with deliveries has one row here, which one relay at a time claims. While it is claimed, lease is
      // set and due_at is the end of the lease.
      `create table delivery_turns (
        application_id text not null,
        destination_id text not null,
        due_at text not null,
        lease text,
        failures bigint not null,
        last_error text,
        primary key (application_id, destination_id),
        foreign key (application_id, destination_id) references destinations on delete cascade
      ) ${clustered}`,
      'create index delivery_turns_by_time on delivery_turns (due_at)',

      `create table aggregation_windows (
        application_id text not null,
        subscription_id text not null,
        aggregation_key text not null,
        ends_at text not null,
        held_delivery_id text,
        primary key (application_id, subscription_id, aggregation_key),
        foreign key (application_id, subscription_id) references subscriptions (application_id, subscription_id)
          on delete cascade
      ) ${clustered}`,
      'create index aggregation_windows_by_end on aggregation_windows (ends_at)',
    ]
  },
}
