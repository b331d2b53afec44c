import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseInUseError } from './database-file-errors.ts'
import { DatabaseLock } from './database-lock.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')
const LOCK = new URL('./database-lock.ts', import.meta.url).href

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'souk-lock-'))
  path = join(folder, 'souk.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function lockErrorOf(file: string): string {
  try {
    new DatabaseLock(file, NOW).release()
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseInUseError)
    return (error as Error).message
  }
  throw new Error('The lock is free')
}

/** Another process that has the lock until it is killed. */
async function startHolder() {
  const code = `const { DatabaseLock } = await import('${LOCK}')
    new DatabaseLock(${JSON.stringify(path)}, new Date('${NOW.toISOString()}')).noteAddress('http://127.0.0.1:4700')
    process.stdout.write('locked'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code])
  await once(child.stdout, 'data')
  return child
}

describe('the lock of a database file', () => {
  test('has one holder at a time, and the error names its process, start and URL', () => {
    const lock = new DatabaseLock(path, NOW)
    expect(lockErrorOf(path)).toBe(
      `Another souk process is using ${path} (process ${process.pid} since ${NOW.toISOString()}). Stop it first, or use another file.`,
    )
    lock.noteAddress('http://127.0.0.1:4700')
    expect(lockErrorOf(path)).toContain(`since ${NOW.toISOString()}, at http://127.0.0.1:4700)`)
    // Reads the holder twice, because reading must not release the lock.
    expect(lockErrorOf(path)).toContain('at http://127.0.0.1:4700')
    lock.release()
    new DatabaseLock(path, NOW).release()
  })

  test('is the same through a link to the folder', () => {
    const lock = new DatabaseLock(path, NOW)
    symlinkSync(folder, `${folder}-link`)
    try {
      expect(lockErrorOf(join(`${folder}-link`, 'souk.db'))).toContain(`process ${process.pid}`)
    } finally {
      rmSync(`${folder}-link`)
      lock.release()
    }
  })

  test('excludes other processes, and is released however its process ends', async () => {
    const holder = await startHolder()
    expect(lockErrorOf(path)).toContain(`process ${holder.pid} since ${NOW.toISOString()}, at http://127.0.0.1:4700`)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    new DatabaseLock(path, NOW).release()
  })
})
