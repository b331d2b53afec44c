import { prepared, type Statement } from './postgres-batch.ts'
import type { SessionDeadlines } from './postgres-deadlines.ts'

/** Parameters of PostgreSQL for a session or a transaction. */
type Settings = Readonly<Record<string, string | number>>

const deadlineSettings = ({ statementSeconds, lockSeconds, idleTransactionSeconds }: SessionDeadlines): Settings => ({
  statement_timeout: statementSeconds * 1000,
  lock_timeout: lockSeconds * 1000,
  idle_in_transaction_session_timeout: idleTransactionSeconds * 1000,
})

/**
 * After a few runs, PostgreSQL keeps one plan for a prepared statement until its tables are analyzed again. Made while
 * a table is almost empty, as those of queues are most of the time, that plan reads all of it, and still does when it
 * has grown. Frequent statements have indexes. What has none still reads the table, but looks so expensive that
 * PostgreSQL would compile it (`jit`).
 */
const PLANNER: Settings = { enable_seqscan: 'off', jit: 'off' }

/** The deadlines that the server itself enforces, and how it plans. */
export const serviceSettings = (deadlines: SessionDeadlines): Settings => ({
  ...deadlineSettings(deadlines),
  ...PLANNER,
})

/** Migrations take their time, and change whole tables. */
export const migrationSettings: Settings = {
  ...deadlineSettings({ statementSeconds: 0, lockSeconds: 0, idleTransactionSeconds: 0 }),
  enable_seqscan: 'on',
}

/** The text of statements. */
export const setParameters = (set: 'set' | 'set local', settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `${set} ${name} = ${value}`)
    .join('; ')

/** A single statement, which can be in one batch with BEGIN. */
export function setInTransaction(settings: Settings): Statement {
  const all = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  return prepared(`select ${all.join(', ')}`)
}
