import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { requiredMigrations } from '../../src/migrations/0038-required-migrations.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { prepareRunInserts } from '../../src/platform/database/insert-runs.ts'
import { DatabaseTooNewError, type Migration, migrate, requireMigrated } from '../../src/platform/database/migrate.ts'
import type { Database, Transaction } from '../../src/platform/database/port.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { isAfter, isOneOf } from '../../src/platform/database/tuples.ts'
import { prepareInserts, upsertMany } from '../../src/platform/database/upsert.ts'
import { ApiError } from '../../src/platform/errors/api-error.ts'
import { databaseKinds } from '../support/databases.ts'

interface Tables {
  counters: { name: string; count: number }
  parents: { id: string }
  children: { id: string; parent_id: string }
  words: { book: string; page: string; word: string }
  notes: { id: string; author: string; reader: string | null; pages: number | null; text: string }
}

const db = queryBuilder<Tables>()
const clock = new ManualClock('2026-01-01T00:00:00Z')
const schema = {
  name: '0001-test',
  statements: () => [
    'create table counters (name text primary key, count bigint not null)',
    'create table parents (id text primary key)',
    'create table children (id text primary key, parent_id text not null references parents)',
    'create table words (book text not null, page text not null, word text not null, primary key (book, page, word))',
    'create table notes (id text primary key, author text not null, reader text, pages bigint, text text not null)',
  ],
}

const findCounter = prepare((params: { name: string }) =>
  db.selectFrom('counters').selectAll().where('name', '=', params.name),
)
const addCounter = prepare((params: { name: string; count: number }) =>
  db.insertInto('counters').values({ name: params.name, count: params.count }),
)
const setCounter = prepare((params: { name: string; count: number }) =>
  db.updateTable('counters').set({ count: params.count }).where('name', '=', params.name),
)

const insertCounters = prepareInserts<Tables['counters']>('counters', { numbers: ['count'] })
const keepCounters = prepareInserts<Tables['counters']>('counters', { numbers: ['count'], existing: 'keep' })
const replaceCounters = prepareInserts<Tables['counters']>('counters', { numbers: ['count'], existing: ['name'] })
const keepWords = prepareInserts<Tables['words']>('words', { existing: 'keep' })
const replaceNotes = prepareInserts<Tables['notes']>('notes', { numbers: ['pages'], existing: ['id'] })
const insertWordRuns = prepareRunInserts<Tables['words']>('words', ['book', 'page', 'word'])

