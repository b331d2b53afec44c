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

type SessionDeadlines = Pick<PostgresDeadlines, 'statementSeconds' | 'lockSeconds' | 'idleTransactionSeconds'>

export const noSessionDeadlines: SessionDeadlines = { statementSeconds: 0, lockSeconds: 0, idleTransactionSeconds: 0 }

/** The deadlines that the server itself enforces, for a session or for one transaction. */
export function setDeadlines(set: 'set' | 'set local', deadlines: SessionDeadlines): string {
  return [
    `${set} statement_timeout = ${deadlines.statementSeconds * 1000}`,
    `${set} lock_timeout = ${deadlines.lockSeconds * 1000}`,
    `${set} idle_in_transaction_session_timeout = ${deadlines.idleTransactionSeconds * 1000}`,
  ].join('; ')
}
