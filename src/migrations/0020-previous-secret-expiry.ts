import type { Migration } from '../platform/database/migrate.ts'

/** When the previous client secret expires by itself, which no overlap prolongs. */
export const previousSecretExpiry: Migration = {
  name: '0020-previous-secret-expiry',
  statements: () => ['alter table applications add column previous_secret_expires_at text'],
}