describe.each(Object.entries(databaseKinds))('the database port on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }

  beforeEach(async () => {
    vi.resetAllMocks()
    ;({ database, discard } = await open({ logger }))
    await migrate(database, [schema], clock)
    await database.transact((tx) => tx.run(db.insertInto('counters').values({ name: 'a', count: 0 })))
  })
  afterEach(async () => {
    await database.close()
    discard()
  })

  const count = () => database.read(async (reader) => (await reader.first(findCounter, { name: 'a' }))?.count)

  test('reads what was committed, as the types it was written with', async () => {
    await database.transact((tx) => tx.run(setCounter, { name: 'a', count: 9_007_199_254_740_991 }))
    expect(await count()).toBe(9_007_199_254_740_991)
  })

  test('returns undefined for a missing row and an empty list for no rows', async () => {
    const none = { name: 'none' }
    expect(await database.read((reader) => reader.first(findCounter, none))).toBeUndefined()
    expect(await database.read((reader) => reader.all(findCounter, none))).toEqual([])
  })

  test('returns the number of changed rows', async () => {
    expect(await database.transact((tx) => tx.run(setCounter, { name: 'a', count: 1 }))).toBe(1)
    expect(await database.transact((tx) => tx.run(setCounter, { name: 'none', count: 1 }))).toBe(0)
  })

  test('runs a statement for each of several parameters in order', async () => {
    const values = Array.from({ length: 500 }, (_, index) => ({ name: 'a', count: index + 1 }))
    await database.transact((tx) => tx.runEach(setCounter, values))
    expect(await count()).toBe(500)
    await database.transact((tx) => tx.runEach(setCounter, []))
    expect(await count()).toBe(500)
  })

  test('rolls back all of them when one fails, and keeps working', async () => {
    const names = ['b', 'c', 'a', 'd'].map((name) => ({ name, count: 1 }))
    await expect(database.transact((tx) => tx.runEach(addCounter, names))).rejects.toThrow(/unique/i)
    const rows = await database.read((reader) => reader.all(db.selectFrom('counters').selectAll()))
    expect(rows).toEqual([{ name: 'a', count: 0 }])
    await database.transact((tx) => tx.runEach(addCounter, [{ name: 'b', count: 2 }]))
    expect(await database.read((reader) => reader.first(findCounter, { name: 'b' }))).toEqual({ name: 'b', count: 2 })
  })

  test('rolls back a transaction whose callback throws, and rethrows the error', async () => {
    const failing = database.transact(async (tx) => {
      await tx.run(setCounter, { name: 'a', count: 5 })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await count()).toBe(0)
  })

  test.each([
    new ApiError('NOT_FOUND', "SKU 'USB-CONNECTOR-1' not found", 'Connection terminated unexpectedly, ECONNREFUSED'),
    Object.assign(new Error('an error of another kind'), { code: 'ECONNRESET' }),
    Object.assign(new Error('an error of another kind'), { code: '40001' }),
    Object.assign(new Error('an error of another kind'), { code: '57P01' }),
  ])('rethrows an error of the callback unchanged, whatever its text and code: $message $code', async (error) => {
    const fail = async () => {
      throw error
    }
    await expect(database.transact(fail)).rejects.toBe(error)
    await expect(database.read(fail)).rejects.toBe(error)
  })

  test('commits, notifies the other listeners and continues if a listener throws', async () => {
    const mistake = new Error('a mistake in the listener')
    const heard: string[] = []
    const write = (value: number) =>
      database.transact(async (tx) => {
        tx.afterCommit(() => {
          throw mistake
        })
        tx.afterCommit(() => heard.push(`committed ${value}`))
        await tx.run(setCounter, { name: 'a', count: value })
        return value
      })
    expect(await write(1)).toBe(1)
    expect(await Promise.all([write(2), write(3)])).toEqual([2, 3])
    expect(heard.sort()).toEqual(['committed 1', 'committed 2', 'committed 3'])
    expect(logger.error).toHaveBeenCalledTimes(3)
    expect(logger.error).toHaveBeenCalledWith({ err: mistake }, expect.stringContaining('the transaction is committed'))
    await database.transact((tx) => tx.run(setCounter, { name: 'a', count: 4 }))
    expect(await count()).toBe(4)
  })

  test('passes its write check while transactions write', async () => {
    const write = (value: number) => database.transact((tx) => tx.run(setCounter, { name: 'a', count: value }))
    await Promise.all([write(1), database.checkWritable(), write(1)])
    expect(await count()).toBe(1)
  })

  test('does not affect concurrent transactions when one fails', async () => {
    const add = (name: string) =>
      database.transact((tx) => tx.run(db.insertInto('counters').values({ name, count: 0 })))
    const results = await Promise.allSettled([add('b'), add('a'), add('c')])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const names = await database.read((reader) => reader.all(db.selectFrom('counters').select('name').orderBy('name')))
    expect(names.map((row) => row.name)).toEqual(['a', 'b', 'c'])
  })

  test('loses none of fifty concurrent updates of one row', async () => {
    const increment = () =>
      database.transact(async (tx) => {
        const before = await tx.first(findCounter, { name: 'a' })
        await tx.run(setCounter, { name: 'a', count: (before?.count ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 50 }, increment))
    expect(await count()).toBe(50)
  })

  test('runs none of fifty concurrent updates of one row again if they are read committed', async () => {
    let runs = 0
    const increment = () =>
      database.transact(
        async (tx) => {
          runs++
          await tx.run(
            db
              .updateTable('counters')
              .set((eb) => ({ count: eb('count', '+', 1) }))
              .where('name', '=', 'a'),
          )
        },
        { isolation: 'read committed' },
      )
    await Promise.all(Array.from({ length: 50 }, increment))
    expect(await count()).toBe(50)
    expect(runs).toBe(50)
  })

  test('inserts a row once when fifty transactions insert it if missing', async () => {
    const findOrAdd = () =>
      database.transact(async (tx) => {
        if (await tx.first(findCounter, { name: 'new' })) return 'found'
        await tx.run(db.insertInto('counters').values({ name: 'new', count: 1 }))
        return 'added'
      })
    const outcomes = await Promise.all(Array.from({ length: 50 }, findOrAdd))
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1)
  })

  test('still rejects a duplicate key', async () => {
    const add = () => database.transact((tx) => tx.run(db.insertInto('counters').values({ name: 'twice', count: 1 })))
    await add()
    await expect(add()).rejects.toThrow(/unique/i)
  })

  test('hides uncommitted rows from readers', async () => {
    let reading: Promise<number | undefined> | undefined
    const undone = database.transact(async (tx) => {
      await tx.run(setCounter, { name: 'a', count: 7 })
      reading = count()
      for (let query = 0; query < 10; query++) await tx.first(findCounter, { name: 'a' })
      throw new Error('never happened')
    })
    await expect(undone).rejects.toThrow('never happened')
    expect(await reading).toBe(0)
  })

  test('refuses a transaction handle that is used after its transaction ended', async () => {
    let kept: Transaction | undefined
    await database.transact(async (tx) => {
      kept = tx
    })
    await expect((async () => kept?.run(setCounter, { name: 'a', count: 1 }))()).rejects.toThrow('has ended')
    await expect((async () => kept?.runEach(setCounter, [{ name: 'a', count: 1 }]))()).rejects.toThrow('has ended')
    expect(await count()).toBe(0)
  })

  test('enforces foreign keys', async () => {
    const orphan = database.transact((tx) =>
      tx.run(db.insertInto('children').values({ id: 'child', parent_id: 'nobody' })),
    )
    await expect(orphan).rejects.toThrow()
  })

  test('upserts more rows than fit into one statement', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({ name: `row ${index}`, count: 1 }))
    await database.transact((tx) => upsertMany(tx, 'counters', ['name'], rows))
    await database.transact((tx) => upsertMany(tx, 'counters', ['name'], [{ name: 'row 7', count: 2 }]))
    const query = db
      .selectFrom('counters')
      .select((eb) => [eb.fn.countAll<number>().as('rows'), eb.fn.sum<number>('count').as('sum')])
    const total = await database.read((reader) => reader.first(query))
    expect(total?.rows).toBe(20_001)
    expect(Number(total?.sum)).toBe(20_001)
  })

  test.each([0, 1, 5, 83, 200])(
    'inserts %i rows with prepared statements, and replaces or keeps existing ones',
    async (size) => {
      const rows = (count: number) => Array.from({ length: size }, (_, index) => ({ name: `row ${index}`, count }))
      const counts = async () => {
        const query = db.selectFrom('counters').select(['name', 'count']).where('name', 'like', 'row %')
        return (await database.read((reader) => reader.all(query))).map(({ count }) => Number(count))
      }
      await database.transact((tx) => insertCounters(tx, rows(1)))
      expect(await counts()).toEqual(Array(size).fill(1))
      await database.transact((tx) => keepCounters(tx, rows(2)))
      expect(await counts()).toEqual(Array(size).fill(1))
      await database.transact((tx) => replaceCounters(tx, rows(3)))
      expect(await counts()).toEqual(Array(size).fill(3))
      const again = database.transact((tx) => insertCounters(tx, rows(4)))
      if (size > 0) await expect(again).rejects.toThrow()
      expect(await counts()).toEqual(Array(size).fill(3))
    },
  )

  test('stores texts and numbers of many rows exactly', async () => {
    const names = ['"quoted"', 'back\\slash', '{a,b}', 'null', 'größer', '漢字', '🧦'.repeat(30), 'é'.repeat(100), ' ']
    const counts = [0, -1, 2 ** 31, 2 ** 32, -(2 ** 32), 2 ** 40 + 5, -(2 ** 40) - 5, 2 ** 53 - 1, -(2 ** 53) + 1]
    const rows = names.map((name, index) => ({ name, count: counts[index] as number }))
    await database.transact((tx) => insertCounters(tx, rows))
    const query = db.selectFrom('counters').select(['name', 'count']).where('name', 'in', names)
    const stored = await database.read((reader) => reader.all(query))
    expect(new Map(stored.map(({ name, count }) => [name, Number(count)]))).toEqual(
      new Map(rows.map(({ name, count }) => [name, count])),
    )
  })

  test('stores each of many rows that differ in the last column only, and others', async () => {
    const pages = [1, 60, 1, 4, 5, 31, 1, 26, 2].map((words, page) =>
      Array.from({ length: words }, (_, word) => ({
        book: `book ${page % 2}`,
        page: String(page),
        word: String(word),
      })),
    )
    const rows = pages.flat()
    const runs = pages.map(([first, ...others]) => ({
      shared: [first?.book, first?.page] as string[],
      last: [first, ...others].map((row) => row?.word as string),
    }))
    await database.transact((tx) => insertWordRuns(tx, runs))
    const stored = await database.read((reader) => reader.all(db.selectFrom('words').selectAll()))
    const idOf = ({ book, page, word }: Tables['words']) => `${book} ${page} ${word}`
    expect(stored.map(idOf).sort()).toEqual(rows.map(idOf).sort())
    await expect(database.transact((tx) => insertWordRuns(tx, runs.slice(1)))).rejects.toThrow()
    expect(await database.read((reader) => reader.all(db.selectFrom('words').selectAll()))).toHaveLength(rows.length)
  })

  test('stores many rows exactly, whichever values they have in common', async () => {
    const write = async (version: string) => {
      const groups = Array.from({ length: 16 }, (_, group) =>
        Array.from({ length: 5 + group }, (_, row): Tables['notes'] => {
          const textFor = (bit: number) => (group & bit ? version : `${version} ${row}`)
          const reader = group & 2 && group & 8 ? null : textFor(2)
          const pages = group & 4 ? (group & 8 ? null : 7) : row
          return { id: `${group} ${row}`, author: textFor(1), reader, pages, text: textFor(8) }
        }),
      )
      for (const rows of groups) await database.transact((tx) => replaceNotes(tx, rows))
      return new Map(groups.flat().map((row) => [row.id, row]))
    }
    const stored = async () => {
      const rows = await database.read((reader) => reader.all(db.selectFrom('notes').selectAll()))
      return new Map(rows.map((row) => [row.id, { ...row, pages: row.pages === null ? null : Number(row.pages) }]))
    }
    const first = await write('first')
    expect(await stored()).toEqual(first)
    const second = await write('second')
    expect(await stored()).toEqual(second)
  })

  test('keeps one of several equal rows', async () => {
    const row = { book: 'one', page: '1', word: 'same' }
    await database.transact((tx) =>
      keepWords(
        tx,
        Array.from({ length: 6 }, () => row),
      ),
    )
    expect(await database.read((reader) => reader.all(db.selectFrom('words').selectAll()))).toEqual([row])
  })

  test('compares tuples, for pages and for lists of keys', async () => {
    await database.transact((tx) =>
      upsertMany(
        tx,
        'parents',
        ['id'],
        ['1', '2', '3'].map((id) => ({ id })),
      ),
    )
    await database.transact((tx) =>
      upsertMany(
        tx,
        'children',
        ['id'],
        ['1', '2', '3'].map((id) => ({ id, parent_id: id })),
      ),
    )
    const columns = ['parent_id', 'id']
    const after = db
      .selectFrom('children')
      .select('id')
      .where(isAfter(columns, ['2', '1']))
      .orderBy('id')
    const oneOf = db
      .selectFrom('children')
      .select('id')
      .where(
        isOneOf(columns, [
          ['1', '1'],
          ['3', '3'],
          ['2', '9'],
        ]),
      )
      .orderBy('id')
    expect(await database.read((reader) => reader.all(after))).toEqual([{ id: '2' }, { id: '3' }])
    expect(await database.read((reader) => reader.all(oneOf))).toEqual([{ id: '1' }, { id: '3' }])
  })

  test('empties every table except its migrations', async () => {
    await database.transact(async (tx) => {
      await tx.run(db.insertInto('parents').values({ id: 'parent' }))
      await tx.run(db.insertInto('children').values({ id: 'child', parent_id: 'parent' }))
    })
    await database.clear()
    expect(await count()).toBeUndefined()
    expect(await database.read((reader) => reader.all(db.selectFrom('parents').selectAll()))).toEqual([])
    await requireMigrated(database, [schema])
  })

  test('runs each migration once', async () => {
    expect(await migrate(database, [schema], clock)).toEqual([])
    const second = { name: '0002-more', statements: () => ['create table more (id text primary key)'] }
    expect(await migrate(database, [schema, second], clock)).toEqual(['0002-more'])
  })

  test('initializes a new database once, though several processes do so concurrently', async () => {
    const fresh = await open()
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(fresh.database, [schema], clock)))
    expect(runs.flat()).toEqual(['0001-test'])
    await fresh.database.close()
    fresh.discard()
  })

  test('runs each migration once, though several processes migrate concurrently', async () => {
    const more = ['0002-more', '0003-most'].map((name, index) => ({
      name,
      statements: () => [`create table more_${index} (id text primary key)`],
    }))
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database, [schema, ...more], clock)))
    expect(runs.flat().sort()).toEqual(['0002-more', '0003-most'])
    await requireMigrated(database, [schema, ...more])
  })

  test('rolls back a migration that fails halfway', async () => {
    const broken = { name: '0002-broken', statements: () => ['create table half (id text)', 'create nonsense'] }
    await expect(migrate(database, [schema, broken], clock)).rejects.toThrow()
    const mended = { name: '0002-broken', statements: () => ['create table half (id text)'] }
    expect(await migrate(database, [schema, mended], clock)).toEqual(['0002-broken'])
  })

  test('refuses a database that is not up to date', async () => {
    const next = { name: '0002-next', statements: () => [] }
    await expect(requireMigrated(database, [schema, next])).rejects.toThrow('Run `souk migrate`')
  })

  test('accepts a database of a newer version until that has removed what this version uses', async () => {
    const before = [schema, requiredMigrations]
    const adds = { name: '0102-adds', statements: () => ['create table replacements (id text primary key)'] }
    const removes = { name: '0103-removes', requires: adds.name, statements: () => ['drop table children'] }
    const isStillUsable = async (known: readonly Migration[]) => {
      await requireMigrated(database, known)
      return migrate(database, known, clock)
    }
    await migrate(database, [...before, adds], clock)
    expect(await requireMigrated(database, before)).toEqual(['0102-adds'])
    expect(await isStillUsable(before)).toEqual([])
    await migrate(database, [...before, adds, removes], clock)
    expect(await isStillUsable([...before, adds])).toEqual([])
    await expect(requireMigrated(database, before)).rejects.toThrow(DatabaseTooNewError)
    await expect(migrate(database, before, clock)).rejects.toThrow('0103-removes')
  })
})
