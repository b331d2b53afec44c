import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/composition/adapters.ts'
import { afterFile } from './after-file.ts'
import { createPostgresDatabase, testDialect } from './databases.ts'
import { initialContent, startTestSouk } from './souk.ts'

/** A service and a separate connection to its database, for what responses do not contain. */
export async function startWatchedSouk(options: Parameters<typeof startTestSouk>[0] = {}) {
  const address = await databaseOnDisk(initialContent(options))
  const souk = await startTestSouk({ ...options, database: address })
  const database = await openDatabase(
    testDialect === 'postgres' ? { kind: 'postgres', url: address, poolSize: 2 } : { kind: 'sqlite', path: address },
  )
  afterFile(() => database.close())
  return { souk, database }
}

async function databaseOnDisk(content: 'schema' | 'demo'): Promise<string> {
  if (testDialect === 'postgres') return createPostgresDatabase(content)
  const folder = mkdtempSync(join(tmpdir(), 'souk-watched-'))
  afterFile(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'souk.db')
}
