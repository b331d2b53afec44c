import type { Migration } from '../platform/database/migrate.ts'

/** Client secrets that expire, and the queues that are notified of them. */
export const applicationSecrets: Migration = {
  name: '0014-application-secrets',
  statements() {
    return [
      // Null for secrets that the operator created: they do not expire.
      'alter table applications add column client_secret_expires_at text',
      // JSON: ARNs of queues, by what they receive.
      "alter table applications add column secret_queues text not null default '{}'",
    ]
  },
}
