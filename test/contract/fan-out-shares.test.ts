import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { lanesToQueueIn, lockLanes } from '../../src/areas/notifications/fan-out/lanes.ts'
import { claimFanOut, leaseNameOf, releaseFanOut } from '../../src/areas/notifications/fan-out/lease.ts'
import { READ_COMMITTED } from '../../src/areas/notifications/fan-out/run.ts'
import {
  type FanOut,
  failFanOut,
  findDueFanOuts,
  findFanOut,
  findShardsWithFanOuts,
  insertFanOuts,
  removeFanOut,
} from '../../src/areas/notifications/fan-out/store.ts'
import type { NotificationTables } from '../../src/areas/notifications/tables.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import type { Database, Reader, Transaction, TransactionOptions } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { type PreparedQuery, queryBuilder } from '../../src/platform/database/query.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { EventPayload } from '../../src/platform/outbox/event-payload.ts'
import type { Expander, InternalEvent } from '../../src/platform/outbox/expander.ts'
import { waitForBlocked } from '../support/blocked-connections.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { countRowsRead } from '../support/query-plans.ts'
import { append, expanders } from '../support/relay.ts'
import { addApplications, addSubscribedSellers, productTypesChange } from '../support/subscribers.ts'
import { waitFor } from '../support/wait-for.ts'

const WORKERS = 8
const FAN_OUTS = 5_000
// Enough that each of the 16 shards has some.
const SELLERS = 300

type Ending = (tx: Transaction) => Promise<unknown>

const [current, queued] = (['PENDING', 'QUEUED'] as const).map((state, number): FanOut => {
  const event = { eventId: `event ${number}`, sellerId: 'A1', type: 'CHANGE', occurredAt: new Date() }
  return { ...event, payload: EventPayload.ofText('{}'), state, lane: 'lane', dueAt: new Date(), attempts: 0 }
}) as [FanOut, FanOut]

const dependencies = {
  clock: new SystemClock(),
  ids: new RandomIds(),
  logger: pino({ enabled: false }),
  leaseSeconds: 30,
}

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

  test('wait for each other, and do not deadlock, if they claim the same shards in different orders', async () => {
    const names = ['0', '1'].map(leaseNameOf)
    const now = new Date()
    const times = { now, endsAt: new Date(now.getTime() + 10_000) }
    let retries = 0
    const options = { ...READ_COMMITTED, onRetry: () => void retries++ }
    const claim = (some: readonly string[], lease: string) =>
      database.transact((tx) => claimFanOut(tx, some, { lease, ...times }), options)
    await claim(names, 'earlier')
    await database.transact((tx) => releaseFanOut(tx, { lease: 'earlier', names }))
    const [client, observer] = [await connect(), await connect()]
    await client.query('begin')
    await client.query('select from fan_out_leases where name = $1 for update', [names[1]])
    const backwards = claim(names.toReversed(), 'backwards')
    await waitForBlocked(observer)
    const forwards = claim(names, 'forwards')
    await waitForBlocked(observer, (count) => count === 2)
    await client.query('commit')
    expect((await Promise.all([backwards, forwards])).flat().sort()).toEqual(names)
    expect(retries).toBe(0)
  })

  test('write each step of an event for many sellers once, also while its destination is sent to', async () => {
    const type = 'PRODUCT_TYPE_DEFINITIONS_CHANGE'
    const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:queue' } as const
    const createdAt = new Date(Date.now() - 60_000)
    await addSubscribedSellers(database, 'app', { type, count: SELLERS, createdAt, target })
    await append(database, [productTypesChange('2')])
    const client = await connect()
    await client.query(`insert into delivery_turns select application_id, destination_id, '2026', 'lease', 0, null
      from destinations`)
    let retries = 0
    const busy = withEachTransaction(database, {
      began: () => client.query('update delivery_turns set due_at = due_at'),
      onRetry: () => retries++,
    })
    const round = createFanOut({ ...dependencies, database: busy, expanders })
    await waitFor(
      () => round(new AbortController().signal, async () => {}),
      (milliseconds) => milliseconds > 0,
    )
    const written = await client.query('select sum(size) as sum from delivery_bundles')
    expect(Number(written.rows[0]?.sum)).toBe(SELLERS)
    expect(retries).toBe(0)
  })

  test.each<[string, Ending]>([
    ['ends', (tx) => removeFanOut(tx, current)],
    ['fails', (tx) => failFanOut(tx, current, { state: 'PENDING', attempts: 1, dueAt: new Date(), error: 'failed' })],
  ])('continue with an event that is queued while the one before it %s', async (_what, end) => {
    await database.transact((tx) => insertFanOuts(tx, [current]), READ_COMMITTED)
    const [hasEnded, isQueueing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ending = database.transact(async (tx) => {
      await end(tx)
      hasEnded.resolve()
      await isQueueing.promise
    }, READ_COMMITTED)
    await hasEnded.promise
    const queueing = database.transact(async (tx) => {
      await lockLanes(tx, lanesToQueueIn([queued]))
      await insertFanOuts(tx, [queued])
    }, READ_COMMITTED)
    await waitForBlocked(await connect())
    isQueueing.resolve()
    await Promise.all([ending, queueing])
    const stored = await database.read((reader) => findFanOut(reader, queued.eventId))
    expect(stored?.state).toBe('PENDING')
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

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  function fanOut(expander: Expander): Promise<number> {
    const run = createFanOut({ ...dependencies, database, expanders: { CHANGE: expander } })
    return run(new AbortController().signal, async () => {})
  }
})

const ONE_TURN = queryBuilder<NotificationTables>().selectFrom('delivery_turns').select('due_at').limit(1)

interface Interruptions {
  /** Called when a transaction has read something. */
  began(): Promise<unknown>
  /** Called when it runs again. */
  onRetry(): void
}

function withEachTransaction(database: Database, { began, onRetry }: Interruptions): Database {
  return new Proxy(database, {
    get(target, name: keyof Database) {
      const value = target[name]
      if (name !== 'transact') return typeof value === 'function' ? value.bind(target) : value
      return (work: (tx: Transaction) => Promise<unknown>, options?: TransactionOptions) => {
        const interrupted = async (tx: Transaction) => {
          await tx.first(ONE_TURN)
          await began()
          return work(tx)
        }
        return target.transact(interrupted, { ...options, onRetry })
      }
    },
  })
}
