/** How long Souk waits for PostgreSQL before it reports the database as unavailable. */
export interface PostgresDeadlines {
  /** For a connection, new or from the pool. */
  connectSeconds: number
  /** For one statement. Migrations have no statement deadline. */
  statementSeconds: number
  /** For a lock, within a statement. */
  lockSeconds: number
  /** For the next statement of an open transaction, after which PostgreSQL rolls it back. */
  idleTransactionSeconds: number
  /** For a transaction that is retried after conflicts with concurrent changes. */
  conflictSeconds: number
}

export const defaultPostgresDeadlines: PostgresDeadlines = {
  connectSeconds: 5,
  statementSeconds: 15,
  lockSeconds: 5,
  idleTransactionSeconds: 30,
  conflictSeconds: 10,
}

/** What the server itself enforces. */
export type SessionDeadlines = Pick<PostgresDeadlines, 'statementSeconds' | 'lockSeconds' | 'idleTransactionSeconds'>
