import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/composition/adapters.ts'
import { migrateDatabase } from '../../../src/composition/migrations.ts'
import { endedSessionSweep } from '../../../src/console/index.ts'
import { networkSubject, recordFailure } from '../../../src/console/session/lock-out.ts'
import { findSession, insertSession } from '../../../src/console/session/session-store.ts'
import { ManualClock } from '../../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { testDatabaseUrl, testDialect } from '../../support/databases.ts'

const HOUR = 3_600_000
const clock = new ManualClock('2026-06-01T12:00:00Z')
let database: Database

beforeAll(async () => {
  const url = await testDatabaseUrl()
  database = await openDatabase(
    testDialect === 'postgres' ? { kind: 'postgres', url, poolSize: 5 } : { kind: 'sqlite', path: url },
  )
  await migrateDatabase(database, clock)
})
afterAll(() => database.close())

test('sessions and failed sign-ins are deleted after a day, and no others', async () => {
  const sweep = () => endedSessionSweep.sweep({ database, clock }, new AbortController().signal)
  const begin = (tokenDigest: string) =>
    database.transact(async (tx) => {
      const now = clock.now()
      await insertSession(tx, { tokenDigest, keyMark: 'key', createdAt: now, lastUsedAt: now })
      await recordFailure(tx, [networkSubject(tokenDigest)], now)
    })
  await begin('old')
  clock.advance(HOUR)
  await begin('young')
  clock.advance(23 * HOUR)
  expect(await sweep()).toBe(0)
  clock.advance(1)
  expect(await sweep()).toBe(2)
  expect(await sweep()).toBe(0)
  expect(await database.read((reader) => findSession(reader, 'young'))).toBeDefined()
})
