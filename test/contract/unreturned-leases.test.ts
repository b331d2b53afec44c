import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { scheduleDestinations } from '../../src/areas/notifications/delivery/destination-lease-store.ts'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { Relay } from '../../src/areas/notifications/relay.ts'
import { Sealer } from '../../src/platform/auth/sealer.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { AWS_LIMIT, type Messenger } from '../../src/platform/messaging/port.ts'
import type { Expander } from '../../src/platform/outbox/expander.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { insertDestination, insertPendingDeliveries } from '../support/destination-rows.ts'
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

describe.each(Object.entries(kindsOnDisk))('after an outage of %s, long before a lease ends', (kind, open) => {
  let workshop: JobFixture
  let database: Database
  beforeEach(async () => {
    workshop = await createJobFixture(open)
    database = workshop.database
  })
  afterEach(() => workshop.close())

  /** After each failure, the clock moves on by what a worker waits before it tries again. */
  function withOutage({ transactions, isCommitted }: Outage, { pause = SECOND, meanwhile = async () => {} } = {}) {
    let count = 0
    return intercept(database, 'transact', async (work) => {
      if (!transactions.includes(++count)) return work()
      if (isCommitted) await work()
      await meanwhile()
      setImmediate(() => workshop.clock.advance(pause))
      return refused()
    })
  }

  /** Begins to send to `queue`, and to whatever is due later. */
  async function startRelay(faulty: Database): Promise<{ relay: Relay; sent: string[] }> {
    const { clock, ids } = workshop
    await addDestination('queue')
    const sent: string[] = []
    const messenger: Messenger = {
      limitOf: () => AWS_LIMIT,
      async send(target) {
        sent.push(target.kind === 'sqs' ? target.arn : '')
        return []
      },
      close() {},
    }
    const limits = { leaseSeconds: LEASE_SECONDS, maxPending: 1_000, sentKept: 0 }
    const relay = new Relay({ database: faulty, clock, ids, logger, messenger, sealer, expanders: {}, ...limits })
    onTestFinished(() => relay.stop())
    return { relay, sent }
  }

  const addDestination = (id: string) =>
    insertDestination(database, { applicationId: id, destinationId: id, dueAt: workshop.clock.now(), deliveries: 1 })

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
    const { relay, sent } = await startRelay(withOutage(outage))
    // Again if that was not recorded.
    const times = outage.isCommitted ? 1 : 2
    await waitFor(
      () => sent.length,
      (count) => count === times,
    )
    await relay.idle()
    expect(sent).toHaveLength(times)
  })

  test('a destination whose results cannot be recorded is sent to again once, and then after a pause', async () => {
    // Between them are the transactions that return the destination and claim it again.
    const records = [2, 5, 8, 11, 14]
    const { relay, sent } = await startRelay(withOutage({ transactions: records, isCommitted: false }, { pause: 0 }))
    await waitFor(
      () => sent.length,
      (count) => count > 1,
    )
    await relay.idle()
    expect(sent).toHaveLength(2)
  })

  test('a destination whose results cannot be recorded is not sent to sooner because of new notifications', async () => {
    const records = [2, 5, 8, 11, 14]
    const { relay, sent } = await startRelay(withOutage({ transactions: records, isCommitted: false }, { pause: 0 }))
    await waitFor(
      () => sent.length,
      (count) => count > 1,
    )
    await relay.idle()
    const key = { applicationId: 'queue', destinationId: 'queue', dueAt: workshop.clock.now() }
    await insertPendingDeliveries(database, key, 1)
    await database.transact((tx) => scheduleDestinations(tx, [key]))
    await relay.idle()
    expect(sent).toHaveLength(2)
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

  describe.runIf(kind === 'PostgreSQL')('what another transaction has locked', () => {
    /** Locks the rows of a table. Returns what unlocks them. */
    async function lock(table: string): Promise<() => Promise<void>> {
      const locked = Promise.withResolvers<void>()
      const over = Promise.withResolvers<void>()
      const transaction = database.transactSchema(async (tx) => {
        await tx.execute(`update ${table} set lease = lease`)
        locked.resolve()
        await over.promise
      })
      const unlock = () => {
        over.resolve()
        return transaction
      }
      onTestFinished(unlock)
      await locked.promise
      return unlock
    }

    test('keeps no other job waiting, and is returned later', async () => {
      let unlock = async () => {}
      const meanwhile = async () => {
        unlock = await lock('jobs')
        await workshop.enqueue({ kind: 'note', payload: { name: 'other' } })
      }
      await workshop.enqueue({ kind: 'note', payload: { name: 'locked' } })
      const faulty = withOutage(UNCONFIRMED_CLAIM, { meanwhile })
      workshop.startRunner({ note: recordName }, { database: faulty })
      expect(await waitFor(workshop.effects, ({ length }) => length > 0)).toEqual(['other'])
      await unlock()
      workshop.clock.advance(SECOND)
      expect(await waitFor(workshop.effects, ({ length }) => length > 1)).toEqual(['other', 'locked'])
    })

    test('keeps no other destination waiting, and is returned later', async () => {
      let unlock = async () => {}
      const meanwhile = async () => {
        unlock = await lock('delivery_turns')
        await addDestination('other')
      }
      const { sent } = await startRelay(withOutage(UNCONFIRMED_CLAIM, { meanwhile }))
      const waitForSent = (count: number) =>
        waitFor(
          () => sent,
          ({ length }) => length === count,
        )
      expect(await waitForSent(1)).toEqual(['other'])
      await unlock()
      workshop.clock.advance(SECOND)
      expect(await waitForSent(2)).toEqual(['other', 'queue'])
    })
  })
})
