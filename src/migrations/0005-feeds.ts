import type { Migration } from '../platform/database/migrate.ts'

/** Feed documents, feeds, and the issues of their messages. */
export const feeds: Migration = {
  name: '0005-feeds',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      'alter table orders add column acknowledged_at text',

      `create table feed_documents (
        seller_id text not null references sellers,
        document_id text not null,
        content_type text not null,
        created_at text not null,
        used_by text,
        primary key (seller_id, document_id)
      ) ${clustered}`,
      'create index feed_documents_unused on feed_documents (created_at) where used_by is null',

      `create table feeds (
        seller_id text not null references sellers,
        feed_id text not null,
        feed_type text not null,
        marketplace_ids text not null,
        options text not null,
        status text not null,
        created_at text not null,
        has_turn bigint not null,
        started_at text,
        ended_at text,
        input_document_id text not null,
        input_digest text,
        result_document_id text,
        applied bigint not null,
        accepted bigint not null,
        invalid bigint not null,
        errors bigint not null,
        warnings bigint not null,
        primary key (seller_id, feed_id)
      ) ${clustered}`,
      'create index feeds_by_creation on feeds (seller_id, created_at, feed_id)',
      'create index feeds_by_result on feeds (seller_id, result_document_id)',
      'create index feeds_by_age on feeds (created_at)',
      // Finds the running feed of a seller, or the next one.
      `create index feeds_open on feeds (seller_id, has_turn, created_at, feed_id) where status in ('IN_QUEUE', 'IN_PROGRESS')`,

      `create table feed_issues (
        seller_id text not null,
        feed_id text not null,
        position bigint not null,
        message_id bigint,
        sku text,
        code text not null,
        severity text not null,
        message text not null,
        attribute text,
        primary key (seller_id, feed_id, position),
        foreign key (seller_id, feed_id) references feeds on delete cascade
      ) ${clustered}`,
    ]
  },
}
