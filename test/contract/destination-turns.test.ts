import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Relay } from '../../src/areas/notifications/relay.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { Sealer } from '../../src/platform/auth/sealer.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { AWS_LIMIT, type Messenger } from '../../src/platform/messaging/port.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { insertDestination, insertPendingDeliveries } from '../support/destination-rows.ts'

const SLOTS = 32
const FAILING_SLOTS = 8
// Many turns.
const BUSY_REQUESTS = 400
const REQUEST_MILLISECONDS = 200

const logger = await createLogger({ level: 'silent', pretty: false })
const sealer = new Sealer({ masterSecret: 'secret', fallbackSecrets: [] })

describe.each(Object.entries(kindsOnDisk))('destinations that always have more to send on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  let clock: ManualClock
  let requests: string[]
  beforeEach(async () => {
    clock = new ManualClock('2026-06-01T12:00:00Z')
    requests = []
    ;({ database, discard } = await open({ hasSchema: true }))
    await migrateDatabase(database, clock)
  })
  afterEach(async () => {
    await database.close()
    discard()
  })

  test('take turns with one that has one message', async () => {
    await addBusy(SLOTS, { failures: 0 })
    await addQuiet({ failures: 0 })
    await sendAll()
    expect(requests.slice(0, BUSY_REQUESTS / 2)).toContain('quiet')
  })

  test('take turns with one that failed last time', async () => {
    await addBusy(SLOTS + 1, { failures: 0 })
    await addQuiet({ failures: 1 })
    await sendAll()
    expect(requests.slice(0, BUSY_REQUESTS / 2)).toContain('quiet')
  })

  test('leave the slots of failing destinations as soon as they accept messages again', async () => {
    await addBusy(FAILING_SLOTS, { failures: 1 })
    await addQuiet({ failures: 1 })
    await sendAll()
    expect(requests.slice(0, BUSY_REQUESTS / 2)).toContain('quiet')
  })

  /** Destinations whose every message is followed by another one, until there were many requests. */
  async function addBusy(count: number, { failures }: { failures: number }): Promise<void> {
    for (let number = 1; number <= count; number++) await add(`busy-${number}`, { failures })
  }

  /** It is due after the others. */
  async function addQuiet({ failures }: { failures: number }): Promise<void> {
    clock.advance(1)
    await add('quiet', { failures })
  }

  const add = (name: string, { failures }: { failures: number }) =>
    insertDestination(database, { ...keyOf(name), dueAt: clock.now(), failures, deliveries: 1 })

  const keyOf = (name: string) => ({ applicationId: name, destinationId: name })

  async function sendAll(): Promise<void> {
    const messenger: Messenger = {
      limitOf: () => AWS_LIMIT,
      async send(target) {
        const name = target.kind === 'sqs' ? target.arn : ''
        requests.push(name)
        if (name !== 'quiet' && requests.length < BUSY_REQUESTS) {
          await insertPendingDeliveries(database, { ...keyOf(name), dueAt: clock.now() }, 1)
        }
        clock.advance(REQUEST_MILLISECONDS)
        return []
      },
      close() {},
    }
    const limits = { leaseSeconds: 60, maxPending: 1_000, sentKept: 0 }
    const relay = new Relay({
      database,
      clock,
      ids: new RandomIds(),
      logger,
      messenger,
      sealer,
      expanders: {},
      ...limits,
    })
    await relay.idle()
    await relay.stop()
  }
})
