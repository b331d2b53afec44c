import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteDatabase } from './sqlite-database.ts'

const SCHEMA = `
  create table sellers (seller_id text primary key, name text) without rowid;
  create table notes (seller_id text not null references sellers on delete cascade, text text, size bigint, bytes blob);
  create index notes_by_size on notes (size);
  create table events (event_id text primary key, seller_id text);
`

let folder: string
let path: string
/** Changes rows as another program does. */
let other: Sqlite.Database
let database: SqliteDatabase
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'souk-sqlite-'))
  path = join(folder, 'souk.db')
  database = new SqliteDatabase(path)
  await database.transactSchema((tx) => tx.execute(SCHEMA))
  other = new Sqlite(path)
  fill(other)
})
afterEach(async () => {
  other.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

/** Rows that continue on other pages, numbers that JavaScript rounds, and gaps between row ids. */
function fill(sqlite: Sqlite.Database): void {
  const seller = sqlite.prepare('insert into sellers values (?, ?)')
  const note = sqlite.prepare('insert into notes values (?, ?, ?, ?)')
  const event = sqlite.prepare('insert into events values (?, ?)')
  for (let number = 0; number < 200; number++) {
    const sellerId = `seller-${number * 7919}`
    seller.run(sellerId, `Seller ${number}`)
    note.run(
      sellerId,
      'é'.repeat(number * 50),
      9_007_199_254_740_993n + BigInt(number),
      Buffer.alloc(number * 10, number),
    )
    event.run(`event-${(number * 31) % 200}`, sellerId)
  }
  sqlite.exec('delete from notes where rowid % 3 = 0')
}

/** All rows in the order of a scan, which is that of their row ids if they have some. */
const rowsOf = (sqlite: Sqlite.Database) =>
  ['sellers', 'notes', 'events'].map((table) =>
    sqlite.prepare(`select * from ${table} not indexed`).safeIntegers().all(),
  )

const logBytes = () => statSync(`${path}-wal`).size

describe('a database file into which an image is loaded', () => {
  test.each([
    ['nothing changed', ''],
    ['a row was added', "insert into events values ('added', null)"],
    ['a row with references was deleted', "delete from sellers where name like '%1'"],
    ['rows with references grew', "update sellers set name = name || name where seller_id like '%1'"],
    ['a table was emptied', 'delete from notes'],
    ['pages were moved from one table to another', 'delete from events; update notes set text = text || text'],
    ['everything changed', "delete from notes; delete from events; update sellers set seller_id = 'new-' || seller_id"],
    ['there is a new table', 'create table later (text text); drop table events'],
  ])('has exactly its rows if %s', async (_, change) => {
    const image = await database.image()
    const before = rowsOf(other)
    for (let times = 0; times < 3; times++) {
      other.exec(change)
      await database.load(image)
      expect(rowsOf(other)).toEqual(before)
    }
    expect(other.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(other.pragma('foreign_key_check')).toEqual([])
    const tables = other.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all()
    expect(tables).toEqual(['events', 'notes', 'sellers'])
  })

  test('writes only the tables that differ, and its connections keep their statements', async () => {
    const image = await database.image()
    other.exec("insert into events values ('added', null)")
    const [version, bytes] = [other.pragma('schema_version', { simple: true }), logBytes()]
    await database.load(image)
    expect(logBytes() - bytes).toBeLessThan(image.length / 10)
    expect(other.pragma('schema_version', { simple: true })).toBe(version)
  })

  test('is small again if a table had grown', async () => {
    const image = await database.image()
    other.exec(`insert into events
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 100000) select n, n from numbers`)
    expect((await database.image()).length).toBeGreaterThan(2 * image.length)
    await database.load(image)
    expect((await database.image()).length).toBe(image.length)
  })

  test('is repaired if it was damaged', async () => {
    const image = await database.image()
    const before = rowsOf(other)
    other.pragma('wal_checkpoint(truncate)')
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(20 * 4096, 0xa5), 0, 20 * 4096, 4096)
    closeSync(file)
    await database.load(image)
    expect(rowsOf(other)).toEqual(before)
    expect(other.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  test('still checks references', async () => {
    await database.load(await database.image())
    const orphan = database.transactSchema((tx) => tx.execute("insert into notes values ('nobody', '', 0, '')"))
    await expect(orphan).rejects.toThrow('FOREIGN KEY constraint failed')
  })
})
