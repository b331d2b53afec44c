import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import type { Expander } from '../../src/platform/outbox/expander.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { append } from '../support/relay.ts'
import { addApplications, addSubscribedSellers } from '../support/subscribers.ts'

const WORKERS = 8
// Enough that each of the 16 shards has some.
const SELLERS = 300

describe('workers on PostgreSQL', () => {
  let database: PostgresDatabase
  let sellers: string[]
  beforeEach(async () => {
    database = new PostgresDatabase({ url: await createPostgresDatabase('schema'), poolSize: WORKERS + 2 })
    await addApplications(database, ['app'])
    const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:queue' } as const
    const createdAt = new Date(Date.now() - 60_000)
    sellers = await addSubscribedSellers(database, 'app', { type: 'CHANGE', count: SELLERS, createdAt, target })
  })
  afterEach(() => database.close())

  test('eight of them fan out events at the same time', async () => {
    const events = sellers.map((sellerId) => ({ sellerId, type: 'CHANGE', occurredAt: new Date(), payload: {} }))
    await append(database, events)
    const allHaveClaimed = Promise.withResolvers<void>()
    const rounds: Promise<number>[] = []
    let working = 0
    for (let worker = 0; worker < WORKERS; worker++) {
      const hasBegun = Promise.withResolvers<boolean>()
      // Keeps what its worker has claimed until all have tried.
      const held: Expander = {
        produces: ['CHANGE'],
        subjectOf: ({ eventId }) => eventId,
        laneOf: ({ eventId }) => eventId,
        async begin() {
          hasBegun.resolve(true)
          await allHaveClaimed.promise
          return undefined
        },
        page: async () => ({ notifications: [] }),
      }
      const round = fanOut(held)
      rounds.push(round)
      if (await Promise.race([hasBegun.promise, round.then(() => false)])) working++
    }
    allHaveClaimed.resolve()
    await Promise.all(rounds)
    expect(working).toBe(WORKERS)
  })

  function fanOut(expander: Expander): Promise<number> {
    const run = createFanOut({
      database,
      clock: new SystemClock(),
      ids: new RandomIds(),
      logger: pino({ enabled: false }),
      leaseSeconds: 30,
      expanders: { CHANGE: expander },
    })
    return run(new AbortController().signal, async () => {})
  }
})
