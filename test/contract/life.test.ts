import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/composition/adapters.ts'
import { SequentialIds } from '../../src/index.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { exportTrade } from '../support/life.ts'
import { notificationsClient, receive } from '../support/notifications.ts'
import { DAY } from '../support/seller-client.ts'
import { startTestSouk } from '../support/souk.ts'

const folder = mkdtempSync(join(tmpdir(), 'souk-life-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Everything that some days of life leave behind: rows, and notifications with their ids. */
async function liveOn(address: string) {
  const souk = await startTestSouk({ database: address, ids: new SequentialIds() })
  await notificationsClient(souk).listen('life', 'ORDER_CHANGE')
  souk.clock.advance(1000)
  const settings = {
    seed: 5,
    ordersPerDay: 120,
    deliveryDays: { min: 0.05, max: 0.1 },
    returnRate: 1,
    feedbackRate: 0.5,
  }
  await souk.life.start(settings)
  souk.clock.advance(1.5 * DAY)
  await souk.idle()
  const { counts } = await souk.life.status()
  const isPostgres = address.startsWith('postgres')
  const database = await openDatabase(
    isPostgres ? { kind: 'postgres', url: address, poolSize: 1 } : { kind: 'sqlite', path: address },
  )
  const rows = await exportTrade(database)
  await database.close()
  const received = await receive(souk.queueUrl, 'life')
  return { counts, rows, notifications: received.map((one) => JSON.stringify(one)).sort() }
}

test('the same seed gives the same trade byte for byte on SQLite and on PostgreSQL', async () => {
  const sqlite = await liveOn(join(folder, 'souk.db'))
  const postgres = await liveOn(await createPostgresDatabase('schema'))
  for (const [what, count] of Object.entries(sqlite.counts)) expect(count, what).toBeGreaterThan(0)
  expect(sqlite.notifications.length).toBeGreaterThan(sqlite.counts.orders)
  expect(postgres.counts).toEqual(sqlite.counts)
  expect(postgres.rows).toEqual(sqlite.rows)
  expect(postgres.notifications).toEqual(sqlite.notifications)
})
