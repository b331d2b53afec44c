import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { findDueFanOuts, findShardsWithFanOuts } from '../../src/areas/notifications/fan-out/store.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import type { Reader } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import type { PreparedQuery } from '../../src/platform/database/query.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import type { Expander, InternalEvent } from '../../src/platform/outbox/expander.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { countRowsRead } from '../support/query-plans.ts'
import { append } from '../support/relay.ts'
import { addApplications, addSubscribedSellers } from '../support/subscribers.ts'

const WORKERS = 8
const FAN_OUTS = 5_000
// Enough that each of the 16 shards has some.
const SELLERS = 300

describe('workers on PostgreSQL', () => {
  let database: PostgresDatabase
  let sellers: string[]
  let url: string
  beforeEach(async () => {
    url = await createPostgresDatabase('schema')
    database = new PostgresDatabase({ url, poolSize: WORKERS + 2 })
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

  test('apply the effects of a step in one order, so that two of them do not deadlock', async () => {
    const [sellerId = ''] = sellers
    const lanes = ['C', 'A', 'B']
    await append(
      database,
      lanes.map((lane) => ({ sellerId, type: 'CHANGE', occurredAt: new Date(), payload: { lane } })),
    )
    const applied: string[] = []
    const laneOf = ({ payload }: InternalEvent) => (payload as { lane: string }).lane
    await fanOut({
      produces: ['CHANGE'],
      subjectOf: laneOf,
      laneOf,
      begin: async (_reader, event) => ({ context: {}, effect: async () => void applied.push(laneOf(event)) }),
      page: async () => ({ notifications: [] }),
    })
    expect(applied).toEqual(lanes.toSorted())
  })

  test('find the fan-outs of their shards without reading all that are due', async () => {
    await database.transactSchema(async (tx) => {
      await tx.execute(`insert into fan_outs (event_id, seller_id, event_type, occurred_at, state, due_at, attempts, payload)
        select n, 'A' || n % 500, 'CHANGE', '2026', 'PENDING', '2026-' || n, 0, repeat('x', 500)
        from generate_series(10000, ${10_000 + FAN_OUTS}) as n`)
      await tx.execute('analyze fan_outs')
    })
    const now = new Date('2027-01-01')
    const found = await database.read((reader) => findDueFanOuts(reader, now, 4, ['0', '7']))
    expect(found).toHaveLength(4)
    expect(await rowsRead((reader) => findDueFanOuts(reader, now, 4, ['0', '7']))).toBeLessThan(FAN_OUTS / 50)
    expect(await database.read((reader) => findShardsWithFanOuts(reader, now))).toEqual([...'0123456789abcdef'])
    expect(await rowsRead((reader) => findShardsWithFanOuts(reader, now))).toBeLessThan(FAN_OUTS / 50)
  })

  /** Counts the rows that the scans of a query return or filter out. */
  async function rowsRead(work: (reader: Reader) => Promise<unknown>): Promise<number> {
    const client = new Client({ connectionString: url })
    await client.connect()
    let rows = 0
    const reader = {
      async all(query: PreparedQuery<object, unknown>, params: object) {
        const { sql, bind } = query.statement('postgres', params)
        rows += await countRowsRead(client, 'fan_outs', { sql, values: bind(params) })
        return []
      },
    }
    await work(reader as unknown as Reader).finally(() => client.end())
    return rows
  }

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
