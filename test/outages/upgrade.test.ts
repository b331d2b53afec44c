import { expect, test } from 'vitest'
import { migrations } from '../../src/migrations/index.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { type Migration, migrate } from '../../src/platform/database/migrate.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { openBusyShop } from '../support/busy-shop.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { runSouk, startSoukProcess } from '../support/souk-process.ts'

// A release that replaces a column: it adds the new one, and the release after it removes the old one.
const expand: readonly Migration[] = [
  {
    name: '9001-order-notes',
    statements: () => ['alter table orders add column notes text', 'create table notes (id text)'],
  },
  { name: '9002-orders-by-notes', indexes: [{ name: 'orders_by_notes', on: 'orders (notes, order_id)' }] },
]
const contract: Migration = {
  name: '9003-without-submissions',
  requires: '9001-order-notes',
  statements: () => ['drop table listing_submissions'],
}

test('old and new processes run side by side, through an update and the way back, without a failed request', async () => {
  const databaseUrl = await createPostgresDatabase('schema')
  const shop = await openBusyShop({ databaseUrl })
  const migrateTo = async (list: readonly Migration[]) => {
    const database = new PostgresDatabase({ url: databaseUrl, poolSize: 2 })
    const ran = await migrate(database, list, new SystemClock())
    await database.close()
    return ran
  }
  const [oldUrl = ''] = shop.urls
  await shop.sells(20)
  expect(await migrateTo([...migrations, ...expand])).toEqual(expand.map(({ name }) => name))
  await shop.sells(20)

  // Processes that know nothing of the new migrations also start, as after a crash or on the way back.
  const other = await shop.place.startServe()
  const worker = shop.place.startWorker()
  await Promise.all([
    other.serve.waitFor(/"migrations":\["9001-order-notes","9002-orders-by-notes"\],"msg":"the database is of a newer/),
    worker.waitFor(/"msg":"worker started"/),
  ])
  expect(await runSouk(['migrate'], { env: { SOUK_DATABASE_URL: databaseUrl } })).toMatchObject({ code: 0 })
  shop.urls.push(other.url)
  await shop.sells(40)
  shop.urls.splice(shop.urls.indexOf(oldUrl), 1)
  await shop.sells(20)
  expect(shop.failed()).toEqual([])

  // The release after that removes what these processes use, so no further one starts.
  await migrateTo([...migrations, ...expand, contract])
  const late = await startSoukProcess(['serve'], { env: shop.place.env }).ended
  expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('9003-without-submissions') })
  await shop.expectNothingLost()
  for (const souk of [other.serve, worker]) expect(await souk.stop()).toMatchObject({ code: 0, stderr: '' })
})
