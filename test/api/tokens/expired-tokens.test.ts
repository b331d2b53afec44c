import { afterAll, beforeAll, expect, test } from 'vitest'
import { expiredTokenSweep } from '../../../src/areas/tokens/retention.ts'
import { openDatabase } from '../../../src/composition/adapters.ts'
import { migrateDatabase } from '../../../src/composition/migrations.ts'
import { digest } from '../../../src/platform/auth/digest.ts'
import { loadToken, storeToken } from '../../../src/platform/auth/token-store.ts'
import { ManualClock } from '../../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { testDatabaseUrl, testDialect } from '../../support/databases.ts'

const clock = new ManualClock('2026-06-01T12:00:00Z')
let database: Database
const sweep = () => expiredTokenSweep.sweep({ database, clock }, new AbortController().signal)

beforeAll(async () => {
  const address = await testDatabaseUrl()
  database = await openDatabase(
    testDialect === 'postgres' ? { kind: 'postgres', url: address, poolSize: 5 } : { kind: 'sqlite', path: address },
  )
  await migrateDatabase(database, clock)
})
afterAll(() => database.close())

test('tokens are deleted one day after they expire, however many there are', async () => {
  const caller = { kind: 'grantless', applicationId: 'app', scopes: ['x'] } as const
  await database.transact(async (tx) => {
    for (let index = 0; index < 2500; index++) {
      await storeToken(tx, digest(`old ${index}`), { caller, expiresAt: new Date('2026-06-01T13:00:00Z') })
    }
    await storeToken(tx, digest('young'), { caller, expiresAt: new Date('2026-06-02T13:00:00Z') })
  })

  clock.advance(25 * 60 * 60 * 1000)
  expect(await sweep()).toBe(0)
  clock.advance(1)
  expect(await sweep()).toBe(2500)
  expect(await sweep()).toBe(0)
  expect(await database.read((reader) => loadToken(reader, digest('young')))).toBeDefined()
})
