import { expect, test, vi } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SqliteDatabase } from '../../platform/database/sqlite-database.ts'
import { StoredClock } from './stored-clock.ts'

const start = new Date('2026-06-01T12:00:00Z')

test('a move that could not be stored is stored with the next one', async () => {
  const database = new SqliteDatabase(':memory:')
  const open = (clock: ManualClock) =>
    new StoredClock({ clock, database, extendTokens: async () => {}, tokensExtended: () => {} })
  const clock = new ManualClock(start)
  await migrate(database, migrations, clock)
  const transact = vi.spyOn(database, 'transact').mockRejectedValueOnce(new Error('The connection was lost'))
  open(clock).follow()
  clock.advance(1_000)
  await vi.waitFor(() => expect(transact.mock.results[0]?.type).toBe('return'))
  await Promise.allSettled(transact.mock.results.map(({ value }) => value))
  clock.advance(1_000)
  await vi.waitFor(() => expect(transact).toHaveBeenCalledTimes(2))
  await transact.mock.results[1]?.value
  const restarted = new ManualClock(start)
  await open(restarted).restore()
  expect(restarted.offsetMilliseconds).toBe(2_000)
  await database.close()
})
