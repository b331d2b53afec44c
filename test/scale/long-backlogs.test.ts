import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createSubscriptionOperations } from '../../src/areas/notifications/subscriptions/subscription-operations.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { upsertMany } from '../../src/platform/database/upsert.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { US } from '../support/listings.ts'
import { addPendingDeliveries, addSubscribedSellers, type SubscriptionKeys } from '../support/subscribers.ts'
import { databases, expectShortWaits, type Marketplace, p99OfWork, writeUntil } from './marketplaces.ts'
import { startMeasured } from './measured-process.ts'
import type { TransactionFigures } from './watched-transactions.ts'

const APPLICATION = 'the-application'
const TYPE = 'ORDER_CHANGE'
const BACKLOG = 30_000
const MAX_DELETED = 500
const PROCESS = fileURLToPath(new URL('./deletion-process.ts', import.meta.url))
const HEAP_MEGABYTES = 64
const QUEUE = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:away' } as const
// Of the time that the deletion takes. One transaction would make others wait for all of it, on any machine. A slow
// disk alone took a quarter.
const MAX_SHARE = 1 / 2

const db = queryBuilder<{
  deliveries: { subscription_id: string }
  subscriptions: SubscriptionKeys
  marketplaces: { marketplace_id: string; name: string }
}>()

/** An application subscribed to two sellers, with an unavailable queue. The first seller has a long backlog. */
async function openBacklog(open: () => Promise<Marketplace>) {
  const marketplace = await open()
  const { database } = marketplace
  await migrateDatabase(database, new SystemClock())
  await database.transact(async (tx) => {
    const marketplace = { marketplace_id: US, name: 'Amazon.com', country_code: 'US', domain_name: 'www.amazon.com' }
    const settings = { currency_code: 'USD', language_code: 'en_US' }
    await upsertMany(tx, 'marketplaces', ['marketplace_id'], [{ ...marketplace, ...settings }])
    const application = { application_id: APPLICATION, name: 'An application', client_id: 'a', signing_key_id: 'k' }
    await upsertMany(tx, 'applications', ['application_id'], [{ ...application, client_secret_digest: '' }])
  })
  const now = new Date()
  await addSubscribedSellers(database, APPLICATION, { type: TYPE, count: 2, createdAt: now, target: QUEUE })
  const [busy, quiet] = await database.read((reader) =>
    reader.all(db.selectFrom('subscriptions').selectAll().orderBy('seller_id')),
  )
  if (!busy || !quiet) throw new Error('There are no subscriptions')
  await addPendingDeliveries(database, { subscription: busy, count: BACKLOG, now })
  const dependencies = { database, clock: new SystemClock(), ids: new SequentialIds(), wakeWorker: () => {} }
  return { marketplace, database, busy, quiet, subscriptions: createSubscriptionOperations(dependencies) }
}

/** Repeats a small write until the work is done. Returns the longest wait, and how long the work took. */
async function watchWaits(database: Database, work: Promise<unknown>) {
  const startedAt = performance.now()
  let longest = 0
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const rename = db.updateTable('marketplaces').set({ name: 'Another' }).where('marketplace_id', '=', US)
  while (!isDone) {
    const before = performance.now()
    await database.transact((tx) => tx.run(rename))
    longest = Math.max(longest, performance.now() - before)
    await sleep(2)
  }
  await done
  return { longest, total: performance.now() - startedAt }
}

const caller = (sellerId: string) => ({ kind: 'seller', applicationId: APPLICATION, sellerId }) as const

describe.each(Object.entries(databases))('an application with 30,000 pending notifications, on %s,', (_kind, open) => {
  test('deletes another subscription immediately, and this one without blocking others', async () => {
    const { database, busy, quiet, subscriptions } = await openBacklog(open)
    const before = performance.now()
    await subscriptions.deleteSubscriptionById(caller(quiet.seller_id), TYPE, quiet.subscription_id)
    const ofAnother = performance.now() - before
    const ending = subscriptions.deleteSubscriptionById(caller(busy.seller_id), TYPE, busy.subscription_id)
    const { longest, total } = await watchWaits(database, ending)
    expect(ofAnother).toBeLessThan(total * MAX_SHARE)
    expect(longest).toBeLessThan(total * MAX_SHARE)
    const left = db.selectFrom('deliveries').select(sql<number>`count(*)`.as('count'))
    expect(await database.read((reader) => reader.first(left))).toEqual({ count: 0 })
    await database.close()
  })

  test('deletes it while processes beside it wait for a few milliseconds of it', async () => {
    const { marketplace, database, busy } = await openBacklog(open)
    const { kind, location } = marketplace
    const args = [kind, location, APPLICATION, busy.seller_id, TYPE, busy.subscription_id]
    const deletion = startMeasured<TransactionFigures>(PROCESS, args, HEAP_MEGABYTES)
    await deletion.started
    let isOver = false
    const over = deletion.ended.finally(() => {
      isOver = true
    })
    over.catch(() => {})
    const waits = await writeUntil(database, () => isOver)
    const { transactions, mostRows } = await deletion.ended
    const figures = { p99OfWork: p99OfWork(waits, transactions) }
    console.log(`${waits.length} writes beside a deletion on ${kind}: ${JSON.stringify(figures)}`)
    expect(transactions.length).toBeGreaterThan(BACKLOG / MAX_DELETED)
    expect(mostRows).toBeLessThanOrEqual(MAX_DELETED)
    if (kind === 'sqlite') expectShortWaits(figures)
    await database.close()
  })
})
