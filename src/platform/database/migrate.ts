import type { Clock } from '../clock/port.ts'
import type { Dialect } from './dialect.ts'
import { type Database, DatabaseUnavailableError, type SchemaTransaction } from './port.ts'
import { queryBuilder } from './query.ts'
import type { MigrationTables } from './tables.ts'

/** One schema change. */
export type Migration = Statements | Indexes

interface Named {
  /** Starts with a number, so that names sort in the order of execution: `0001-init`. */
  name: string
  /**
   * Present if it removes or changes what earlier versions use: the migration of the version that no longer needs it. A
   * process that does not know that one cannot run afterwards.
   */
  requires?: string
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
      `A newer version of souk has removed from the database what this one needs (the migration ${unknown}). ` +
        'Use a later version, or another database.',
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
  await listNewer(database, applied, migrations)
  if (applied.size === 0 && database.dialect === 'sqlite') return runTogether(database, migrations, clock.now())
  // A new database has no other users, and empty tables.
  const isOnline = applied.size > 0 && database.dialect === 'postgres'
  const ran: string[] = []
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue
    const isDone =
      isOnline && 'indexes' in migration
        ? buildIndexes(database, migration, clock)
        : run(database, migration, statementsOf(migration, database.dialect), clock.now())
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
function buildIndexes(database: Database, migration: Indexes, clock: Clock): Promise<boolean> {
  return database.alterOnline(async (execute) => {
    if ((await appliedMigrations(database)).has(migration.name)) return false
    for (const index of migration.indexes.filter(isFor('postgres'))) {
      // PostgreSQL keeps an index whose build was interrupted, and does not use it.
      await execute(`drop index concurrently if exists ${index.name}`)
      await execute(createIndex(index, 'concurrently'))
    }
    return run(database, migration, [], clock.now())
  })
}

/**
 * Returns false if another process ran the migration. The record is written first, so a concurrent process waits for
 * that row and then finds it.
 */
function run(database: Database, migration: Named, statements: readonly string[], now: Date): Promise<boolean> {
  return database.transactSchema((tx) => runIn(tx, migration, statements, now))
}

async function runIn(
  tx: SchemaTransaction,
  { name, requires }: Named,
  statements: readonly string[],
  now: Date,
): Promise<boolean> {
  if (await tx.first(db.selectFrom('migrations').select('name').where('name', '=', name))) return false
  const record = { name, applied_at: now.toISOString(), ...(requires && { required_migration: requires }) }
  await tx.run(db.insertInto('migrations').values(record))
  for (const statement of statements) await tx.execute(statement)
  return true
}

/** For a new file: each commit waits for the disk, so that thirty of them would take most of the first start. */
function runTogether(database: Database, migrations: readonly Migration[], now: Date): Promise<string[]> {
  return database.transactSchema(async (tx) => {
    const ran: string[] = []
    for (const migration of migrations) {
      if (await runIn(tx, migration, statementsOf(migration, database.dialect), now)) ran.push(migration.name)
    }
    return ran
  })
}

/**
 * Throws unless this version can use the schema, for processes that do not migrate. Returns the migrations of newer
 * versions, next to which it can run.
 */
export async function requireMigrated(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  const applied = await appliedMigrations(database).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailableError) throw error
    return new Set<string>() // A new database has no table of migrations yet.
  })
  const newer = await listNewer(database, applied, migrations)
  const missing = migrations.find((migration) => !applied.has(migration.name))
  if (missing) throw new DatabaseTooOldError(missing.name)
  return newer
}

async function appliedMigrations(database: Database): Promise<Set<string>> {
  const rows = await database.read((reader) => reader.all(db.selectFrom('migrations').select('name')))
  return new Set(rows.map((row) => row.name))
}

/** Throws if one of the newer migrations has removed something that this version needs. */
async function listNewer(
  database: Database,
  applied: ReadonlySet<string>,
  migrations: readonly Migration[],
): Promise<string[]> {
  const known = new Set(migrations.map((migration) => migration.name))
  const newer = [...applied].filter((name) => !known.has(name))
  // Only a newer database is sure to have the column.
  if (newer.length === 0) return []
  const requirements = db.selectFrom('migrations').select(['name', 'required_migration']).where('name', 'in', newer)
  const rows = await database.read((reader) => reader.all(requirements.orderBy('name')))
  const removing = rows.find((row) => row.required_migration !== null && !known.has(row.required_migration))
  if (removing) throw new DatabaseTooNewError(removing.name)
  return newer
}
