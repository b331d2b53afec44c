import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createSubscriptionOperations } from '../../src/areas/notifications/subscriptions/subscription-operations.ts'
import { openDatabase } from '../../src/composition/adapters.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { upsertMany } from '../../src/platform/database/upsert.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { US } from '../support/listings.ts'
import { temporaryFolder } from '../support/souk-process.ts'
import { addSubscribedSellers } from '../support/subscribers.ts'

const APPLICATION = 'the-application'
const TYPE = 'ORDER_CHANGE'
const BACKLOG = 100_000
const ROWS_PER_INSERT = 1_000
const QUEUE = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:away' } as const
// Above the waits measured on a busy machine, and far below the seconds that one transaction would take.
const MAX_WAIT_MILLISECONDS = 500

const db = queryBuilder<{
  deliveries: { subscription_id: string }
  subscriptions: { subscription_id: string; seller_id: string; destination_id: string }
  marketplaces: { marketplace_id: string; name: string }
}>()

const kinds = {
  SQLite: () => openDatabase({ kind: 'sqlite', path: join(temporaryFolder(), 'souk.db') }),
  PostgreSQL: async () => openDatabase({ kind: 'postgres', url: await createPostgresDatabase('schema'), poolSize: 4 }),
}

/** An application subscribed to two sellers, with an unavailable queue. The first seller has a long backlog. */
async function openMarketplace(open: () => Promise<Database>) {
  const database = await open()
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
  const delivery = {
    application_id: APPLICATION,
    destination_id: busy.destination_id,
    seller_id: busy.seller_id,
    subscription_id: busy.subscription_id,
    notification_type: TYPE,
    payload_version: '1.0',
    state: 'PENDING',
    due_at: now.toISOString(),
    event_time: now.toISOString(),
    attempts: 0,
    payload: JSON.stringify({ text: 'x'.repeat(1_500) }),
  }
  for (let first = 0; first < BACKLOG; first += ROWS_PER_INSERT) {
    const rows = Array.from({ length: ROWS_PER_INSERT }, (_, index) => ({
      ...delivery,
      delivery_id: `d${first + index}`,
      event_id: `e${first + index}`,
    }))
    await database.transact((tx) =>
      upsertMany(tx, 'deliveries', ['application_id', 'destination_id', 'delivery_id'], rows),
    )
  }
  const dependencies = { database, clock: new SystemClock(), ids: new SequentialIds(), wakeWorker: () => {} }
  return { database, busy, quiet, subscriptions: createSubscriptionOperations(dependencies) }
}

/** Repeats a small write until the work is done. Returns the longest wait. */
async function longestWait(database: Database, work: Promise<unknown>): Promise<number> {
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
  return longest
}

const caller = (sellerId: string) => ({ kind: 'seller', applicationId: APPLICATION, sellerId }) as const

describe.each(Object.entries(kinds))('an application with 100,000 pending notifications, on %s,', (_kind, open) => {
  test('deletes another subscription immediately, and this one without blocking others', async () => {
    const { database, busy, quiet, subscriptions } = await openMarketplace(open)
    const before = performance.now()
    await subscriptions.deleteSubscriptionById(caller(quiet.seller_id), TYPE, quiet.subscription_id)
    expect(performance.now() - before).toBeLessThan(MAX_WAIT_MILLISECONDS)
    const ending = subscriptions.deleteSubscriptionById(caller(busy.seller_id), TYPE, busy.subscription_id)
    expect(await longestWait(database, ending)).toBeLessThan(MAX_WAIT_MILLISECONDS)
    const left = db.selectFrom('deliveries').select(sql<number>`count(*)`.as('count'))
    expect(await database.read((reader) => reader.first(left))).toEqual({ count: 0 })
    await database.close()
  })
})
