import pg from 'pg'
import { expect, test } from 'vitest'
import { openBusyMarketplace } from '../support/busy-marketplace.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres-server.ts'

const DATABASE = 'pooled'
const CONNECTIONS = 5
/** Longer than the default of `SOUK_DATABASE_SILENCE_MILLISECONDS`. */
const BUSY_SECONDS = 6

// Both on the same processes, none of which is restarted.
test.runIf(hasPgBouncer)(
  'under load through a balancer and PgBouncer, a pooler that stops, or whose connections are all busy, loses nothing',
  { timeout: 600_000 },
  async ({ onTestFinished }) => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const inspectionUrl = await postgres.createMigratedDatabase(DATABASE)
    const pgBouncer = await startPgBouncer(inspectionUrl, { connections: CONNECTIONS })
    onTestFinished(() => pgBouncer.stop())
    const databaseUrl = pgBouncer.urlOf(DATABASE)
    const market = await openBusyMarketplace({ databaseUrl, inspectionUrl })

    await market.survive('PgBouncer is killed and starts again', async () => {
      await pgBouncer.kill()
      await market.isRefused()
      await pgBouncer.start()
    })

    const queued = await market.survive(`all connections of PgBouncer are busy for ${BUSY_SECONDS} s`, async () => {
      const others = Array.from({ length: CONNECTIONS }, () => new pg.Client(databaseUrl))
      await Promise.all(others.map((other) => other.connect()))
      await Promise.all(others.map((other) => other.query(`select pg_sleep(${BUSY_SECONDS})`)))
      await Promise.all(others.map((other) => other.end()))
    })
    expect(queued.unavailable).toBeGreaterThan(0)

    await market.close()
  },
)
