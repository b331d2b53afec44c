import { sql } from 'kysely'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { Relay } from '../../src/areas/notifications/relay.ts'
import { Sealer } from '../../src/platform/auth/sealer.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { AWS_LIMIT, type Message, type Messenger } from '../../src/platform/messaging/port.ts'
import type { Expander } from '../../src/platform/outbox/expander.ts'
import { SharedText } from '../../src/platform/shared-text.ts'
import { createPostgresDatabase } from './databases.ts'
import { append } from './relay.ts'
import { addApplications, addSubscribedSellers } from './subscribers.ts'
import { waitFor } from './wait-for.ts'

const TYPE = 'CHANGE'
const SELLERS = 3
const TEXT = 'What all of them receive. '.repeat(50)
const OFFER_CHANGE = { AnyOfferChangedNotification: { OfferChangeTrigger: { MarketplaceId: 'US', ASIN: 'B0' } } }
const WAITING_FOR_LOCKS = "pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
export const LEASE_SECONDS = 30
/** Two, so that two destinations share the ends of payloads. */
export const APPLICATIONS = ['one', 'two'] as const
type Application = (typeof APPLICATIONS)[number]

const logger = await createLogger({ level: 'silent', pretty: false })
const sealer = new Sealer({ masterSecret: 'secret', fallbackSecrets: [] })

export interface WorkOptions {
  /** Called before a queue accepts messages. Throws if it refuses them. */
  accept?: (messages: readonly Message[]) => Promise<unknown>
  database?: Database
}

export type BundledChanges = Awaited<ReturnType<typeof openBundledChanges>>

/** A marketplace on PostgreSQL, whose changes are notified to three sellers of each application. */
export async function openBundledChanges() {
  const clock = new ManualClock('2026-06-01T12:00:00Z')
  const database = new PostgresDatabase({ url: await createPostgresDatabase('schema'), poolSize: 10 })
  await addApplications(database, APPLICATIONS)
  const createdAt = new Date(clock.now().getTime() - 60_000)
  const sellers: string[] = []
  for (const application of APPLICATIONS) {
    const target = { kind: 'sqs', target: `arn:aws:sqs:us-east-1:123456789012:${application}` } as const
    const subscribers = { type: TYPE, count: SELLERS, createdAt, target, prefix: application }
    sellers.push(...(await addSubscribedSellers(database, application, subscribers)))
  }
  const dependencies = { database, clock, ids: new RandomIds(), logger, leaseSeconds: LEASE_SECONDS }

  const contentOf = (number: number) => ({ number, ...OFFER_CHANGE, text: TEXT })

  /** Their notifications differ at the start only. */
  const toAllSellers: Expander = {
    produces: [TYPE],
    subjectOf: ({ eventId }) => eventId,
    laneOf: () => 'all',
    begin: async () => ({ context: {} }),
    async page(_reader, { payload: { number } }) {
      const rest = contentOf(number as number)
      const end = SharedText.ofText(`,${JSON.stringify(rest).slice(1)}`)
      return {
        notifications: sellers.map((sellerId) => ({
          key: '',
          sellerId,
          type: TYPE,
          payload: { sellerId, ...rest },
          serialize: () => ({ start: `{"sellerId":"${sellerId}"`, end }),
        })),
      }
    },
  }
  const expanders = { PRODUCT: toAllSellers }

  /** Each concerns all sellers. */
  async function appendChanges(changes: readonly number[]): Promise<void> {
    for (const number of changes) {
      clock.advance(1)
      await append(database, [
        { sellerId: sellers[0] as string, type: 'PRODUCT', occurredAt: clock.now(), payload: { number } },
      ])
    }
  }

  async function count(rows: string): Promise<number | undefined> {
    const query = sql<{ count: number }>`(select count(*) as count from ${sql.raw(rows)})`
    const all = queryBuilder().selectFrom(query.as('counted')).selectAll()
    return (await database.read((reader) => reader.first(all)))?.count
  }

  return {
    database,
    clock,
    count,
    appendChanges,
    close: () => database.close(),

    /** Has a worker store notifications of the changes, and end before it sends any. */
    async store(changes: readonly number[]): Promise<void> {
      await appendChanges(changes)
      const fanOut = createFanOut({ ...dependencies, expanders })
      await waitFor(
        () => fanOut(new AbortController().signal, async () => {}),
        (milliseconds) => milliseconds > 0,
      )
    },

    /** Has a worker do all that is due, and returns what its queues received. */
    async work({ accept = async () => {}, ...options }: WorkOptions = {}): Promise<Message[]> {
      const received: Message[] = []
      const messenger: Messenger = {
        limitOf: () => AWS_LIMIT,
        async send(_target, messages) {
          await accept(messages)
          received.push(...messages)
          return []
        },
        close() {},
      }
      const limits = { maxPending: 1_000, sentKept: 0 }
      const relay = new Relay({ ...dependencies, ...options, ...limits, messenger, sealer, expanders })
      await relay.idle()
      await relay.stop()
      return received
    },

    /** For each seller of the application, the changes in the messages to its queue, in order. Throws if one is not whole. */
    received: (messages: readonly Message[], application: Application): number[][] =>
      sellers
        .filter((sellerId) => sellerId.startsWith(application))
        .map((sellerId) =>
          messages
            .filter(({ origin }) => origin?.applicationId === application && origin.sellerId === sellerId)
            .map(({ body }) => {
              const { Payload } = JSON.parse(body)
              const whole = JSON.stringify({ sellerId, ...contentOf(Payload.number) })
              if (JSON.stringify(Payload) !== whole) throw new Error(`Not whole: ${body}`)
              return Payload.number
            }),
        ),

    /** The same changes for each seller of an application. */
    toEach: (changes: readonly number[]) => Array.from({ length: SELLERS }, () => [...changes]),

    execute: (statement: string) => database.transactSchema((tx) => tx.execute(statement)),

    /** Runs a statement in a transaction of another process, which stays open. Returns what commits it. */
    async begin(statement: string): Promise<() => Promise<void>> {
      const begun = Promise.withResolvers<void>()
      const over = Promise.withResolvers<void>()
      const committed = database.transactSchema(async (tx) => {
        await tx.execute(statement)
        begun.resolve()
        await over.promise
      })
      await begun.promise
      return () => {
        over.resolve()
        return committed
      }
    },

    /** Resolves when a transaction waits for another one. */
    waitForLock: () =>
      waitFor(
        () => count(WAITING_FOR_LOCKS),
        (waiting) => waiting === 1,
      ),
  }
}
