import type { Migration } from '../platform/database/migrate.ts'

/** The latest notifications of sellers that their destinations accepted. */
export const sentNotifications: Migration = {
  name: '0029-sent-notifications',
  statements: () => [
    // Not clustered: the payload is large. Without references: they outlive their destination and subscription.
    `create table sent_notifications (
      seller_id text not null,
      event_time text not null,
      delivery_id text not null,
      application_id text not null,
      destination_id text not null,
      subscription_id text not null,
      notification_type text not null,
      payload_version text not null,
      sent_at text not null,
      attempts bigint not null,
      payload text not null,
      primary key (seller_id, event_time, delivery_id)
    )`,
    'create index sent_notifications_by_time on sent_notifications (event_time)',
  ],
}
