import type { Migration } from '../platform/database/migrate.ts'

/** How often operations were called, and what the operator did. */
export const operationsRecord: Migration = {
  name: '0026-operations-record',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // The hour is first, because only the operator reads it, by period. An empty seller: a grantless token.
      `create table usage_counts (
        hour text not null,
        operation text not null,
        application_id text not null,
        seller_id text not null,
        succeeded bigint not null,
        refused bigint not null,
        failed bigint not null,
        primary key (hour, operation, application_id, seller_id)
      ) ${clustered}`,

      `create table audit_log (
        occurred_at text not null,
        audit_id text not null,
        actor text not null,
        operation text not null,
        target text not null,
        status bigint not null,
        request_id text not null,
        primary key (occurred_at, audit_id)
      ) ${clustered}`,
    ]
  },
}
