import pg from 'pg'
import { expect, test } from 'vitest'
import { openBusyMarketplace } from '../support/busy-marketplace.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres-server.ts'

const DATABASE = 'pooled'
const CONNECTIONS = 5
/** Longer than the default of `SOUK_DATABASE_SILENCE_MILLISECONDS`. Real seconds, because real deadlines must pass. */
const BUSY_SECONDS = 6

// One after the other on the same processes, none of which is restarted.
test.runIf(hasPgBouncer)(
  'under load through a balancer and PgBouncer, a pooler that stops, pauses, hangs, or whose connections are busy, loses nothing',
  { timeout: 600_000 },
  async ({ onTestFinished }) => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const inspectionUrl = await postgres.createMigratedDatabase(DATABASE)
    const pgBouncer = await startPgBouncer(inspectionUrl, { connections: CONNECTIONS })
    onTestFinished(() => pgBouncer.stop())
    const databaseUrl = pgBouncer.urlOf(DATABASE)
    const { survive, isRefused, close } = await openBusyMarketplace({ databaseUrl, inspectionUrl })
    const keepBusy = async (count: number) => {
      const others = Array.from({ length: count }, () => new pg.Client(databaseUrl))
      await Promise.all(others.map((other) => other.connect()))
      await Promise.all(others.map((other) => other.query(`select pg_sleep(${BUSY_SECONDS})`)))
      await Promise.all(others.map((other) => other.end()))
    }

    await survive('PgBouncer is killed and starts again', async () => {
      await pgBouncer.kill()
      await isRefused()
      await pgBouncer.start()
    })

    await survive('PgBouncer is restarted', async () => {
      await pgBouncer.shutDown()
      await isRefused()
      await pgBouncer.start()
    })

    await survive('PgBouncer hangs', async () => {
      pgBouncer.freeze()
      await isRefused()
      pgBouncer.resume()
    })

    await survive('PgBouncer is paused', async () => {
      await pgBouncer.command('pause')
      await isRefused()
      await pgBouncer.command('resume')
    })

    await survive('PostgreSQL crashes behind PgBouncer and starts again', async () => {
      await postgres.crash()
      await isRefused()
      await postgres.restart()
    })

    const queued = await survive(`all connections of PgBouncer but one are busy for ${BUSY_SECONDS} s`, () =>
      keepBusy(CONNECTIONS - 1),
    )
    // A queue that moves is not taken for silence.
    expect(queued.unavailable).toBe(0)

    const exhausted = await survive(`all connections of PgBouncer are busy for ${BUSY_SECONDS} s`, () =>
      keepBusy(CONNECTIONS),
    )
    expect(exhausted.unavailable).toBeGreaterThan(0)

    await close()
  },
)
