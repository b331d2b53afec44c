import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseUnavailableError, type SchemaTransaction } from './port.ts'
import { queryBuilder } from './query.ts'
import { SqliteDatabase } from './sqlite-database.ts'

const db = queryBuilder<{ notes: { text: string } }>()
const write = (tx: SchemaTransaction, text: string) => tx.run(db.insertInto('notes').values({ text }))

describe('a transaction that SQLite rolls back', () => {
  let folder: string
  let database: SqliteDatabase
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'souk-sqlite-'))
    database = new SqliteDatabase(join(folder, 'souk.db'))
    await database.transactSchema((tx) => tx.execute('create table notes (text text not null)'))
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })

  const notes = () => database.read((reader) => reader.all(db.selectFrom('notes').selectAll()))

  /** As large a disk as there is now and a few pages more. */
  const fillDisk = (tx: SchemaTransaction) => tx.execute('pragma max_page_count = 8')

  test.each([1, 2])('because the disk is full fails with that reason, alone or among %i', async (count) => {
    const tooMuch = () =>
      database.transactSchema(async (tx) => {
        await write(tx, 'small')
        await fillDisk(tx)
        await write(tx, 'x'.repeat(100_000))
      })
    for (const result of await Promise.allSettled(Array.from({ length: count }, tooMuch))) {
      expect(result).toEqual({ status: 'rejected', reason: new DatabaseUnavailableError('The disk is full') })
    }
    expect(await notes()).toEqual([])
    await database.transactSchema((tx) => tx.execute('pragma max_page_count = 100000'))
    await database.transactSchema((tx) => write(tx, 'after'))
    expect(await notes()).toEqual([{ text: 'after' }])
  })

  test('leaves the others of its group alone, however much it has changed', async () => {
    const change = (text: string, fails: boolean) =>
      database.transactSchema(async (tx) => {
        await tx.run(db.updateTable('notes').set({ text }))
        for (let row = 0; row < 100; row++) await write(tx, text.repeat(2_000))
        if (fails) throw new Error('no')
      })
    await database.transactSchema((tx) => write(tx, 'first'))
    const results = await Promise.allSettled([change('a', false), change('b', true), change('c', false)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const texts = (await notes()).map(({ text }) => text)
    expect(texts).toEqual([
      ...Array.from({ length: 101 }, () => 'c'),
      ...Array.from({ length: 100 }, () => 'c'.repeat(2_000)),
    ])
  })

  test.each([1, 2])('is not reported as committed, even if the callbacks of all %i ignore the error', async (count) => {
    const unaware = () =>
      database.transactSchema(async (tx) => {
        await write(tx, 'lost')
        await tx.execute('rollback')
      })
    for (const { status, ...rest } of await Promise.allSettled(Array.from({ length: count }, unaware))) {
      expect(status).toBe('rejected')
      expect(String((rest as PromiseRejectedResult).reason)).toContain('no transaction is active')
    }
    await database.transactSchema((tx) => write(tx, 'after'))
    expect(await notes()).toEqual([{ text: 'after' }])
  })
})

