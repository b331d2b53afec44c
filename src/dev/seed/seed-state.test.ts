import { afterAll, expect, test, vi } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SqliteDatabase } from '../../platform/database/sqlite-database.ts'
import { StoredClock } from '../clock/stored-clock.ts'
import { openSeed } from './open-seed.ts'
import type { SeedPorts } from './ports.ts'
import { createSeedState } from './seed-state.ts'

const systemTime = new Date('2030-01-01T00:00:00Z')
const database = new SqliteDatabase(':memory:')
afterAll(() => database.close())
const ports = {
  applications: { planWarnings: async () => {} },
  notifications: { write: async () => {} },
  prepareQueues: async () => {},
} as unknown as SeedPorts

async function start(time: string) {
  const clock = new ManualClock(systemTime)
  const storedClock = new StoredClock({ clock, database, extendTokens: async () => {}, tokensExtended: () => {} })
  const seed = await openSeed({ clock: { time } }, ports.rules, systemTime)
  const dependencies = { database, clock, storedClock, seedPorts: ports, seed, publicUrl: () => 'http://127.0.0.1' }
  return { clock, storedClock, seed, seeds: createSeedState(dependencies) }
}

/** The process ends after the first transaction of some work. Returns the time of the clock after a restart. */
async function endAfterCommit(work: () => Promise<unknown>): Promise<Date> {
  const commit = database.transact.bind(database)
  const transact = vi.spyOn(database, 'transact').mockImplementation(async (...transaction) => {
    if (transact.mock.calls.length > 1) throw new Error('The process ended')
    return commit(...transaction)
  })
  await work().catch(() => {})
  transact.mockRestore()
  const { clock, storedClock } = await start('2026-01-01T00:00:00Z')
  await storedClock.restore()
  return clock.now()
}

test('a stand-in that ends after it wrote a seed, or imported one, goes on at the time of that seed', async () => {
  await migrate(database, migrations, new ManualClock(systemTime))
  const first = await start('2026-03-10T09:00:00Z')
  expect(await endAfterCommit(() => first.seeds.ensure())).toEqual(new Date('2026-03-10T09:00:00Z'))
  const other = await start('2026-05-01T00:00:00Z')
  const complete = await other.seed.complete(systemTime)
  expect(await endAfterCommit(() => first.seeds.replace(complete))).toEqual(new Date('2026-05-01T00:00:00Z'))
  expect(first.clock.now()).toEqual(new Date('2026-05-01T00:00:00Z'))
})
