import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openInFile, openInMemory } from './sqlite-copy.ts'

let folder: string
let image: Buffer

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'souk-test-'))
  const sqlite = new Sqlite(':memory:')
  sqlite.exec("create table notes (text text not null); insert into notes values ('first')")
  image = sqlite.serialize()
  sqlite.close()
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const notesIn = (sqlite: Sqlite.Database) => sqlite.prepare('select text from notes order by text').pluck().all()

test.each([
  ['a folder for temporary files', () => folder],
  ['none', () => join(folder, 'missing')],
])('with %s, copies of an image share nothing, and leave no files', (_what, place) => {
  vi.stubEnv('TMPDIR', place())
  const [one, other] = [openInFile(image), openInFile(image)]
  expect(readdirSync(folder)).toEqual([])
  one.exec("insert into notes values ('second')")
  expect(notesIn(one)).toEqual(['first', 'second'])
  expect(notesIn(other)).toEqual(['first'])
  const copy = openInFile(one.serialize())
  expect(notesIn(copy)).toEqual(['first', 'second'])
  for (const sqlite of [one, other, copy]) sqlite.close()
})

test.skipIf(process.platform === 'win32')('a copy is in a file, unless there is no folder for it', () => {
  vi.stubEnv('TMPDIR', folder)
  const inFile = openInFile(image)
  vi.stubEnv('TMPDIR', join(folder, 'missing'))
  const inMemory = openInFile(image)
  expect(inFile.memory).toBe(false)
  expect(inMemory.memory).toBe(true)
  inFile.close()
  inMemory.close()
})

test('a copy in memory needs no folder', () => {
  vi.stubEnv('TMPDIR', folder)
  const sqlite = openInMemory(image)
  expect(sqlite.memory).toBe(true)
  expect(notesIn(sqlite)).toEqual(['first'])
  sqlite.close()
})
