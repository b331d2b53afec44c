import pg from 'pg'
import { DatabaseUnavailableError, StatementDeadlineError } from './port.ts'

// SQLSTATE classes of server-side failures: connection, resources, operator intervention (which includes deadlines), and
// system errors.
const CONNECTION_EXCEPTIONS = '08'
const UNAVAILABLE_CLASSES = new Set([CONNECTION_EXCEPTIONS, '53', '57', '58'])
const UNAVAILABLE_CODES = new Set([
  '25006', // read_only_sql_transaction
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '40003', // statement_completion_unknown
  '55P03', // lock_not_available
])
// After these the server closes the connection. It rolls back what was not committed.
const CLOSING_CODES = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25P04'])
const IDLE_TRANSACTION_TIMEOUT = '25P03'
const READ_ONLY = '25006'
const LOCK_TIMEOUT = '55P03'
const QUERY_CANCELED = '57014'
const DEADLINE_CODES = new Set([LOCK_TIMEOUT, QUERY_CANCELED])
// feature_not_supported: a statement that this connection prepared before a migration has another result type now.
const STALE_PLAN = '0A000'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const OUT_OF_MEMORY = '53200'
const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const IN_FAILED_TRANSACTION = '25P02'
// invalid_sql_statement_name and duplicate_prepared_statement: a pooler has passed the statement to a connection that does
// not have it, or to one that has it from another client.
const UNSUPPORTED_PREPARATION = new Set(['26000', '42P05'])
const REFUSED = 'ECONNREFUSED'
const HOST_NOT_FOUND = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])

/** The connection was lost, and with it everything that was not committed. */
export class ConnectionLostError extends DatabaseUnavailableError {
  override name = 'ConnectionLostError'
}

/** The server did not respond in time. */
export class NoResponseError extends DatabaseUnavailableError {
  override name = 'NoResponseError'
}

/** Only server errors have a SQLSTATE; other errors may have a code that looks like one. */
const sqlState = (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : '')

export const isConflict = (error: unknown) => sqlState(error) === SERIALIZATION_FAILURE
export const isDeadlock = (error: unknown) => sqlState(error) === DEADLOCK_DETECTED
export const isForeignKeyViolation = (error: unknown) => sqlState(error) === FOREIGN_KEY_VIOLATION
export const isUniqueViolation = (error: unknown) => sqlState(error) === UNIQUE_VIOLATION

/** The SQLSTATE of an error, also if it was converted to an outage. */
const originalSqlState = (error: unknown) => sqlState(error instanceof DatabaseUnavailableError ? error.cause : error)

export const isLockTimeout = (error: unknown) => originalSqlState(error) === LOCK_TIMEOUT
export const isStatementTimeout = (error: unknown) => originalSqlState(error) === QUERY_CANCELED
/** Usually of the table of locks. */
export const isOutOfMemory = (error: unknown) => originalSqlState(error) === OUT_OF_MEMORY

/** The commit of a transaction in which a statement had failed. */
export class RolledBackError extends Error {
  constructor() {
    super('The transaction was rolled back: one of its statements had failed')
    this.name = 'RolledBackError'
  }
}

/** A statement that never ran, because one that was sent with it had failed. */
export class SkippedStatementError extends Error {
  constructor() {
    super('The statement was skipped: an earlier one had failed')
    this.name = 'SkippedStatementError'
  }
}

/** Whether the error only says that an earlier statement has failed. */
export const isAfterFailure = (error: unknown) =>
  error instanceof RolledBackError ||
  error instanceof SkippedStatementError ||
  sqlState(error) === IN_FAILED_TRANSACTION

export const isUnsupportedPreparation = (error: unknown) => UNSUPPORTED_PREPARATION.has(sqlState(error))

/** The server ends an idle transaction only while it waits for a statement, so a commit sent meanwhile never ran. */
export const endedBeforeCommit = (error: unknown) =>
  error instanceof ConnectionLostError && sqlState(error.cause) === IDLE_TRANSACTION_TIMEOUT

export const isStalePlan = (error: unknown) => sqlState(error) === STALE_PLAN

/** Whether the server closes the connection after this error. */
export const endsConnection = (error: unknown) => CLOSING_CODES.has(sqlState(error))

/**
 * Returns whether the connection must not be used again: the server closes it, the server is read-only, or its prepared
 * statements are older than the schema.
 */
export const makesConnectionUnusable = (error: unknown) =>
  endsConnection(error) || sqlState(error) === READ_ONLY || isStalePlan(error)

/** Converts the error of a statement to an outage error if it is one. */
export function toDatabaseUnavailableError(error: unknown): unknown {
  const code = sqlState(error)
  if (!UNAVAILABLE_CODES.has(code) && !UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return error
  const Kind = CLOSING_CODES.has(code)
    ? ConnectionLostError
    : DEADLINE_CODES.has(code)
      ? StatementDeadlineError
      : DatabaseUnavailableError
  return new Kind(`PostgreSQL could not do the work: ${(error as Error).message} (SQLSTATE ${code})`, { cause: error })
}

/**
 * Whether the error came from the server, or from its host because nothing listens there. A host that is gone and a proxy
 * without a server cause other errors, some only after seconds. PgBouncer without a server has an error of its own for some
 * statements (08P01) and lets others wait.
 */
export function isResponse(error: unknown): boolean {
  const original = error instanceof DatabaseUnavailableError ? error.cause : error
  if (original instanceof pg.DatabaseError) return !original.code?.startsWith(CONNECTION_EXCEPTIONS)
  return (original as NodeJS.ErrnoException | undefined)?.code === REFUSED
}

export type Target = Pick<pg.Client, 'host' | 'port' | 'user' | 'database' | 'ssl'>

export interface ConnectFailure {
  error: unknown
  target: Target
  /** Present if connecting timed out. */
  waitedSeconds?: number
}

/** For a request, every failure to connect is an outage. The message is for the operator. */
export function toConnectError(failure: ConnectFailure): DatabaseUnavailableError {
  const Kind = failure.waitedSeconds === undefined ? DatabaseUnavailableError : NoResponseError
  return new Kind(formatConnectFailure(failure), { cause: failure.error })
}

function formatConnectFailure({ error, target, waitedSeconds }: ConnectFailure): string {
  const { host, port, user, database, ssl } = target
  const server = `PostgreSQL at ${host}:${port}`
  const { code = '', message, syscall } = error as NodeJS.ErrnoException
  if (code === '3D000') return `${server} has no database "${database}"`
  if (code.startsWith('28')) return `${server} does not accept the user "${user}": ${message}`
  if (error instanceof pg.DatabaseError) return `${server} refuses the connection: ${message} (SQLSTATE ${code})`
  if (HOST_NOT_FOUND.has(code)) return `the host "${host}" cannot be found (${code})`
  if (code === REFUSED) return `nothing listens at ${host}:${port} (${code})`
  if (waitedSeconds !== undefined) return `${server} gave no connection within ${waitedSeconds} s`
  // Network errors have a system call. Others come from the TLS handshake.
  if (ssl && syscall === undefined) return `the TLS connection to ${server} failed: ${message}`
  return `${server} cannot be reached: ${message || code}`
}
