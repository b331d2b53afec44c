import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseLogger } from '../../src/platform/database/commit-listeners.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { SqliteDatabase } from '../../src/platform/database/sqlite-database.ts'
import { DEMO_TEMPLATE, SCHEMA_TEMPLATE } from './postgres-server.ts'
import { testDialect } from './test-dialect.ts'

export { testDialect }

let databasesMade = 0

const templates = { nothing: 'template0', schema: SCHEMA_TEMPLATE, demo: DEMO_TEMPLATE }

/** Creates a PostgreSQL database and returns its URL. Only the project `postgres` has the content `demo`. */
export async function createPostgresDatabase(content: keyof typeof templates): Promise<string> {
  const server = inject('postgresServer')
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID}_${++databasesMade}`
  const client = new pg.Client(`${server}/postgres`)
  await client.connect()
  await client.query(`create database ${name} template ${templates[content]}`)
  await client.end()
  return `${server}/${name}`
}

/** The `database` option of `startSouk` for this test run. */
export function testDatabaseUrl(): Promise<string> | string {
  return testDialect === 'postgres' ? createPostgresDatabase('schema') : ':memory:'
}

export interface OpenOptions {
  logger?: DatabaseLogger
}

/** Every kind of database, empty, for the suites that run on all of them. */
export const databaseKinds = {
  'SQLite in memory': async (options: OpenOptions = {}) => ({
    database: new SqliteDatabase(':memory:', options),
    discard: () => {},
  }),
  'SQLite on disk': async (options: OpenOptions = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'souk-sqlite-'))
    const discard = () => rmSync(folder, { recursive: true, force: true })
    return { database: new SqliteDatabase(join(folder, 'souk.db'), options), discard }
  },
  PostgreSQL: async (options: OpenOptions = {}) => {
    const url = await createPostgresDatabase('nothing')
    return { database: new PostgresDatabase({ url, poolSize: 10, ...options }), discard: () => {} }
  },
}
