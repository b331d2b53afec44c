import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { type Migration, migrate } from '../../src/platform/database/migrate.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { databaseKinds } from '../support/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const db = queryBuilder<{ sales: { id: string }; pg_locks: { granted: boolean; mode: string } }>()
const clock = new ManualClock('2026-01-01T00:00:00Z')
const table: Migration = { name: '0001-table', statements: () => ['create table sales (id text primary key)'] }
const column: Migration = { name: '0002-column', statements: () => ['alter table sales add column buyer text'] }

let database: Database
beforeEach(async () => {
  ;({ database } = await databaseKinds.PostgreSQL())
  await migrate(database, [table], clock)
})
afterEach(() => database.close())

const count = () => database.read((reader) => reader.all(db.selectFrom('sales').select('id')))
const isWaiting = () =>
  database.read((reader) =>
    reader.first(
      db.selectFrom('pg_locks').select('mode').where('granted', '=', false).where('mode', '=', 'AccessExclusiveLock'),
    ),
  )

test('a migration that waits for a long transaction lets the statements of others pass', async () => {
  const opened = Promise.withResolvers<void>()
  const ends = Promise.withResolvers<void>()
  const open = database.transact(async (tx) => {
    await tx.all(db.selectFrom('sales').select('id'))
    opened.resolve()
    await ends.promise
  })
  await opened.promise
  const migrated = migrate(database, [table, column], clock)
  await waitFor(isWaiting, (waiting) => waiting !== undefined)
  try {
    // It would fail at its deadline while the long transaction goes on.
    expect(await count()).toEqual([])
    await waitFor(isWaiting, (waiting) => waiting !== undefined)
  } finally {
    ends.resolve()
    await open
  }
  expect(await migrated).toEqual(['0002-column'])
})
