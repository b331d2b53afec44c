import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { waitForBlocked } from '../support/blocked-connections.ts'
import { countRetries } from '../support/database-retries.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { listingsClient, setQuantity } from '../support/listings.ts'
import { item, OrdersClient, SKU } from '../support/order-client.ts'
import { acknowledgement, OrderFeedsClient } from '../support/order-feeds.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

const AT_ONCE = 12
const PIECES = 4
const atOnce = <Result>(make: (index: number) => Promise<Result>, times = AT_ONCE) =>
  Promise.all(Array.from({ length: times }, (_, index) => make(index)))
const statusesOf = (responses: readonly { statusCode: number }[]) =>
  responses.map(({ statusCode }) => statusCode).sort()

// Two services with ten connections each, on one database. SQLite has one writer at a time.
describe('orders that change at the same time, in two processes on PostgreSQL,', () => {
  let services: TestSouk[]
  let clients: OrdersClient[]
  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = await createPostgresDatabase('schema')
    services = [await startTestSouk({ database: databaseUrl })]
    services.push(await startTestSouk({ database: databaseUrl }))
    clients = services.map((souk) => new OrdersClient(souk))
    for (const client of clients) await client.token()
  })

  const souk = () => services[0] as TestSouk
  const client = () => clients[0] as OrdersClient
  const any = (index: number) => clients[index % clients.length] as OrdersClient
  const sale = (quantity: number, orderId?: string) => {
    const { takesStock: _, ...order } = client().build({ items: [item(quantity)] })
    return orderId === undefined ? order : { ...order, orderId }
  }

  async function setStock(quantity: number) {
    expect((await listingsClient(souk(), await client().token()).patch(SKU, [setQuantity(quantity)])).statusCode).toBe(
      200,
    )
    await Promise.all(services.map((service) => service.idle()))
  }

  test('sell each piece once', async () => {
    for (let round = 0; round < 3; round++) {
      await setStock(PIECES)
      const responses = await atOnce((index) => any(index).putOrders(sale(1)))
      expect(statusesOf(responses)).toEqual([...Array(PIECES).fill(200), ...Array(AT_ONCE - PIECES).fill(400)])
      expect(await client().stock()).toBe(0)
    }
  })

  test.each([
    ['some', PIECES],
    ['the last', 0],
  ])('take %s pieces once for an order that is written several times', async (_, left) => {
    for (let round = 0; round < 3; round++) {
      await setStock(PIECES + left)
      const order = sale(PIECES)
      const responses = await atOnce((index) => any(index).putOrders(order))
      expect(statusesOf(responses)).toEqual(Array(AT_ONCE).fill(200))
      expect(await client().stock()).toBe(left)
    }
  })

  test('give stock back once, though seller, buyer and operator cancel', async () => {
    for (let round = 0; round < 3; round++) {
      await setStock(PIECES)
      const order = sale(PIECES)
      expect((await client().putOrders(order)).statusCode).toBe(200)
      const failure = acknowledgement(order.orderId, '<StatusCode>Failure</StatusCode>')
      const byFeed = new OrderFeedsClient(souk()).acknowledge(failure)
      await atOnce(async (index) => {
        if (index % 2 === 0) await any(index).putOrders({ ...order, status: 'Canceled' })
        else
          await any(index)
            .souk.buyer.cancel(order.orderId)
            .catch(() => {})
      })
      await byFeed
      expect(await client().stock()).toBe(PIECES)
    }
  })

  test('place one order with an id that several buyers use', async () => {
    await setStock(AT_ONCE)
    const { orderId } = sale(1)
    const placed = await atOnce((index) =>
      any(index)
        .souk.buyer.order({ sku: SKU, orderId })
        .catch(() => undefined),
    )
    expect(placed.filter((order) => order !== undefined)).toHaveLength(1)
    expect(await client().stock()).toBe(AT_ONCE - 1)
  })

  test('are sold at the price of a change that they waited for', async () => {
    await setStock(1)
    const other = new pg.Client(databaseUrl)
    await other.connect()
    onTestFinished(() => other.end())
    await other.query(`begin; update listings set price_minor = 4321 where sku = '${SKU}'`)
    const order = souk().buyer.order({ sku: SKU })
    await waitForBlocked(other)
    await other.query('commit')
    expect((await order).items).toMatchObject([{ priceMinor: 4321 }])
  })

  test('keep every package that is shipped', async () => {
    const orderId = await client().place({ items: [item(AT_ONCE)] })
    const box = (index: number) => ({
      packageReferenceId: String(index + 1),
      orderItems: [{ orderItemId: '1', quantity: 1 }],
    })
    const responses = await atOnce((index) => any(index).confirm(orderId, box(index)))
    expect(statusesOf(responses)).toEqual(Array(AT_ONCE).fill(204))
    const { status, items, packages } = await client().stored(orderId)
    expect(status).toBe('Shipped')
    expect(items).toMatchObject([{ quantityShipped: AT_ONCE }])
    expect(packages).toHaveLength(AT_ONCE)
  })

  test('lose no change of an operator who patches while the seller ships', async () => {
    const orderId = await client().place({ items: [item(2)] })
    const path = `/operator/v1/orders/${client().sellerId}/${orderId}`
    const patch = (payload: object) => souk().send('PATCH', path, { headers: souk().operator, payload })
    const box = { orderItems: [{ orderItemId: '1', quantity: 1 }] }
    const responses = await Promise.all([
      patch({ shipServiceLevel: 'Expedited' }),
      client().confirm(orderId, box),
      patch({ sellerOrderId: 'OWN-1' }),
      any(1).confirm(orderId, { ...box, packageReferenceId: '2' }),
      patch({ isPrime: true }),
    ])
    expect(statusesOf(responses)).toEqual([200, 200, 200, 204, 204])
    expect(await client().stored(orderId)).toMatchObject({
      status: 'Shipped',
      shipServiceLevel: 'Expedited',
      sellerOrderId: 'OWN-1',
      isPrime: true,
      packages: [{ packageReferenceId: '1' }, { packageReferenceId: '2' }],
    })
  })

  test('run once if they have nothing in common but neighboring keys', async () => {
    const orderIds = await Promise.all(Array.from({ length: AT_ONCE * 2 }, () => client().place({ items: [item(1)] })))
    const before = await countRetries(services, 'conflict')
    const box = { orderItems: [{ orderItemId: '1', quantity: 1 }] }
    await atOnce((index) => any(index).confirm(orderIds[index] as string, box), orderIds.length)
    await atOnce((index) => any(index).putOrders(client().build({ items: [item(1)] })))
    expect((await countRetries(services, 'conflict')) - before).toBe(0)
  })

  test('never wait for each other in a circle', async () => {
    const before = await countRetries(services, 'deadlock')
    const known = await atOnce(() => client().place({ items: [item(1)] }), PIECES)
    for (let round = 0; round < 4; round++) {
      const fresh = Array.from({ length: PIECES }, () => client().build({ items: [item(1)] }))
      const all = [...known.map((orderId) => client().build({ orderId, items: [item(1)] })), ...fresh]
      const responses = await atOnce((index) => any(index).putOrders(...(index % 2 === 0 ? all : all.toReversed())), 6)
      expect(statusesOf(responses)).toEqual(Array(6).fill(200))
    }
    expect((await countRetries(services, 'deadlock')) - before).toBe(0)
  })
})
