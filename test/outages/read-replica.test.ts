import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBusyShop } from '../support/busy-shop.ts'
import { type PostgresReplica, startReplica } from '../support/postgres-replica.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { waitFor } from '../support/wait-for.ts'

const SALES = 10

let server: Awaited<ReturnType<typeof startPostgres>>
let replica: PostgresReplica
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  await replica?.stop()
  await server?.stop()
})

test('a seller finds each order at once, while the replica follows, pauses, stops and returns', async () => {
  const databaseUrl = await server.createMigratedDatabase('replicated')
  replica = await startReplica(server)
  const env = { SOUK_DATABASE_REPLICA_URL: `${replica.url}/replicated` }
  const shop = await openBusyShop({ databaseUrl, env })
  const [url = ''] = shop.urls
  const metric = async (name: string) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  }
  const becomes = (up: number) =>
    waitFor(
      () => metric('souk_replica_up'),
      (value) => value === up,
    )
  let number = 5_000_000
  /** Writes an order, and looks for it as the seller. */
  const find = async () => {
    const own = ++number
    const sale = await fetch(`${url}/operator/v1/orders`, shop.stall.saleOf(own))
    expect(sale.status).toBe(200)
    const path = `/orders/v0/orders?MarketplaceIds=STALL1&AmazonOrderIds=100-0000000-${own}`
    const response = await fetch(url + path, { headers: shop.stall.sellerHeaders })
    expect(response.status).toBe(200)
    const { payload } = (await response.json()) as { payload: { Orders: object[] } }
    return payload.Orders.length
  }
  const findsAll = async () => {
    for (let count = 0; count < SALES; count++) expect(await find()).toBe(1)
  }

  await becomes(1)
  await findsAll()
  expect(await metric('souk_replica_reads_total{by="replica"}')).toBeGreaterThan(0)
  await replica.query('select pg_wal_replay_pause()')
  await findsAll()
  await becomes(0)
  await findsAll()
  await replica.query('select pg_wal_replay_resume()')
  await becomes(1)
  await replica.crash()
  await findsAll()
  await replica.start()
  await becomes(1)
  await findsAll()
  await shop.expectNothingLost()
})
