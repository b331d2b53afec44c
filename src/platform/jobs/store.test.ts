import { expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { ManualClock } from '../clock/manual-clock.ts'
import { migrate } from '../database/migrate.ts'
import type { Transaction } from '../database/port.ts'
import { compile, type Query } from '../database/query.ts'
import { openInMemory } from '../database/sqlite-copy.ts'
import { SqliteDatabase } from '../database/sqlite-database.ts'
import { listQueued } from './job-list.ts'
import { expeditePostponed, findUnknownKinds, releaseAllJobs } from './store.ts'

const now = new Date('2026-06-01T12:00:00Z')

test('what a worker does about all jobs when it starts does not read those that wait', async () => {
  const database = new SqliteDatabase(':memory:')
  await migrate(database, migrations, new ManualClock(now.toISOString()))
  const sqlite = openInMemory(Buffer.from(await database.image()))
  const plans: string[] = []
  const explain = async (query: Query<unknown>) => {
    const { sql, values } = compile(query, 'sqlite')
    const steps = sqlite.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
    plans.push(...steps.map(({ detail }) => detail).filter((detail) => detail.includes(' jobs')))
    return []
  }
  const tx = { all: explain, run: explain } as unknown as Transaction
  await releaseAllJobs(tx, now)
  await listQueued(tx, { isRunning: true, limit: 10 })
  await expeditePostponed(tx, 'held', now)
  await findUnknownKinds(tx, ['known'], now)
  expect(plans).toEqual([
    'SCAN jobs USING INDEX jobs_running',
    'SCAN jobs USING INDEX jobs_running',
    'SCAN jobs USING INDEX jobs_running',
    'SCAN jobs USING INDEX jobs_with_error',
    'SEARCH jobs USING INDEX jobs_by_time (run_at<?)',
  ])
  sqlite.close()
  await database.close()
})