describe('of transactions that commit together', () => {
  let database: SqliteDatabase
  let runs: string[]
  beforeEach(async () => {
    runs = []
    database = new SqliteDatabase(':memory:')
    await database.transactSchema((tx) => tx.execute('create table notes (text text primary key)'))
  })
  afterEach(() => database.close())

  const notes = async () =>
    (await database.read((reader) => reader.all(db.selectFrom('notes').selectAll()))).map(textOf)
  const textOf = ({ text }: { text: string }) => text
  const add = (text: string, after: (tx: SchemaTransaction) => Promise<void> = async () => {}) =>
    database.transactSchema(async (tx) => {
      runs.push(text)
      await write(tx, text)
      await after(tx)
    })
  const fail = async () => {
    throw new Error('no')
  }

  test('one that fails before it has written does not make the others run again', async () => {
    const failing = [
      database.transact(fail),
      database.transact(async (tx) => {
        const changed = await tx.run(db.deleteFrom('notes').where('text', '=', 'missing'))
        if (changed === 0) await fail()
      }),
    ]
    const results = await Promise.allSettled([add('a'), ...failing, add('b')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(runs).toEqual(['a', 'b'])
    expect(await notes()).toEqual(['a', 'b'])
  })

  test.each([
    ['a statement', (tx: SchemaTransaction) => tx.run(db.insertInto('notes').values({ text: 'lost' }))],
    [
      'a statement that returns rows',
      (tx: SchemaTransaction) => tx.first(db.insertInto('notes').values({ text: 'lost' }).returning('text')),
    ],
    ['plain SQL', (tx: SchemaTransaction) => tx.execute("insert into notes values ('lost')")],
  ])('one that fails after it has written with %s leaves nothing, and the others commit once', async (_, writes) => {
    const committed: string[] = []
    const listen = (text: string) => async (tx: SchemaTransaction) => tx.afterCommit(() => void committed.push(text))
    const failing = database.transactSchema(async (tx) => {
      await listen('lost')(tx)
      await writes(tx)
      await fail()
    })
    const results = await Promise.allSettled([add('a', listen('a')), failing, add('b', listen('b'))])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await notes()).toEqual(['a', 'b'])
    expect(committed).toEqual(['a', 'b'])
  })

  test('onRetry of each is called before it runs again', async () => {
    const retried: string[] = []
    const first = database.transact(async () => void runs.push('a'), { onRetry: () => retried.push('a') })
    const second = database.transact(async (tx) => {
      await tx.run(db.insertInto('notes').values({ text: 'lost' }))
      await fail()
    })
    const third = database.transact(async () => void runs.push('c'), { onRetry: () => retried.push('c') })
    await Promise.allSettled([first, second, third])
    expect(retried).toEqual(['a'])
    expect(runs).toEqual(['a', 'a', 'c'])
  })

  test('one that conflicts with an earlier one fails, whether that one ran once or twice', async () => {
    const results = await Promise.allSettled([add('a'), add('a'), add('b', fail), add('a'), add('c')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'])
    expect(await notes()).toEqual(['a', 'c'])
  })
})

describe('a file that SQLite can only read', () => {
  test('fails a write to it as an outage', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'souk-sqlite-'))
    const database = new SqliteDatabase(join(folder, 'souk.db'))
    await database.transactSchema((tx) => tx.execute('create table notes (text text not null)'))
    await database.checkWritable()
    // A mount that has turned read-only cannot be made here; SQLite refuses writes for the same reason with this.
    await database.transactSchema((tx) => tx.execute('pragma query_only = on'))
    await expect(database.transactSchema((tx) => write(tx, 'lost'))).rejects.toThrow(DatabaseUnavailableError)
    await database.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a file that is damaged while it is open', () => {
  test('fails every read and write of the damaged part, and nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'souk-sqlite-'))
    const path = join(folder, 'souk.db')
    const before = new SqliteDatabase(path)
    await before.transactSchema((tx) => tx.execute('create table notes (text text not null)'))
    await before.transactSchema(async (tx) => {
      for (let count = 0; count < 50; count++) await write(tx, 'x'.repeat(1000))
    })
    await before.close()
    const database = new SqliteDatabase(path)
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(10 * 4096, 0xa5), 0, 10 * 4096, 4096)
    closeSync(file)
    for (let times = 0; times < 3; times++) {
      const notes = database.read((reader) => reader.all(db.selectFrom('notes').selectAll()))
      await expect(notes).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
      await expect(database.transactSchema((tx) => write(tx, 'lost'))).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
      // The event-loop tick of the read is over by then.
      await new Promise((resolve) => setImmediate(resolve))
    }
    await database.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a database in memory', () => {
  test('shows a read no rows of a transaction that began during it and was rolled back', async () => {
    const database = new SqliteDatabase(':memory:')
    await database.transactSchema((tx) => tx.execute('create table notes (text text not null)'))
    // A read waits for the transactions before it.
    await database.read(async () => {})
    const isWritten = Promise.withResolvers<void>()
    const isRead = Promise.withResolvers<void>()
    const reading = database.read(async (reader) => {
      await isWritten.promise
      const notes = [reader.all(db.selectFrom('notes').selectAll()), reader.first(db.selectFrom('notes').selectAll())]
      isRead.resolve()
      return Promise.all(notes)
    })
    const writing = database.transactSchema(async (tx) => {
      await write(tx, 'lost')
      isWritten.resolve()
      await isRead.promise
      throw new Error('no')
    })
    await expect(writing).rejects.toThrow('no')
    expect(await reading).toEqual([[], undefined])
    await database.close()
  })
})
