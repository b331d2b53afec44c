import { describe, expect, test } from 'vitest'
import { credentialDue } from '../../src/areas/applications/due.ts'
import { notificationDue } from '../../src/areas/notifications/due.ts'
import { createSolicitationDue } from '../../src/areas/solicitations/due.ts'
import { tokenDue } from '../../src/areas/tokens/due.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { queueDue } from '../../src/dev/queue/due.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Reader } from '../../src/platform/database/port.ts'
import type { PreparedQuery } from '../../src/platform/database/query.ts'
import { openInMemory } from '../../src/platform/database/sqlite-copy.ts'
import { SqliteDatabase } from '../../src/platform/database/sqlite-database.ts'
import { createDueJobs } from '../../src/platform/jobs/due.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { createJobFixture } from '../support/jobs.ts'

const sources = [
  createDueJobs('held'),
  ...tokenDue,
  ...credentialDue,
  ...notificationDue,
  ...createSolicitationDue({ opensAfterDays: 5, closesAfterDays: 30 }),
]

test('what is due next is read from an index in the order of time, however much there is', async () => {
  const database = new SqliteDatabase(':memory:')
  await migrateDatabase(database, new ManualClock('2026-06-01T12:00:00Z'))
  const sqlite = openInMemory(Buffer.from(await database.image()))
  const plans: string[] = []
  const reader = {
    async all(query: PreparedQuery<object, object>, params: object) {
      const { sql, bind } = query.statement('sqlite', params)
      const steps = sqlite.prepare(`explain query plan ${sql}`).all(...bind(params)) as { detail: string }[]
      plans.push(steps.map(({ detail }) => detail).join('; '))
      return []
    },
  } as unknown as Reader
  for (const source of sources) await source.find(reader, new Date(0), 1)
  expect(plans).toHaveLength(sources.length)
  expect(plans.filter((plan) => !/^SEARCH \w+ USING (COVERING )?INDEX/.test(plan) || /TEMP B-TREE/.test(plan))).toEqual(
    [],
  )
  // There are few queues, and each has an index of its messages.
  await queueDue.find(reader, new Date(0), 1)
  expect(plans.at(-1)).toMatch(/SEARCH queue_messages USING COVERING INDEX queue_messages_by_visibility/)
  sqlite.close()
  await database.close()
})

describe.each(Object.entries(kindsOnDisk))('jobs on %s', (_kind, open) => {
  test.each(['{', 'null', '"text"', '[1]'])('are listed if one has the payload %s', async (payload) => {
    const workshop = await createJobFixture(open)
    const { database, clock } = workshop
    const after = clock.now()
    clock.advance(1000)
    await workshop.enqueue({ kind: 'damaged' })
    await database.transactSchema((tx) => tx.execute(`update jobs set payload = '${payload}'`))
    await workshop.enqueue({ kind: 'intact', payload: { name: 'one' } })
    const due = await database.read((reader) => createDueJobs('held').find(reader, after, 10))
    expect(due.map(({ description }) => description).sort()).toEqual([
      'The job damaged runs',
      'The job intact runs, with name one',
    ])
    await workshop.close()
  })
})
