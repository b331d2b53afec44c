import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { createNotificationGauges } from '../../src/areas/notifications/gauges.ts'
import { Relay } from '../../src/areas/notifications/relay.ts'
import { Sealer } from '../../src/platform/auth/sealer.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { AWS_LIMIT, type Message, type Messenger } from '../../src/platform/messaging/port.ts'
import type { Expander } from '../../src/platform/outbox/expander.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { append } from '../support/relay.ts'
import { addApplications, addSubscribedSellers } from '../support/subscribers.ts'
import { waitFor } from '../support/wait-for.ts'

const TYPE = 'CHANGE'
const SELLERS = 3
const TEXT = 'What all of them receive. '.repeat(50)
const PAST_ANY_BACKOFF = 10 * 60_000
// Two applications, so that two destinations share the ends of payloads.
const APPLICATIONS = ['one', 'two']

const logger = await createLogger({ level: 'silent', pretty: false })
const sealer = new Sealer({ masterSecret: 'secret', fallbackSecrets: [] })

describe('notifications that a worker on PostgreSQL has not sent yet', () => {
  let database: PostgresDatabase
  let clock: ManualClock
  const sellers: string[] = []
  beforeEach(async () => {
    clock = new ManualClock('2026-06-01T12:00:00Z')
    sellers.length = 0
    database = new PostgresDatabase({ url: await createPostgresDatabase('schema'), poolSize: 10 })
    await addApplications(database, APPLICATIONS)
    const createdAt = new Date(clock.now().getTime() - 60_000)
    for (const application of APPLICATIONS) {
      const target = { kind: 'sqs', target: `arn:aws:sqs:us-east-1:123456789012:${application}` } as const
      const subscribers = { type: TYPE, count: SELLERS, createdAt, target, prefix: application }
      sellers.push(...(await addSubscribedSellers(database, application, subscribers)))
    }
  })
  afterEach(async () => {
    await database.close()
  })

  test('are sent by another worker after a crash, whole and in order', async () => {
    await store([1, 2, 3])
    await appendChanges([4])
    const sent = await work()
    for (const application of APPLICATIONS) expect(received(sent, application)).toEqual(toEach([1, 2, 3, 4]))
    expect(await count('delivery_bundles')).toBe(0)
  })

  test('are not sent to a subscription that was deleted meanwhile', async () => {
    await store([1])
    await execute("delete from subscriptions where application_id = 'one'")
    const sent = await work()
    expect(received(sent, 'one')).toEqual(toEach([]))
    expect(received(sent, 'two')).toEqual(toEach([1]))
  })

  test('keep their order if their destination fails before more are written', async () => {
    await store([1, 2])
    await execute("update delivery_turns set failures = 1 where application_id = 'one'")
    await store([3])
    const sent = await work()
    for (const application of APPLICATIONS) expect(received(sent, application)).toEqual(toEach([1, 2, 3]))
  })

  test('are stored one by one after a failure, until the destination accepts them', async () => {
    await store([1, 2])
    await work(false)
    expect(await count('delivery_bundles')).toBe(0)
    expect(await count('deliveries where attempts > 0')).toBeGreaterThan(0)
    expect(await count('deliveries')).toBe(2 * SELLERS * APPLICATIONS.length)
    clock.advance(PAST_ANY_BACKOFF)
    const sent = await work()
    for (const application of APPLICATIONS) expect(received(sent, application)).toEqual(toEach([1, 2]))
  })

  test('are counted, with how long they have waited', async () => {
    await store([1])
    clock.advance(60_000)
    expect(await measured('souk_deliveries_pending')).toBe(SELLERS * APPLICATIONS.length)
    expect(await measured('souk_deliveries_delay_seconds')).toBe(60)
  })

  /** Has a worker store notifications of the changes, and end before it sends any. */
  async function store(changes: readonly number[]): Promise<void> {
    await appendChanges(changes)
    const fanOut = createFanOut({ ...dependencies(), expanders: { PRODUCT: toAllSellers } })
    await waitFor(
      () => fanOut(new AbortController().signal, async () => {}),
      (milliseconds) => milliseconds > 0,
    )
  }

  /** Has a worker do all that is due, and returns what its queues received. */
  async function work(isAccepted = true): Promise<Message[]> {
    const received: Message[] = []
    const messenger: Messenger = {
      limitOf: () => AWS_LIMIT,
      async send(_target, messages) {
        if (!isAccepted) throw new Error('The queue is broken')
        received.push(...messages)
        return []
      },
      close() {},
    }
    const relay = new Relay({
      ...dependencies(),
      messenger,
      sealer,
      maxPending: 1_000,
      sentKept: 0,
      expanders: { PRODUCT: toAllSellers },
    })
    await relay.idle()
    await relay.stop()
    return received
  }

  const dependencies = () => ({ database, clock, ids: new RandomIds(), logger, leaseSeconds: 30 })

  /** Each concerns all sellers. */
  async function appendChanges(changes: readonly number[]): Promise<void> {
    for (const number of changes) {
      clock.advance(1)
      await append(database, [
        { sellerId: sellers[0] as string, type: 'PRODUCT', occurredAt: clock.now(), payload: { number } },
      ])
    }
  }

  /** Their notifications differ at the start only. */
  const toAllSellers: Expander = {
    produces: [TYPE],
    subjectOf: ({ eventId }) => eventId,
    laneOf: () => 'all',
    begin: async () => ({ context: {} }),
    page: async (_reader, { payload: { number } }) => ({
      notifications: sellers.map((sellerId) => {
        const rest = { number, text: TEXT }
        return {
          key: '',
          sellerId,
          type: TYPE,
          payload: { sellerId, ...rest },
          serialize: () => ({ start: `{"sellerId":"${sellerId}"`, end: `,${JSON.stringify(rest).slice(1)}` }),
        }
      }),
    }),
  }

  /** For each seller, the changes in the messages to the queue of the application, in order. */
  const received = (messages: readonly Message[], application: string) =>
    ofApplication(application).map((sellerId) =>
      messages
        .filter(({ origin }) => origin?.applicationId === application && origin.sellerId === sellerId)
        .map(({ body }) => JSON.parse(body).Payload)
        .map((payload) => {
          expect(payload).toEqual({ sellerId, number: payload.number, text: TEXT })
          return payload.number
        }),
    )

  const ofApplication = (application: string) => sellers.filter((sellerId) => sellerId.startsWith(application))

  const toEach = (changes: readonly number[]) => Array.from({ length: SELLERS }, () => [...changes])

  const execute = (statement: string) => database.transactSchema((tx) => tx.execute(statement))

  async function count(rows: string): Promise<number | undefined> {
    const query = sql<{ count: number }>`(select count(*) as count from ${sql.raw(rows)})`
    return (await database.read((reader) => reader.first(queryBuilder().selectFrom(query.as('counted')).selectAll())))
      ?.count
  }

  async function measured(name: string): Promise<number | undefined> {
    const gauge = createNotificationGauges({ database, clock }).find((one) => one.name === name)
    return (await gauge?.read())?.[0]?.value
  }
})
