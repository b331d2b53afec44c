import type { Migration } from '../platform/database/migrate.ts'

/** The application of each row, and overlapping credentials for rotation. */
export const tenancy: Migration = {
  name: '0008-tenancy',
  statements() {
    return [
      // Restricted data tokens of earlier versions could name any path and any application. They are valid for one hour,
      // so they are deleted rather than converted.
      'delete from access_tokens where restricted_to is not null',
      // The application that uses the token, if it is not the one that the seller authorized.
      'alter table access_tokens add column delegatee_id text',
      'drop index access_tokens_by_seller',
      'create index access_tokens_by_grant on access_tokens (application_id, seller_id)',

      // JSON: the applications to which this one may delegate.
      "alter table applications add column delegatees text not null default '[]'",
      'alter table applications add column previous_secret_digest text',
      'alter table applications add column previous_secret_ends_at text',
      'alter table applications add column previous_signing_key_id text',
      'alter table applications add column previous_signing_key_ends_at text',

      // The application that created the row. Null for rows of earlier versions: these belong to every application
      // that the seller authorized, as they did before.
      'alter table reports add column application_id text',
      'alter table report_schedules add column application_id text',
      'alter table feeds add column application_id text',
      'alter table feed_documents add column application_id text',

      // Not unique: two applications may have registered the same queue before that was refused.
      'create index destinations_by_target on destinations (kind, target)',
    ]
  },
}
