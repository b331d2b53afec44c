import type { Migration } from '../platform/database/migrate.ts'

/** Where an application receives the authorization codes of sellers. */
export const redirectUris: Migration = {
  name: '0025-redirect-uris',
  // JSON
  statements: () => ["alter table applications add column redirect_uris text not null default '[]'"],
}
