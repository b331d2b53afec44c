import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { type Migration, migrate } from '../../src/platform/database/migrate.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase, databaseKinds } from '../support/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const db = queryBuilder<{
  sales: { id: string; number: number }
  pg_index: { indexrelid: unknown; indisvalid: boolean }
  pg_class: { oid: unknown; relname: string }
}>()
const clock = new ManualClock('2026-01-01T00:00:00Z')
const table: Migration = {
  name: '0001-table',
  statements: () => ['create table sales (id text primary key, number bigint not null)'],
}
const indexes: Migration = {
  name: '0002-indexes',
  indexes: [{ name: 'sales_by_number', isUnique: true, on: 'sales (number) where number > 0' }],
}

let database: Database
beforeEach(async () => {
  ;({ database } = await databaseKinds.PostgreSQL())
  await migrate(database, [table], clock)
})
afterEach(() => database.close())

const add = (id: string, number: number) =>
  database.transact((tx) => tx.run(db.insertInto('sales').values({ id, number })))

/** Whether the index is usable; undefined before its build begins. */
const isValid = async () => {
  const found = db
    .selectFrom('pg_index')
    .innerJoin('pg_class', 'pg_class.oid', 'pg_index.indexrelid')
    .select('indisvalid')
    .where('relname', '=', 'sales_by_number')
  return (await database.read((reader) => reader.first(found)))?.indisvalid
}

describe('an index of a table that is in use', () => {
  test('is built while others write', async () => {
    const opened = Promise.withResolvers<void>()
    const ends = Promise.withResolvers<void>()
    // The build waits for it.
    const open = database.transact(async (tx) => {
      await tx.run(db.insertInto('sales').values({ id: 'open', number: 1 }))
      opened.resolve()
      await ends.promise
    })
    await opened.promise
    const migrated = migrate(database, [table, indexes], clock)
    await waitFor(isValid, (valid) => valid === false)
    await add('meanwhile', 2)
    ends.resolve()
    await open
    expect(await migrated).toEqual(['0002-indexes'])
    expect(await isValid()).toBe(true)
  })

  test('is built again if its build was interrupted', async () => {
    await add('one', 7)
    await add('other', 7)
    await expect(migrate(database, [table, indexes], clock)).rejects.toThrow()
    expect(await isValid()).toBe(false)
    await database.transact((tx) => tx.run(db.deleteFrom('sales').where('id', '=', 'other')))
    expect(await migrate(database, [table, indexes], clock)).toEqual(['0002-indexes'])
    expect(await isValid()).toBe(true)
  })

  test('is built by a process that has a single connection', async () => {
    const url = await createPostgresDatabase('nothing')
    const single = new PostgresDatabase({ url, poolSize: 1, deadlines: { connectSeconds: 2 } })
    await migrate(single, [table], clock)
    expect(await migrate(single, [table, indexes], clock)).toEqual(['0002-indexes'])
    await single.close()
  })

  test('is built once by several processes', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => migrate(database, [table, indexes], clock)))
    expect(runs.flat()).toEqual(['0002-indexes'])
    expect(await isValid()).toBe(true)
  })
})
