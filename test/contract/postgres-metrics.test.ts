import { expect, test } from 'vitest'
import { createCommonMetrics } from '../../src/composition/metrics.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { createPostgresDatabase } from '../support/databases.ts'

test('a scrape of the metrics takes one connection to PostgreSQL, and does not count itself', async () => {
  const database = new PostgresDatabase({ url: await createPostgresDatabase('schema'), poolSize: 4 })
  const metrics = createCommonMetrics({ database, clock: new SystemClock() })
  const scrape = async () =>
    new Map(await Promise.all(metrics.map(async (one) => [one.name, (await one.read())[0]?.value] as const)))
  await scrape()
  const scraped = await scrape()
  await database.close()
  expect(scraped.get('souk_database_waiting')).toBe(0)
  expect(scraped.get('souk_database_connections_used')).toBe(0)
  expect(scraped.get('souk_database_connections')).toBe(1)
})
