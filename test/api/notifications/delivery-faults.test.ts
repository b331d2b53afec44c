import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/port.ts'
import { revoke } from '../../support/applications.ts'
import { FlakyQueue } from '../../support/flaky-queue.ts'
import { type NotificationsClient, notificationsClient } from '../../support/notifications.ts'
import { append, orderChange, ordersIn } from '../../support/relay.ts'
import type { TestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const BACKLOG = 20
const MINUTE = 60_000

let souk: TestSouk
let database: Database
let client: NotificationsClient
const queues = new FlakyQueue()
let queue = ''
let seller = ''

beforeAll(async () => {
  const endpoint = await queues.open()
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  ;({ souk, database } = await startWatchedSouk({
    messaging: { sqs: { endpoint, credentials } },
    worker: { maxPendingNotifications: BACKLOG },
  }))
  client = notificationsClient(souk)
  seller = souk.demo.sellerId
})
afterAll(() => queues.close())

let tests = 0
let subscription = ''
beforeEach(async () => {
  queue = `queue-${++tests}`
  ;({ subscriptionId: subscription } = await client.listen(queue, 'ORDER_CHANGE'))
  return async () => {
    queues.moods.clear()
    await client.send('DELETE', `/notifications/v1/subscriptions/ORDER_CHANGE/${subscription}`, 'seller')
  }
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
async function appendOrderChanges(from: number, to: number) {
  for (const number of numbers(from, to)) {
    souk.clock.advance(1)
    await append(database, [orderChange(seller, souk.clock.now(), number)])
  }
  await souk.idle()
}
/** Advances the clock in steps, so that each backoff can expire. */
async function advance(milliseconds: number, step = Math.max(1000, milliseconds / 100)) {
  for (let passed = 0; passed < milliseconds; passed += step) {
    souk.clock.advance(step)
    await souk.idle()
  }
}
const arrived = () => queues.bodies(queue)
const idsOf = (notifications: Record<string, unknown>[]) =>
  notifications.map(({ NotificationMetadata }) => (NotificationMetadata as { NotificationId: string }).NotificationId)
const deliveries = async (state: string) =>
  (await souk.get(`/operator/v1/deliveries?state=${state}`, { headers: souk.operator })).json().deliveries

describe('every event is delivered once and in order', () => {
  test('in the normal case', async () => {
    await appendOrderChanges(1, 25)
    expect(ordersIn(arrived())).toEqual(numbers(1, 25))
    expect(new Set(idsOf(arrived())).size).toBe(25)
  })

  test('when it is published while others are being sent', async () => {
    for (const number of numbers(1, 200)) {
      await append(database, [orderChange(seller, souk.clock.now(), number)])
      void souk.idle()
    }
    await souk.idle()
    expect(ordersIn(arrived())).toEqual(numbers(1, 200))
  })

  test('when the queue is down for one minute', async () => {
    await queues.close()
    await appendOrderChanges(1, 12)
    await advance(MINUTE)
    await appendOrderChanges(13, 15)
    expect(arrived()).toEqual([])
    await queues.open()
    await advance(2 * MINUTE)
    expect(ordersIn(arrived())).toEqual(numbers(1, 15))
  })

  test.each(['broken', 'throttling'] as const)('when the queue is temporarily %s', async (mood) => {
    queues.moods.set(queue, mood)
    await appendOrderChanges(1, 12)
    await advance(10_000)
    expect(arrived()).toEqual([])
    queues.moods.clear()
    await advance(MINUTE)
    expect(ordersIn(arrived())).toEqual(numbers(1, 12))
  })
})

test('after a partly accepted batch only the failed messages are sent again, with the same ids', async () => {
  queues.moods.set(queue, 'half')
  await appendOrderChanges(1, 1)
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(2, 11)
  const [first] = await deliveries('PENDING')
  expect(first).toMatchObject({ attempts: 1, lastError: expect.stringContaining('InternalError') })
  const waiting = (await deliveries('PENDING')).map((one: { deliveryId: string }) => one.deliveryId)
  queues.moods.set(queue, 'half')
  await advance(5 * MINUTE)
  expect(ordersIn(arrived()).sort((one, other) => one - other)).toEqual(numbers(1, 11))
  expect(idsOf(arrived()).slice(1).sort()).toEqual(waiting.sort())
})

test('a failing queue is retried with a growing backoff of up to five minutes', async () => {
  queues.moods.set(queue, 'throttling')
  await appendOrderChanges(1, 1)
  const after = async (milliseconds: number) => {
    const before = queues.requests
    await advance(milliseconds)
    return queues.requests - before
  }
  expect(await after(10_000)).toBeGreaterThanOrEqual(3)
  await after(30 * MINUTE)
  const inAnHour = await after(60 * MINUTE)
  expect(inAnHour).toBeGreaterThanOrEqual(11)
  expect(inAnHour).toBeLessThanOrEqual(2 * 25)
  // A new event does not end the backoff.
  await waitFor(
    () => after(1000),
    (requests) => requests > 0,
  )
  const before = queues.requests
  await appendOrderChanges(2, 4)
  expect(queues.requests).toBe(before)
})

test('a failing destination does not delay other destinations', async () => {
  const { destinationId, subscriptionId } = await client.listen(`${queue}-other`, 'FEE_PROMOTION')
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(1, 3)
  await append(database, [{ sellerId: seller, type: 'FEE_PROMOTION', occurredAt: souk.clock.now(), payload: { A: 1 } }])
  await souk.idle()
  expect(queues.bodies(`${queue}-other`)).toHaveLength(1)
  expect(arrived()).toEqual([])
  await client.send('DELETE', `/notifications/v1/subscriptions/FEE_PROMOTION/${subscriptionId}`, 'seller')
  await client.send('DELETE', `/notifications/v1/destinations/${destinationId}`, 'grantless')
})

test('a destination that never responds does not delay other destinations', async () => {
  const { destinationId, subscriptionId } = await client.listen(`${queue}-other`, 'FEE_PROMOTION')
  queues.moods.set(queue, 'hanging')
  await append(database, [orderChange(seller, souk.clock.now(), 1)])
  const { requests } = queues
  void souk.idle()
  await waitFor(
    async () => queues.requests,
    (count) => count > requests,
  )
  await append(database, [{ sellerId: seller, type: 'FEE_PROMOTION', occurredAt: souk.clock.now(), payload: { A: 1 } }])
  void souk.idle()
  await waitFor(
    async () => queues.bodies(`${queue}-other`),
    (bodies) => bodies.length === 1,
  )
  // Closing the connection ends the request that hangs.
  await queues.close()
  await queues.open()
  queues.moods.clear()
  await advance(10_000)
  expect(ordersIn(arrived())).toEqual([1])
  await client.send('DELETE', `/notifications/v1/subscriptions/FEE_PROMOTION/${subscriptionId}`, 'seller')
  await client.send('DELETE', `/notifications/v1/destinations/${destinationId}`, 'grantless')
})

test('a message that the queue always rejects is given up alone, and the operator sees the reason', async () => {
  queues.moods.set(queue, 'picky')
  await append(database, [
    orderChange(seller, souk.clock.now(), 1),
    orderChange(seller, souk.clock.now(), 2, { Note: 'PICK-ME-NOT' }),
    orderChange(seller, souk.clock.now(), 3),
  ])
  await souk.idle()
  expect(ordersIn(arrived()).sort()).toEqual([1, 3])
  const [dead, ...others] = await deliveries('DEAD')
  expect(others).toEqual([])
  expect(dead).toMatchObject({ sellerId: seller, attempts: 1, lastError: 'InvalidMessageContents: Not today' })

  const path = `/operator/v1/deliveries/${dead.applicationId}/${dead.destinationId}/${dead.deliveryId}`
  queues.moods.clear()
  const retried = await souk.post(`${path}/retry`, { headers: souk.operator })
  expect(retried.json()).toMatchObject({ state: 'PENDING', attempts: 0 })
  await souk.idle()
  expect(ordersIn(arrived()).sort()).toEqual([1, 2, 3])
  expect(idsOf(arrived())).toContain(dead.deliveryId)
  for (const [method, address] of [
    ['POST', `${path}/retry`],
    ['DELETE', path],
  ] as const) {
    expect((await souk.send(method, address, { headers: souk.operator })).statusCode).toBe(404)
  }
})

test('given-up notifications are bounded too: the oldest are deleted', async () => {
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(1, 3 * BACKLOG)
  await advance(10 * MINUTE)
  const given = (await deliveries('DEAD')).filter(
    (one: { subscriptionId: string }) => one.subscriptionId === subscription,
  )
  expect(given).toHaveLength(BACKLOG)
  queues.moods.clear()
  await advance(10 * MINUTE)
  expect(ordersIn(arrived())).toEqual(numbers(2 * BACKLOG + 1, 3 * BACKLOG))
})

test('the backlog of an unavailable queue is bounded: the oldest notifications are given up, the others are delivered', async () => {
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(1, BACKLOG + 5)
  await advance(10_000)
  const dead = await deliveries('DEAD')
  expect(dead).toHaveLength(5)
  expect(dead[0].lastError).toContain(`More than ${BACKLOG} were waiting`)
  expect(await deliveries('PENDING')).toHaveLength(BACKLOG)
  for (const { applicationId, destinationId, deliveryId } of dead) {
    const path = `/operator/v1/deliveries/${applicationId}/${destinationId}/${deliveryId}`
    expect((await souk.delete(path, { headers: souk.operator })).statusCode).toBe(200)
  }
  expect(await deliveries('DEAD')).toEqual([])
  queues.moods.clear()
  await advance(5 * MINUTE)
  expect(ordersIn(arrived())).toEqual(numbers(6, BACKLOG + 5))
})

test('a retry by the operator does not wait for the backoff', async () => {
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(1, 2)
  await advance(2 * MINUTE)
  queues.moods.clear()
  const [{ applicationId, destinationId, deliveryId }] = await deliveries('PENDING')
  const path = `/operator/v1/deliveries/${applicationId}/${destinationId}/${deliveryId}/retry`
  await souk.post(path, { headers: souk.operator })
  await souk.idle()
  expect(ordersIn(arrived())).toEqual([1, 2])
})

test('deleting a subscription deletes its pending deliveries', async () => {
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(1, 3)
  expect(await deliveries('PENDING')).toHaveLength(3)
  await client.send('DELETE', `/notifications/v1/subscriptions/ORDER_CHANGE/${subscription}`, 'seller')
  expect(await deliveries('PENDING')).toEqual([])
  queues.moods.clear()
  await advance(MINUTE)
  expect(arrived()).toEqual([])
})

test('pending deliveries are deleted after two weeks', async () => {
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(1, 3)
  const TWO_WEEKS = 14 * 24 * 60 * MINUTE
  souk.clock.advance(TWO_WEEKS + 20 * MINUTE)
  await expect.poll(() => deliveries('PENDING')).toEqual([])
})

test('the operator lists deliveries in pages', async () => {
  queues.moods.set(queue, 'broken')
  await appendOrderChanges(1, 5)
  const headers = souk.operator
  const seen: string[] = []
  let token = ''
  do {
    const page = (await souk.get(`/operator/v1/deliveries?state=PENDING&pageSize=2${token}`, { headers })).json()
    seen.push(...page.deliveries.map((one: { deliveryId: string }) => one.deliveryId))
    token = page.nextToken ? `&pageToken=${page.nextToken}` : ''
  } while (token)
  expect(new Set(seen).size).toBe(5)
  for (const query of ['', '?state=LOST', '?state=DEAD&pageSize=0', '?state=DEAD&pageToken=x', '?state=DEAD&more=1']) {
    expect((await souk.get(`/operator/v1/deliveries${query}`, { headers })).statusCode, query).toBe(400)
  }
  expect((await souk.get('/operator/v1/deliveries?state=DEAD')).statusCode).toBe(403)
})

test('revoking an authorization deletes its pending deliveries', async () => {
  const { sellerId, refreshToken } = souk.demo.otherSeller
  const theirs = `${queue}-of-another`
  await notificationsClient(souk, refreshToken).listen(theirs, 'ORDER_CHANGE')
  queues.moods.set(theirs, 'broken')
  await append(database, [orderChange(sellerId, souk.clock.now(), 1)])
  await souk.idle()
  expect(await deliveries('PENDING')).toHaveLength(1)
  expect((await revoke(souk, sellerId, souk.demo.applicationId)).statusCode).toBe(200)
  expect(await deliveries('PENDING')).toEqual([])
})
