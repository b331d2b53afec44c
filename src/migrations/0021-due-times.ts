import type { Migration } from '../platform/database/migrate.ts'

const delivered = (promise: string) =>
  `create index orders_by_${promise}_delivery on orders (coalesce(${promise}_delivery_at, delivered_at)) where delivered_at is not null`

const ending = (name: string, column: string) =>
  `create index applications_by_${name} on applications (${column}) where ${column} is not null`

/** What is due next is a question of `souk dev` alone, so PostgreSQL does not pay for the indexes. */
export const dueTimes: Migration = {
  name: '0021-due-times',
  statements: (dialect) =>
    dialect === 'sqlite'
      ? [
          delivered('earliest'),
          delivered('latest'),
          ending('secret_expiry', 'client_secret_expires_at'),
          ending('previous_secret_end', 'previous_secret_ends_at'),
          ending('previous_signing_key_end', 'previous_signing_key_ends_at'),
        ]
      : [],
}
