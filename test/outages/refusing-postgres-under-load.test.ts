import { statSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openBusyMarketplace } from '../support/busy-marketplace.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

const DATABASE = 'busy'
// Those of four processes, with their connections for /readyz, and some to spare.
const MAX_CONNECTIONS = 40

// One after the other on the same processes, none of which is restarted.
test('under load through a balancer, a PostgreSQL that is read-only, full or without a connection left loses nothing', {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const postgres = await startPostgres(['-c', `max_connections=${MAX_CONNECTIONS}`])
  onTestFinished(() => postgres.stop())
  const connect = async () => {
    const client = new pg.Client(`${postgres.url}/postgres`)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const databaseUrl = await postgres.createMigratedDatabase(DATABASE)
  const disk = mountSmallDisk(statSync(postgres.dataFolder))
  onTestFinished(() => disk?.release())
  const admin = await connect()
  onTestFinished(() => admin.end())
  if (disk) {
    await admin.query(`create tablespace small location '${disk.data}'`)
    await admin.query(`alter database ${DATABASE} set tablespace small`)
  }
  const { survive, isRefused, close } = await openBusyMarketplace({ databaseUrl, env: { SOUK_DATABASE_POOL: '5' } })

  const setReadOnly = async (value: 'on' | 'off') => {
    await admin.query('set default_transaction_read_only = off')
    await admin.query(`alter system set default_transaction_read_only = ${value}`)
    await admin.query('select pg_reload_conf()')
  }
  await survive('PostgreSQL is read-only', async () => {
    await setReadOnly('on')
    await isRefused()
    await setReadOnly('off')
  })

  await survive('PostgreSQL has no connection left', async () => {
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${DATABASE}' and backend_type = 'client backend'`
    const hogs: pg.Client[] = []
    // Each connection that is terminated is taken before the service gets it back. One more is that of this query.
    while (hogs.length < MAX_CONNECTIONS - 1) {
      await connect().then(
        (hog) => hogs.push(hog),
        () => admin.query(terminate),
      )
    }
    await isRefused()
    await Promise.all(hogs.map((hog) => hog.end()))
  })

  if (disk) {
    await survive('the disk of PostgreSQL is full', async () => {
      disk.fill()
      await isRefused()
      disk.clear()
    })
  }

  await close()
  expect(disk, 'a file system can be mounted').toSatisfy((mounted) => mounted || process.env.CI !== 'true')
})
