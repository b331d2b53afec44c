import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailableError } from './port.ts'
import { queryBuilder } from './query.ts'
import { SqliteDatabase } from './sqlite-database.ts'

const db = queryBuilder<{ notes: { text: string } }>()
const write = (database: SqliteDatabase, text: string) =>
  database.transactSchema((tx) => tx.run(db.insertInto('notes').values({ text })))
const notesOf = async (database: SqliteDatabase) => {
  const rows = await database.read((reader) => reader.all(db.selectFrom('notes').select('text')))
  return rows.map(({ text }) => text)
}

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'souk-sqlite-'))
  path = join(folder, 'souk.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A database with an image to load, after which a row was written. */
async function openWithImage(at: string) {
  const database = new SqliteDatabase(at)
  await database.transactSchema((tx) => tx.execute('create table notes (text text not null)'))
  for (let count = 0; count < 10; count++) await write(database, 'x'.repeat(3000))
  const image = Buffer.from(await database.image())
  await write(database, 'kept')
  return { database, image }
}

/** The database still has the row, and can be written to and loaded. */
async function expectUsable(database: SqliteDatabase, image: Uint8Array) {
  expect(await notesOf(database)).toContain('kept')
  await write(database, 'later')
  expect(await notesOf(database)).toContain('later')
  await database.load(image)
  expect(await notesOf(database)).toHaveLength(10)
  await database.close()
}

describe.each(['a file', 'memory'])('an image that is loaded into a database in %s', (place) => {
  test.each([
    ['cut off', (image: Buffer) => image.subarray(0, image.length - 3 * 4096)],
    ['damaged inside', (image: Buffer) => Buffer.concat([image.subarray(0, 4096), Buffer.alloc(image.length - 4096)])],
    ['no image', () => Buffer.from('{}')],
  ])('is refused if it is %s, and the database keeps its content', async (_, spoil) => {
    const { database, image } = await openWithImage(place === 'memory' ? ':memory:' : path)
    await expect(database.load(spoil(image))).rejects.toMatchObject({ name: 'InvalidImageError' })
    await expectUsable(database, image)
  })
})

test('an image is checked once, because it does not change', async () => {
  const { database, image } = await openWithImage(':memory:')
  await database.load(image)
  // A second check would refuse it.
  image.fill(0, 0, 16)
  await expect(database.load(image)).rejects.not.toMatchObject({ name: 'InvalidImageError' })
  await database.close()
})

test('a database file keeps its content if an image cannot be copied into it', async () => {
  const { database, image } = await openWithImage(path)
  const other = new Sqlite(':memory:')
  // SQLite does not change the size of pages while there is a log of them.
  other.exec('pragma page_size = 8192; create table notes (text text not null)')
  await expect(database.load(other.serialize())).rejects.toThrow(DatabaseUnavailableError)
  other.close()
  await expectUsable(database, image)
})

test('a database file that another program reads gets the rows of an image, and the program sees them', async () => {
  const { database, image } = await openWithImage(path)
  const other = new Sqlite(path, { readonly: true })
  const count = () => other.prepare('select count(*) from notes').pluck().get()
  expect(count()).toBe(11)
  await database.load(image)
  expect(await notesOf(database)).toHaveLength(10)
  expect(count()).toBe(10)
  other.close()
  await database.close()
})

test('an image is loaded into a file after the program that writes to it', async () => {
  const { database, image } = await openWithImage(path)
  const other = new Sqlite(path)
  other.exec("begin immediate; insert into notes values ('theirs')")
  const attempts = vi.spyOn(Sqlite.prototype, 'exec')
  const loaded = database.load(image)
  await vi.waitFor(() => expect(attempts.mock.calls.length).toBeGreaterThan(1))
  attempts.mockRestore()
  other.exec('commit')
  await loaded
  expect(await notesOf(database)).toHaveLength(10)
  other.close()
  await database.close()
})
