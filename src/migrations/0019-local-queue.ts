import type { Migration } from '../platform/database/migrate.ts'

/** The local queue of `souk dev`. */
export const localQueue: Migration = {
  name: '0019-local-queue',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // Times are milliseconds, because SQL adds the retention of the queue to those of its messages.
      // JSON: the attributes that were set, and the tags.
      `create table queues (
        queue_name text primary key,
        region text not null,
        account text not null,
        attributes text not null,
        tags text not null,
        retention_milliseconds bigint not null,
        created_at bigint not null,
        modified_at bigint not null
      ) ${clustered}`,

      // Not clustered: the body is large. A message with a receipt was received; with visible_at in the future, it is in
      // flight. Without a receipt, it is delayed.
      `create table queue_messages (
        message_id text primary key,
        queue_name text not null references queues on delete cascade,
        visible_at bigint not null,
        sent_at bigint not null,
        receipt text,
        receive_count bigint not null,
        first_received_at bigint,
        dead_letter_source text,
        attributes text,
        body text not null
      )`,
      'create index queue_messages_by_visibility on queue_messages (queue_name, visible_at, sent_at, message_id)',
    ]
  },
}
