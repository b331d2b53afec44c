import { beforeAll, describe, expect, test } from 'vitest'
import { digestOf, exportTrade } from '../../support/life.ts'
import { notificationsClient, receive } from '../../support/notifications.ts'
import { OrdersClient } from '../../support/order-client.ts'
import { DAY, HOUR, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

async function advance(souk: TestSouk, milliseconds: number) {
  souk.clock.advance(milliseconds)
  await souk.idle()
}

describe('three days of life', () => {
  let souk: TestSouk
  let client: OrdersClient
  beforeAll(async () => {
    souk = await startTestSouk()
    client = new OrdersClient(souk)
    await notificationsClient(souk).listen('life', 'ORDER_CHANGE')
    souk.clock.advance(1000)
    const deliveryDays = { min: 0.1, max: 0.5 }
    await souk.life.start({ seed: 3, ordersPerDay: 60, deliveryDays, returnRate: 0.5 })
    await advance(souk, 3 * DAY)
  })

  test('has orders, cancellations, shipments, deliveries, returns, feedback and changing offers', async () => {
    const { isRunning, until, counts } = await souk.life.status()
    expect(isRunning).toBe(true)
    expect(until).toBe(souk.clock.now().toISOString())
    expect(counts.orders).toBeGreaterThan(130)
    expect(counts.orders).toBeLessThan(230)
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0)
    expect(counts.deliveries).toBeLessThanOrEqual(counts.shipments)
    expect(counts.cancellations + counts.shipments).toBeLessThanOrEqual(counts.orders)
  })

  test('is seen by the seller: orders of every day in all states, each with a buyer and a price', async () => {
    const after = new Date(souk.clock.now().getTime() - 3 * DAY).toISOString()
    const orders = []
    let query = `MarketplaceIds=${US}&CreatedAfter=${after}&MaxResultsPerPage=100`
    for (;;) {
      const page = await client.list(query)
      orders.push(...page.Orders)
      if (!page.NextToken) break
      query = `MarketplaceIds=${US}&NextToken=${encodeURIComponent(page.NextToken)}`
    }
    const days = new Set(orders.map(({ PurchaseDate }) => PurchaseDate.slice(0, 10)))
    expect(days.size).toBeGreaterThanOrEqual(3)
    expect(new Set(orders.map(({ OrderStatus }) => OrderStatus))).toEqual(new Set(['Canceled', 'Shipped', 'Unshipped']))
    for (const { OrderTotal } of orders) expect(Number(OrderTotal.Amount)).toBeGreaterThan(0)
  })

  test('is notified to the seller with the times at which it happened', async () => {
    const sent = (await receive(souk.queueUrl, 'life')) as { Payload: { OrderChangeNotification: Change } }[]
    const changes = sent.map(({ Payload }) => Payload.OrderChangeNotification)
    const created = changes.filter(({ OrderChangeTrigger }) => OrderChangeTrigger.ChangeReason === 'Order created')
    const times = new Set(created.map(({ OrderChangeTrigger }) => OrderChangeTrigger.TimeOfOrderChange.slice(0, 10)))
    expect(times.size).toBeGreaterThanOrEqual(3)
    const ids = created.map(({ AmazonOrderId }) => AmazonOrderId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(changes.length).toBeGreaterThan(created.length)
  })

  test('goes on until it is stopped', async () => {
    const before = (await souk.life.status()).counts.orders
    await advance(souk, DAY)
    const { counts } = await souk.life.status()
    expect(counts.orders).toBeGreaterThan(before)
    expect(await souk.life.stop()).toMatchObject({ isRunning: false, counts })
    await advance(souk, DAY)
    expect((await souk.life.status()).counts).toEqual(counts)
    expect((await souk.life.stop()).isRunning).toBe(false)
  })

  test('can be started again, with other orders', async () => {
    const started = await souk.life.start({ seed: 3, ordersPerDay: 40 })
    expect(started.counts.orders).toBe(0)
    await advance(souk, DAY)
    expect((await souk.life.status()).counts.orders).toBeGreaterThan(15)
  })
})

test('life goes on with other orders after an import of an export, however often it was started', async () => {
  const souk = await startTestSouk()
  const ordersOfADay = async () => {
    await souk.life.start({ ordersPerDay: 40 })
    await advance(souk, DAY)
    return (await souk.life.stop()).counts.orders
  }
  expect(await ordersOfADay()).toBeGreaterThan(15)
  expect(await ordersOfADay()).toBeGreaterThan(15)
  await souk.import(await souk.export())
  expect(await ordersOfADay()).toBeGreaterThan(15)
})

interface Change {
  AmazonOrderId: string
  OrderChangeTrigger: { TimeOfOrderChange: string; ChangeReason: string }
}

describe('the same seed', () => {
  const options = { ordersPerDay: 60, returnRate: 1, deliveryDays: { min: 0.05, max: 0.1 } }
  const live = async (seed: number, moves: readonly number[]) => {
    const { souk, database } = await startWatchedSouk()
    await souk.life.start({ ...options, seed })
    for (const move of moves) await advance(souk, move)
    const { counts } = await souk.life.status()
    const rows = await exportTrade(database)
    return { souk, counts, rows }
  }

  test('gives the same trade byte for byte, in one move of the clock or in many, and another seed does not', async () => {
    const once = await live(11, [1.5 * DAY])
    expect(once.counts.returns).toBeGreaterThan(0)
    const often = await live(11, [HOUR, 5 * HOUR, 1234, 0.5 * DAY - 1234, ...Array.from({ length: 3 }, () => 6 * HOUR)])
    expect(often.souk.clock.now()).toEqual(once.souk.clock.now())
    expect(often.rows).toEqual(once.rows)
    const other = await live(12, [1.5 * DAY])
    expect(digestOf(other.rows)).not.toBe(digestOf(once.rows))
  })
})

describe('orders that their sellers ship themselves', () => {
  test('wait for the seller, and are delivered after that', async () => {
    const souk = await startTestSouk()
    const client = new OrdersClient(souk)
    const deliveryDays = { min: 0.1, max: 0.2 }
    await souk.life.start({ ordersPerDay: 40, shipsForSellers: false, cancelRate: 0, deliveryDays })
    await advance(souk, 1.5 * DAY)
    const path = `MarketplaceIds=${US}&CreatedAfter=${client.ago(1.5 * DAY)}&FulfillmentChannels=MFN`
    const { Orders: orders } = await client.list(path)
    expect(orders.length).toBeGreaterThan(5)
    expect(new Set(orders.map(({ OrderStatus }: { OrderStatus: string }) => OrderStatus))).toEqual(
      new Set(['Unshipped']),
    )
    const { AmazonOrderId: orderId } = orders[0]
    const items = (await client.stored(orderId)).items
    const orderItems = items.map(({ orderItemId, quantity }) => ({ orderItemId, quantity }))
    expect((await client.confirm(orderId, { orderItems })).statusCode).toBe(204)
    await advance(souk, 2 * DAY)
    expect((await client.stored(orderId)).deliveredAt).toEqual(expect.any(String))
  })
})

describe('life', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk()
  })

  test.each<[object, string[]]>([
    [{ ordersPerDay: -1, seed: 0.5 }, ['ordersPerDay must be at least 0.', 'seed must be an integer.']],
    [{ competitors: ['cheap'] }, ['competitors[0] must be one of undercut, match, premium, weekdays, flapping.']],
    [{ cancelRate: 2 }, ['cancelRate must be at most 1.']],
    [{ speed: 1 }, ['speed is not allowed. Did you mean seed?']],
    [{ deliveryDays: { min: 3, max: 1 } }, ['deliveryDays.min must not be more than deliveryDays.max.']],
  ])('cannot be started with %j', async (payload, details) => {
    const response = await souk.post('/_souk/life', { payload })
    expect(response.statusCode).toBe(400)
    expect(response.json().errors.map((error: { details: string }) => error.details)).toEqual(details)
    expect((await souk.life.status()).isRunning).toBe(false)
  })

  test('cannot be started twice, and needs no options', async () => {
    expect((await souk.post('/_souk/life')).json()).toMatchObject({
      isRunning: true,
      options: { seed: 1, ordersPerDay: 50, competitors: ['undercut', 'match', 'premium', 'weekdays', 'flapping'] },
    })
    expect(errorOf(await souk.post('/_souk/life'))).toMatchObject({ status: 409, code: 'Conflict' })
    expect((await souk.delete('/_souk/life')).json().isRunning).toBe(false)
  })

  test('without sellers or products does nothing', async () => {
    const empty = await startTestSouk({ demo: false })
    await empty.life.start()
    await advance(empty, DAY)
    expect((await empty.life.status()).counts.orders).toBe(0)
  })

  test('ends with a reset', async () => {
    await souk.life.start()
    await souk.reset()
    await advance(souk, DAY)
    expect(await souk.life.status()).toMatchObject({ isRunning: false, counts: { orders: 0 } })
  })
})
