import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createDestinationOperations } from '../../src/areas/notifications/destinations/destination-operations.ts'
import { createSubscriptionOperations } from '../../src/areas/notifications/subscriptions/subscription-operations.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import type { GrantlessCaller } from '../../src/platform/auth/caller.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { afterFile } from '../support/after-file.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { intercept } from '../support/jobs.ts'
import { addApplications, addPendingDeliveries, addSubscribedSellers } from '../support/subscribers.ts'

const applicationId = 'the-application'
const caller: GrantlessCaller = { kind: 'grantless', applicationId, scopes: ['sellingpartnerapi::notifications'] }
const TYPE = 'ORDER_CHANGE'
const WAITING = 2_300
const MAX_PER_TRANSACTION = 500

const db = queryBuilder<{
  deliveries: { application_id: string }
  destinations: { destination_id: string }
  applications: { application_id: string; name: string }
}>()

describe.each(Object.entries(kindsOnDisk))('a destination with many test notifications, on %s,', (kind, open) => {
  async function openMarketplace() {
    const { database, discard } = await open({ hasSchema: true })
    afterFile(async () => {
      await database.close()
      discard()
    })
    const clock = new ManualClock('2026-06-01T12:00:00.000Z')
    await migrateDatabase(database, clock)
    await addApplications(database, [applicationId])
    const dependencies = { database, clock, ids: new SequentialIds(), wakeWorker() {}, prepareTarget: async () => {} }
    const resourceSpecification = { sqs: { arn: 'arn:aws:sqs:us-east-1:123456789012:away' } }
    const operations = createDestinationOperations(dependencies)
    const { destinationId } = await operations.createDestination(caller, { name: 'A queue', resourceSpecification })
    const subscription = { application_id: applicationId, destination_id: destinationId, notification_type: TYPE }
    await addPendingDeliveries(database, { subscription, count: WAITING, now: clock.now() })
    const countOf = async (table: 'deliveries' | 'destinations') => {
      const row = await database.read((reader) =>
        reader.first(db.selectFrom(table).select(sql<number>`count(*)`.as('count'))),
      )
      return row?.count ?? 0
    }
    /** Deletes the destination, and calls `afterStep` after each transaction. */
    const remove = (afterStep: () => Promise<unknown>) => {
      const watched: Database = intercept(database, 'transact', async (work) => {
        const result = await work()
        await afterStep()
        return result
      })
      return createDestinationOperations({ ...dependencies, database: watched }).deleteDestination(
        caller,
        destinationId,
      )
    }
    return { database, clock, dependencies, destinationId, countOf, remove }
  }

  test('is deleted in short transactions', async () => {
    const { countOf, remove } = await openMarketplace()
    const left = [await countOf('deliveries')]
    await remove(async () => left.push(await countOf('deliveries')))
    const deleted = left.slice(1).map((count, step) => (left[step] as number) - count)
    expect(Math.max(...deleted)).toBeLessThanOrEqual(MAX_PER_TRANSACTION)
    expect(await countOf('deliveries')).toBe(0)
    expect(await countOf('destinations')).toBe(0)
  })

  // On PostgreSQL others write at the same time.
  test.skipIf(kind === 'PostgreSQL')('lets others write after each transaction', async () => {
    const { database, remove } = await openMarketplace()
    const rename = db.updateTable('applications').set({ name: 'Another' }).where('application_id', '=', applicationId)
    const order: ('deleted' | 'renamed')[] = []
    let isOver = false
    const deletion = remove(async () => order.push('deleted')).finally(() => {
      isOver = true
    })
    while (!isOver) {
      // As requests come: by an event, not as the continuation of another one.
      await setImmediate()
      await database.transact((tx) => tx.run(rename))
      order.push('renamed')
    }
    await deletion
    expect(order.filter((who) => who === 'deleted').length).toBeGreaterThan(WAITING / MAX_PER_TRANSACTION)
    expect(order.join(' ')).not.toContain('deleted deleted')
  })

  test('is deleted by the next request, if a crash ends the first one', async () => {
    const { countOf, remove } = await openMarketplace()
    await expect(remove(() => Promise.reject(new Error('crashed')))).rejects.toThrow('crashed')
    expect(await countOf('deliveries')).toBeLessThan(WAITING)
    expect(await countOf('deliveries')).toBeGreaterThanOrEqual(WAITING - MAX_PER_TRANSACTION)
    expect(await countOf('destinations')).toBe(1)
    await remove(async () => {})
    expect(await countOf('deliveries')).toBe(0)
    expect(await countOf('destinations')).toBe(0)
  })

  test('stays, with what is left, if it gets a subscription meanwhile', async () => {
    const { database, clock, dependencies, destinationId, countOf, remove } = await openMarketplace()
    const [sellerId = ''] = await addSubscribedSellers(database, applicationId, {
      type: 'FEE_PROMOTION',
      count: 1,
      createdAt: clock.now(),
      target: { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:other' },
    })
    const { createSubscription } = createSubscriptionOperations(dependencies)
    let isSubscribed = false
    const deletion = remove(async () => {
      if (isSubscribed) return
      isSubscribed = true
      const seller = { kind: 'seller', applicationId, sellerId } as const
      const { subscriptionId } = await createSubscription(seller, TYPE, { payloadVersion: '1.0', destinationId })
      const keys = { application_id: applicationId, destination_id: destinationId, notification_type: TYPE }
      const subscription = { ...keys, seller_id: sellerId, subscription_id: subscriptionId }
      await addPendingDeliveries(database, { subscription: { ...subscription }, count: WAITING + 1, now: clock.now() })
    })
    await expect(deletion).rejects.toMatchObject({ details: 'Destination has subscriptions' })
    // Notifications of that subscription have the ids of the deleted ones, and one more.
    expect(await countOf('deliveries')).toBe(WAITING + 1)
    expect(await countOf('destinations')).toBe(2)
  })
})
