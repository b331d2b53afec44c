import type { Clock } from '../clock/port.ts'
import type { Dialect } from './dialect.ts'
import { type Database, DatabaseUnavailableError } from './port.ts'
import { queryBuilder } from './query.ts'
import type { MigrationTables } from './tables.ts'

/** One schema change. */
export type Migration = Statements | Indexes

interface Named {
  /** Starts with a number, so that names sort in the order of execution: `0001-init`. */
  name: string
}

/** Statements that commit in one transaction, with the record of the migration. */
interface Statements extends Named {
  statements(dialect: Dialect): string[]
}

/** Indexes of tables that are in use. PostgreSQL builds them while other processes write. */
interface Indexes extends Named {
  indexes: readonly Index[]
}

interface Index {
  name: string
  isUnique?: boolean
  /** The table, its columns, and the condition of a partial index: `orders (seller_id, order_id)`. */
  on: string
  /** Default: both. */
  dialect?: Dialect
}

const db = queryBuilder<MigrationTables>()
const LIST = 'create table if not exists migrations (name text primary key, applied_at text not null)'

export class DatabaseTooNewError extends Error {
  constructor(unknown: string) {
    super(
      `The database was written by a newer version of souk (it contains the migration ${unknown}). ` +
        'Use that version or a later one, or another database.',
    )
    this.name = 'DatabaseTooNewError'
  }
}

export class DatabaseTooOldError extends Error {
  constructor(missing: string) {
    super(`The database is missing the migration ${missing}. Run \`souk migrate\` first.`)
    this.name = 'DatabaseTooOldError'
  }
}

/** Runs the pending migrations and returns their names. */
export async function migrate(database: Database, migrations: readonly Migration[], clock: Clock): Promise<string[]> {
  await database.transactSchema((tx) => tx.execute(LIST))
  const applied = await appliedMigrations(database)
  refuseUnknown(applied, migrations)
  // A new database has no other users, and empty tables.
  const isOnline = applied.size > 0 && database.dialect === 'postgres'
  const ran: string[] = []
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue
    const isDone =
      isOnline && 'indexes' in migration
        ? buildIndexes(database, migration, clock)
        : run(database, migration.name, statementsOf(migration, database.dialect), clock.now())
    if (await isDone) ran.push(migration.name)
  }
  return ran
}

const statementsOf = (migration: Migration, dialect: Dialect): string[] =>
  'indexes' in migration
    ? migration.indexes.filter(isFor(dialect)).map((index) => createIndex(index))
    : migration.statements(dialect)

const isFor = (dialect: Dialect) => (index: Index) => (index.dialect ?? dialect) === dialect

const createIndex = ({ name, isUnique, on }: Index, how = '') =>
  `create ${isUnique ? 'unique' : ''} index ${how} if not exists ${name} on ${on}`

/** Returns false if another process built them. A process that is interrupted starts over. */
function buildIndexes(database: Database, { name, indexes }: Indexes, clock: Clock): Promise<boolean> {
  return database.alterOnline(async (execute) => {
    if ((await appliedMigrations(database)).has(name)) return false
    for (const index of indexes.filter(isFor('postgres'))) {
      // PostgreSQL keeps an index whose build was interrupted, and does not use it.
      await execute(`drop index concurrently if exists ${index.name}`)
      await execute(createIndex(index, 'concurrently'))
    }
    return run(database, name, [], clock.now())
  })
}

/**
 * Returns false if another process ran the migration. The record is written first, so a concurrent process waits for
 * that row and then finds it.
 */
function run(database: Database, name: string, statements: readonly string[], now: Date): Promise<boolean> {
  return database.transactSchema(async (tx) => {
    if (await tx.first(db.selectFrom('migrations').select('name').where('name', '=', name))) return false
    await tx.run(db.insertInto('migrations').values({ name, applied_at: now.toISOString() }))
    for (const statement of statements) await tx.execute(statement)
    return true
  })
}

/** Throws unless the schema is up to date, for processes that do not migrate. */
export async function requireMigrated(database: Database, migrations: readonly Migration[]): Promise<void> {
  const applied = await appliedMigrations(database).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailableError) throw error
    return new Set<string>() // A new database has no table of migrations yet.
  })
  refuseUnknown(applied, migrations)
  const missing = migrations.find((migration) => !applied.has(migration.name))
  if (missing) throw new DatabaseTooOldError(missing.name)
}

async function appliedMigrations(database: Database): Promise<Set<string>> {
  const rows = await database.read((reader) => reader.all(db.selectFrom('migrations').select('name')))
  return new Set(rows.map((row) => row.name))
}

function refuseUnknown(applied: Set<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.name))
  for (const name of applied) if (!known.has(name)) throw new DatabaseTooNewError(name)
}
