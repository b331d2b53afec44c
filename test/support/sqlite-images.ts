import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { ManualClock, startSouk } from '../../src/index.ts'
import { TEST_TIME } from './postgres-server.ts'

const images = new Map<string, Promise<Uint8Array>>()

/** A database to start services with: loading the demo marketplace takes longer than most tests. */
export function sqliteImage(content: 'schema' | 'demo'): Promise<Uint8Array> {
  const image = images.get(content) ?? createImage(content)
  images.set(content, image)
  return image
}

async function createImage(content: 'schema' | 'demo'): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'souk-image-'))
  const path = join(folder, 'souk.db')
  const souk = await startSouk({ database: path, demo: content === 'demo', clock: new ManualClock(TEST_TIME) })
  await souk.stop()
  const sqlite = new Sqlite(path)
  // A database in memory cannot have a write-ahead log.
  sqlite.pragma('journal_mode = delete')
  sqlite.close()
  const image = readFileSync(path)
  rmSync(folder, { recursive: true })
  return image
}
