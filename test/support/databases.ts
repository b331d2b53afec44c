import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseLogger } from '../../src/platform/database/commit-listeners.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { SqliteDatabase } from '../../src/platform/database/sqlite-database.ts'
import { TEMPLATE } from './postgres-server.ts'

export const testDialect = process.env.SOUK_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'

let databasesMade = 0

/** Creates a PostgreSQL database, empty or with the schema, and returns its URL. */
export async function createPostgresDatabase({ migrated }: { migrated: boolean }): Promise<string> {
  const server = inject('postgresServer')
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID}_${++databasesMade}`
  const client = new pg.Client(`${server}/postgres`)
  await client.connect()
  await client.query(`create database ${name} template ${migrated ? TEMPLATE : 'template0'}`)
  await client.end()
  return `${server}/${name}`
}

/** The `database` option of `startSouk` for this test run. */
export function testDatabaseUrl(): Promise<string> | string {
  return testDialect === 'postgres' ? createPostgresDatabase({ migrated: true }) : ':memory:'
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
    const url = await createPostgresDatabase({ migrated: false })
    return { database: new PostgresDatabase({ url, poolSize: 10, ...options }), discard: () => {} }
  },
}
