import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { Relay } from '../../src/areas/notifications/relay.ts'
import { Sealer } from '../../src/platform/auth/sealer.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { AWS_LIMIT, type Messenger } from '../../src/platform/messaging/port.ts'
import type { Expander } from '../../src/platform/outbox/expander.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { insertDestination } from '../support/destination-rows.ts'
import { createJobFixture, intercept, type JobFixture, LEASE_SECONDS, recordName, refused } from '../support/jobs.ts'
import { append } from '../support/relay.ts'
import { addApplications, addSubscribedSellers } from '../support/subscribers.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1000

const logger = await createLogger({ level: 'silent', pretty: false })
const sealer = new Sealer({ masterSecret: 'secret', fallbackSecrets: [] })

/** Which transactions of a worker fail, counted from 1, and whether they were committed all the same. */
interface Outage {
  transactions: readonly number[]
  isCommitted: boolean
}

const UNCONFIRMED_CLAIM: Outage = { transactions: [1], isCommitted: true }

describe.each(Object.entries(kindsOnDisk))('after an outage of %s, long before a lease ends', (_kind, open) => {
  let workshop: JobFixture
  let database: Database
  beforeEach(async () => {
    workshop = await createJobFixture(open)
    database = workshop.database
  })
  afterEach(() => workshop.close())

  /** After each failure, the clock moves on by what a worker waits before it tries again. */
  function withOutage({ transactions, isCommitted }: Outage): Database {
    let count = 0
    return intercept(database, 'transact', async (work) => {
      if (!transactions.includes(++count)) return work()
      if (isCommitted) await work()
      setImmediate(() => workshop.clock.advance(SECOND))
      return refused()
    })
  }

  test('a job whose claim was not confirmed is run, and has not crashed', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'done' } })
    workshop.startRunner({ note: recordName }, { database: withOutage(UNCONFIRMED_CLAIM) })
    const effects = await waitFor(workshop.effects, ({ length }) => length > 0)
    expect(effects).toEqual(['done'])
  })

  test.each([
    ['that was claimed without a confirmation', UNCONFIRMED_CLAIM],
    ['whose result could not be recorded', { transactions: [2], isCommitted: false }],
    ['that could not be returned at once', { transactions: [2, 3, 4], isCommitted: false }],
  ])('a destination %s is sent to', async (_state, outage) => {
    const { clock, ids } = workshop
    const key = { applicationId: 'shop', destinationId: 'queue' }
    await insertDestination(database, { ...key, dueAt: clock.now(), deliveries: 1 })
    const sent: string[] = []
    const messenger: Messenger = {
      limitOf: () => AWS_LIMIT,
      async send(_target, messages) {
        sent.push(...messages.map(({ id }) => id))
        return []
      },
      close() {},
    }
    const limits = { leaseSeconds: LEASE_SECONDS, maxPending: 1_000, sentKept: 0 }
    const ports = { database: withOutage(outage), clock, ids, logger, messenger, sealer }
    const relay = new Relay({ ...ports, expanders: {}, ...limits })
    // Again if that was not recorded.
    const times = outage.isCommitted ? 1 : 2
    await waitFor(
      () => sent.length,
      (count) => count === times,
    )
    await relay.idle()
    await relay.stop()
    expect(new Set(sent).size).toBe(1)
  })

  test.each([
    ['that was claimed without a confirmation', UNCONFIRMED_CLAIM],
    ['whose deliveries could not be stored', { transactions: [2, 3], isCommitted: false }],
  ])('an event %s reaches its subscribers', async (_state, outage) => {
    const { clock, ids } = workshop
    await addApplications(database, ['shop'])
    const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:queue' } as const
    const subscribers = { type: 'CHANGE', count: 1, createdAt: clock.now(), target }
    const [sellerId = ''] = await addSubscribedSellers(database, 'shop', subscribers)
    await append(database, [{ sellerId, type: 'CHANGE', occurredAt: clock.now(), payload: {} }])
    const reached: string[] = []
    const toItsSeller: Expander = {
      produces: ['CHANGE'],
      subjectOf: ({ eventId }) => eventId,
      laneOf: ({ eventId }) => eventId,
      begin: async (_reader, { eventId }) => ({ context: {}, effect: async () => void reached.push(eventId) }),
      page: async () => ({ notifications: [] }),
    }
    const expanders = { CHANGE: toItsSeller }
    const ports = { database: withOutage(outage), clock, ids, logger }
    const fanOut = createFanOut({ ...ports, leaseSeconds: LEASE_SECONDS, expanders })
    const round = () => fanOut(new AbortController().signal, async () => {})
    await expect(round()).rejects.toThrow('unavailable')
    expect(reached).toEqual([])
    await waitFor(round, (milliseconds) => milliseconds > 0)
    expect(reached).toHaveLength(1)
  })
})
