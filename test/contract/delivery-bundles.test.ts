import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNotificationGauges } from '../../src/areas/notifications/gauges.ts'
import { APPLICATIONS, type BundledChanges, LEASE_SECONDS, openBundledChanges } from '../support/bundled-changes.ts'
import { intercept } from '../support/jobs.ts'

const PAST_ANY_BACKOFF = 10 * 60_000
// More notifications of each application than are stored one by one in a transaction.
const MANY = Array.from({ length: 250 }, (_, change) => change)

const refuse = () => Promise.reject(new Error('The queue is broken'))

describe('notifications that a worker on PostgreSQL has not sent yet', () => {
  let changes: BundledChanges
  beforeEach(async () => {
    changes = await openBundledChanges()
  })
  afterEach(() => changes.close())

  test('are sent by another worker after a crash, whole and in order', async () => {
    const { store, appendChanges, work, received, toEach, count } = changes
    await store([1, 2, 3])
    await appendChanges([4])
    const sent = await work()
    for (const application of APPLICATIONS) expect(received(sent, application)).toEqual(toEach([1, 2, 3, 4]))
    expect(await count('delivery_bundles')).toBe(0)
  })

  test('are not sent to a subscription that was deleted meanwhile', async () => {
    const { store, execute, work, received, toEach } = changes
    await store([1])
    await execute("delete from subscriptions where application_id = 'one'")
    const sent = await work()
    expect(received(sent, 'one')).toEqual(toEach([]))
    expect(received(sent, 'two')).toEqual(toEach([1]))
  })

  test('are stored one by one after a failure, until the destination accepts them', async () => {
    const { store, work, count, received, toEach, clock } = changes
    await store([1, 2])
    await work({ accept: refuse })
    expect(await count('delivery_bundles')).toBe(0)
    expect(await count('deliveries where attempts > 0')).toBeGreaterThan(0)
    expect(await count('deliveries')).toBe(toEach([1, 2]).flat().length * APPLICATIONS.length)
    clock.advance(PAST_ANY_BACKOFF)
    const sent = await work()
    for (const application of APPLICATIONS) expect(received(sent, application)).toEqual(toEach([1, 2]))
  })

  test('are stored one by one after a failure, also if a subscription is being deleted', async () => {
    const { store, work, begin, waitForLock, count, toEach } = changes
    await store([1])
    const commit = await begin("delete from subscriptions where seller_id = 'one000000'")
    const deleted = waitForLock().then(commit)
    await work({ accept: refuse })
    await deleted
    expect(await count('delivery_bundles')).toBe(0)
    expect(await count('deliveries')).toBe(toEach([1]).flat().length * APPLICATIONS.length - 1)
  })

  test('are sent by one worker only, also if it takes long to store them one by one', async () => {
    const { database, store, work, count, execute, clock } = changes
    await store(MANY)
    await execute("delete from delivery_turns where application_id = 'two'")
    await execute('update delivery_turns set failures = 1')
    const slow = intercept(database, 'transact', (transaction) => {
      clock.advance((LEASE_SECONDS * 1_000) / 2)
      return transaction()
    })
    const leases: (number | undefined)[] = []
    await work({
      database: slow,
      accept: async () => leases.push(await count(`delivery_turns where due_at > '${clock.now().toISOString()}'`)),
    })
    expect(Math.min(...leases.map((valid) => valid ?? 0))).toBeGreaterThan(0)
  })

  test('are counted, with how long they have waited', async () => {
    const { database, store, clock, toEach } = changes
    await store([1])
    clock.advance(60_000)
    const measured = async (name: string) => {
      const gauge = createNotificationGauges({ database, clock }).find((one) => one.name === name)
      return (await gauge?.read())?.[0]?.value
    }
    expect(await measured('souk_deliveries_pending')).toBe(toEach([1]).flat().length * APPLICATIONS.length)
    expect(await measured('souk_deliveries_delay_seconds')).toBe(60)
  })
})
