import type { Clock } from '../clock/port.ts'
import type { Dialect } from './dialect.ts'
import { type Database, DatabaseUnavailableError } from './port.ts'
import { queryBuilder } from './query.ts'
import type { MigrationTables } from './tables.ts'

/** One schema change. Its statements and its record commit in one transaction. */
export interface Migration {
  /** Starts with a number, so that names sort in the order of execution: `0001-init`. */
  name: string
  statements(dialect: Dialect): string[]
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
  const ran: string[] = []
  for (const migration of migrations) {
    if (!applied.has(migration.name) && (await run(database, migration, clock.now()))) ran.push(migration.name)
  }
  return ran
}

/**
 * Returns false if another process ran the migration. The record is written first, so a concurrent process waits for
 * that row and then finds it.
 */
function run(database: Database, { name, statements }: Migration, now: Date): Promise<boolean> {
  return database.transactSchema(async (tx) => {
    if (await tx.first(db.selectFrom('migrations').select('name').where('name', '=', name))) return false
    await tx.run(db.insertInto('migrations').values({ name, applied_at: now.toISOString() }))
    for (const statement of statements(database.dialect)) await tx.execute(statement)
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
