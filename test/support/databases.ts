import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseLogger } from '../../src/platform/database/commit-listeners.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { SqliteDatabase } from '../../src/platform/database/sqlite-database.ts'
import { afterFile } from './after-file.ts'
import { DEMO_TEMPLATE, SCHEMA_TEMPLATE } from './postgres-server.ts'
import { testDialect } from './test-dialect.ts'

export { testDialect }

let databasesMade = 0

const templates = { nothing: 'template0', schema: SCHEMA_TEMPLATE, demo: DEMO_TEMPLATE }

let admin: pg.Pool | undefined

function administer(statement: string): Promise<pg.QueryResult> {
  admin ??= new pg.Pool({
    connectionString: `${inject('postgresServer')}/postgres`,
    max: 1,
    allowExitOnIdle: true,
  }).on('error', () => {})
  return admin.query(statement)
}

/**
 * Creates a PostgreSQL database, which is dropped after the file, and returns its URL. Only the project `postgres` has the
 * content `demo`.
 */
export async function createPostgresDatabase(content: keyof typeof templates): Promise<string> {
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID}_${++databasesMade}`
  // Copying files takes a third of the time of copying pages through the log.
  await administer(`create database ${name} template ${templates[content]} strategy file_copy`)
  afterFile(() => administer(`drop database ${name} with (force)`))
  return `${inject('postgresServer')}/${name}`
}

/** The `database` option of `startSouk` for this test run. */
export function testDatabaseUrl(): Promise<string> | string {
  return testDialect === 'postgres' ? createPostgresDatabase('schema') : ':memory:'
}

export interface OpenOptions {
  logger?: DatabaseLogger
  /** Leaves the migrations nothing to do on PostgreSQL, where they take most of the time of a test. */
  hasSchema?: boolean
}

/** Every kind of database, empty, for the suites that run on all of them. */
export const databaseKinds = {
  'SQLite in memory': async ({ hasSchema: _, ...options }: OpenOptions = {}) => ({
    database: new SqliteDatabase(':memory:', options),
    discard: () => {},
  }),
  'SQLite on disk': async ({ hasSchema: _, ...options }: OpenOptions = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'souk-sqlite-'))
    const discard = () => rmSync(folder, { recursive: true, force: true })
    return { database: new SqliteDatabase(join(folder, 'souk.db'), options), discard }
  },
  PostgreSQL: async ({ hasSchema = false, ...options }: OpenOptions = {}) => {
    const url = await createPostgresDatabase(hasSchema ? 'schema' : 'nothing')
    return { database: new PostgresDatabase({ url, poolSize: 10, ...options }), discard: () => {} }
  },
}

const { 'SQLite in memory': _, ...onDisk } = databaseKinds
/** For the suites of what uses a database: SQLite in memory differs from that on disk for the database's own suite only. */
export const kindsOnDisk = onDisk
