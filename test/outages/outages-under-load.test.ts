import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBusyShop } from '../support/busy-shop.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { findRedisServer, startRedisServer } from '../support/redis-server.ts'

const MAX_CONNECTIONS = 40
const env = { SOUK_DATABASE_CONNECT_TIMEOUT_SECONDS: '1' }

let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres(['-c', `max_connections=${MAX_CONNECTIONS}`])
})
afterAll(() => server.stop())

async function connect(database = 'postgres'): Promise<pg.Client> {
  const client = new pg.Client(`${server.url}/${database}`)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** A small file system of its own. Undefined if this machine does not allow it. */
function mountSmallDisk(owner: { uid: number; gid: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder])
  const release = () => {
    spawnSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  if (mounted.status !== 0) {
    console.warn(`skipped: a file system cannot be mounted here: ${mounted.stderr}`)
    release()
    return undefined
  }
  const data = join(folder, 'data')
  mkdirSync(data)
  chownSync(data, owner.uid, owner.gid)
  const filler = join(folder, 'filler')
  return {
    data,
    /** Until no byte is left. */
    fill() {
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'])
      expect(() => writeFileSync(join(folder, 'one-more'), Buffer.alloc(1024 * 1024))).toThrow('ENOSPC')
      rmSync(join(folder, 'one-more'), { force: true })
      spawnSync('dd', ['if=/dev/zero', `of=${filler}-2`, 'bs=4k'])
    },
    clear() {
      for (const file of [filler, `${filler}-2`]) rmSync(file, { force: true })
    },
    release,
  }
}

describe('under load, nothing acknowledged is lost and nothing happens twice', () => {
  test('while the disk of PostgreSQL is full', async ({ skip }) => {
    const disk = mountSmallDisk(statSync(server.dataFolder))
    if (!disk) return skip()
    const admin = await connect()
    try {
      await admin.query(`create tablespace small location '${disk.data}'`)
      const databaseUrl = await server.createMigratedDatabase('disk_full')
      await admin.query('alter database disk_full set tablespace small')
      const shop = await openBusyShop({ databaseUrl, env })
      await shop.survive(
        async () => disk.fill(),
        async () => disk.clear(),
        { mustFail: true },
      )
      await shop.expectNothingLost()
      await admin.query('drop database disk_full')
      await admin.query('drop tablespace small')
    } finally {
      await admin.end()
      disk.release()
    }
  })

  test('while PostgreSQL has no connection left', async () => {
    const databaseUrl = await server.createMigratedDatabase('no_connections')
    const shop = await openBusyShop({ databaseUrl, env })
    const hogs: pg.Client[] = []
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = 'no_connections' and backend_type = 'client backend'`
    await shop.survive(
      async () => {
        // Each connection that is terminated is taken before the service gets it back.
        while (hogs.length < MAX_CONNECTIONS) {
          await connect().then(
            (hog) => hogs.push(hog),
            () => hogs[0]?.query(terminate),
          )
        }
      },
      async () => {
        for (const hog of hogs) await hog.end()
      },
      { mustFail: true },
    )
    await shop.expectNothingLost()
  })

  test('while PostgreSQL is read-only', async () => {
    const databaseUrl = await server.createMigratedDatabase('read_only')
    const shop = await openBusyShop({ databaseUrl, env })
    const admin = await connect()
    const setReadOnly = async (value: 'on' | 'off') => {
      await admin.query('set default_transaction_read_only = off')
      await admin.query(`alter system set default_transaction_read_only = ${value}`)
      await admin.query('select pg_reload_conf()')
    }
    try {
      await shop.survive(
        () => setReadOnly('on'),
        () => setReadOnly('off'),
        { mustFail: true },
      )
      await shop.expectNothingLost()
    } finally {
      await setReadOnly('off')
      await admin.end()
    }
  })

  test.runIf(hasPgBouncer)('behind PgBouncer with transaction pooling, which stops and starts', async () => {
    const inspectionUrl = await server.createMigratedDatabase('pooled')
    const pgBouncer = await startPgBouncer(inspectionUrl, { connections: 5 })
    try {
      const shop = await openBusyShop({ databaseUrl: pgBouncer.urlOf('pooled'), inspectionUrl, env })
      await shop.survive(pgBouncer.kill, pgBouncer.start, { mustFail: true })
      await shop.expectNothingLost()
    } finally {
      await pgBouncer.stop()
    }
  })

  const redis = findRedisServer()
  test.skipIf(!redis)('while the quota server is down or does not respond, and no request fails', async () => {
    const quotas = await startRedisServer(redis as string)
    const databaseUrl = await server.createMigratedDatabase('no_quotas')
    const shop = await openBusyShop({ databaseUrl, env: { ...env, SOUK_QUOTA_URL: quotas.url, SOUK_RATES: '1000000' } })
    const statuses = new Set<number>()
    let isOver = false
    const reading = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const path = '/notifications/v1/subscriptions/ORDER_CHANGE'
        const response = await fetch(shop.urls[0] + path, { headers: shop.stall.sellerHeaders })
        await response.arrayBuffer()
        statuses.add(response.status)
      }
    })
    await shop.survive(quotas.kill, quotas.start, { mustFail: false })
    await shop.survive(
      async () => void quotas.freeze(),
      async () => void quotas.resume(),
      { mustFail: false },
    )
    isOver = true
    await Promise.all(reading)
    expect([...statuses]).toEqual([200])
    expect(shop.failed()).toEqual([])
    await shop.expectNothingLost()
    await quotas.stop()
  })
})
