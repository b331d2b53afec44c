import type { Migration } from '../platform/database/migrate.ts'

/** Accounts and sessions of the web console. */
export const webConsole: Migration = {
  name: '0022-console',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // Sessions have the generation of their account. A new password, for example, begins another one and so ends them.
      `create table console_accounts (
        name text primary key,
        role text not null,
        seller_id text references sellers,
        password_hash text not null,
        is_disabled bigint not null,
        generation bigint not null,
        created_at text not null
      ) ${clustered}`,

      // Of an account, or of a user with an operator key.
      `create table console_sessions (
        token_digest text primary key,
        account_name text references console_accounts on delete cascade,
        generation bigint,
        key_mark text,
        created_at text not null,
        last_used_at text not null
      ) ${clustered}`,
      'create index console_sessions_by_account on console_sessions (account_name)',
      'create index console_sessions_by_creation on console_sessions (created_at)',

      // The subject is an account or an address. Digests, because people type passwords where names belong.
      `create table console_sign_in_failures (
        subject_digest text primary key,
        failures bigint not null,
        locks bigint not null,
        last_failed_at text not null,
        locked_until text
      ) ${clustered}`,
      'create index console_sign_in_failures_by_time on console_sign_in_failures (last_failed_at)',
    ]
  },
}
