import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, DatabaseUnavailableError } from '../../../src/platform/database/port.ts'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import type { Expanders } from '../../../src/platform/outbox/expander.ts'
import { type NotificationsClient, notificationsClient, receive, SUBSCRIPTIONS } from '../../support/notifications.ts'
import { append, orderChange, ordersIn } from '../../support/relay.ts'
import type { TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const MINUTE = 60_000
const EVENTS = '/operator/v1/events'
const db = queryBuilder<{ subscriptions: { subscription_id: string; directive: string | null } }>()

let souk: TestSouk
let database: Database
let client: NotificationsClient
let seller = ''

/** The error that the expander throws; undefined if it succeeds. */
let expanderError: Error | undefined
const expanders: Expanders = {
  FRAGILE: {
    produces: ['FEE_PROMOTION'],
    subjectOf: ({ eventId }) => eventId,
    begin: async () => ({ context: {} }),
    async page(_reader, { sellerId, payload }) {
      if (payload.isFragile && expanderError) throw expanderError
      return { notifications: [{ key: '', sellerId, type: 'FEE_PROMOTION', payload }] }
    },
  },
}

beforeAll(async () => {
  ;({ souk, database } = await startWatchedSouk({ expanders }))
  client = notificationsClient(souk)
  seller = souk.demo.sellerId
  await client.listen('fees', 'FEE_PROMOTION')
  await client.listen('orders', 'ORDER_CHANGE')
})
beforeEach(async () => {
  expanderError = new Error('This event cannot be expanded')
  return async () => {
    for (const { eventId } of await listed('DEAD')) await discard(eventId)
  }
})

const fragile = (payload: object) => ({ sellerId: seller, type: 'FRAGILE', occurredAt: souk.clock.now(), payload })
const headers = () => ({ headers: souk.operator })
const listed = async (state: string) => (await souk.get(`${EVENTS}?state=${state}`, headers())).json().events
const discard = (eventId: string) => souk.delete(`${EVENTS}/${encodeURIComponent(eventId)}`, headers())
const arrived = async (queue: string) => {
  await souk.idle()
  return receive(souk.queueUrl, queue)
}
async function advance(milliseconds: number) {
  souk.clock.advance(milliseconds)
  await souk.idle()
}
const measured = async (name: string) => {
  const [, value] = (await souk.get('/metrics')).body.match(new RegExp(`^${name} (\\d+)$`, 'm')) ?? []
  return Number(value)
}

test('a failing event does not delay others, is given up after four attempts, and the operator sees the reason', async () => {
  await append(database, [
    fragile({ isFragile: true }),
    fragile({ number: 1 }),
    orderChange(seller, souk.clock.now(), 7),
  ])
  expect((await arrived('fees')).map(({ Payload }) => Payload)).toEqual([{ number: 1 }])
  expect(ordersIn(await arrived('orders'))).toEqual([7])
  expect(await listed('PENDING')).toMatchObject([{ type: 'FRAGILE', attempts: 1 }])
  expect(await measured('souk_events_pending')).toBe(1)

  for (const pause of [1_000, 10_000, 60_000]) {
    expect(await listed('DEAD')).toEqual([])
    await advance(pause)
  }
  const [dead, ...others] = await listed('DEAD')
  expect(others).toEqual([])
  expect(dead).toMatchObject({
    sellerId: seller,
    type: 'FRAGILE',
    state: 'DEAD',
    attempts: 4,
    lastError: 'Error: This event cannot be expanded',
    payload: { isFragile: true },
  })
  expect(await listed('PENDING')).toEqual([])
  expect(await measured('souk_events_dead')).toBe(1)
  await advance(60 * MINUTE)
  expect(await listed('DEAD')).toEqual([dead])

  await append(database, [fragile({ number: 2 })])
  expect((await arrived('fees')).map(({ Payload }) => Payload)).toEqual([{ number: 2 }])
})

test('an event that was given up is delivered when the operator retries it', async () => {
  await append(database, [fragile({ isFragile: true })])
  await souk.idle()
  for (const pause of [1_000, 10_000, 60_000]) await advance(pause)
  const [{ eventId }] = await listed('DEAD')
  const path = `${EVENTS}/${encodeURIComponent(eventId)}`
  expanderError = undefined
  expect((await souk.post(`${path}/retry`, headers())).json()).toMatchObject({ state: 'PENDING', attempts: 0 })
  expect(await arrived('fees')).toHaveLength(1)
  for (const [method, url] of [
    ['POST', `${path}/retry`],
    ['DELETE', path],
  ] as const) {
    expect((await souk.send(method, url, headers())).statusCode).toBe(404)
  }
})

test('an event that was given up can be discarded', async () => {
  await append(database, [fragile({ isFragile: true }), fragile({ isFragile: true, second: true })])
  await souk.idle()
  for (const pause of [1_000, 10_000, 60_000]) await advance(pause)
  const dead = await listed('DEAD')
  // The two events share a row of the outbox but fail independently.
  expect(dead).toHaveLength(2)
  for (const { eventId } of dead) expect((await discard(eventId)).statusCode).toBe(200)
  expect(await listed('DEAD')).toEqual([])
  expanderError = undefined
  await advance(MINUTE)
  expect(await arrived('fees')).toEqual([])
})

test('a database outage does not count as a failed attempt of an event', async () => {
  expanderError = new DatabaseUnavailableError('The database is down')
  await append(database, [fragile({ isFragile: true })])
  let isDone = false
  const waiting = souk.idle().then(() => {
    isDone = true
  })
  // The relay may be at work when the clock moves, and rests afterwards.
  for (let look = 0; !isDone && look < 100_000; look++) {
    if (look === 20) expanderError = undefined
    souk.clock.advance(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await waiting
  expect(await arrived('fees')).toHaveLength(1)
  expect([...(await listed('PENDING')), ...(await listed('DEAD'))]).toEqual([])
})

test('a failing filter affects only its own subscription', async () => {
  const other = notificationsClient(souk, souk.demo.otherSeller.refreshToken)
  const { destinationId, subscriptionId } = await client.listen('filtered', 'ANY_OFFER_CHANGED')
  const healthy = await other.subscription('ANY_OFFER_CHANGED', destinationId)
  // No request can store such a filter.
  const broken = { eventFilter: { eventFilterType: 'ANY_OFFER_CHANGED', marketplaceIds: 7 } }
  await database.transact((tx) =>
    tx.run(
      db
        .updateTable('subscriptions')
        .set({ directive: JSON.stringify(broken) })
        .where('subscription_id', '=', subscriptionId),
    ),
  )
  const change = (sellerId: string) => ({
    sellerId,
    type: 'ANY_OFFER_CHANGED',
    occurredAt: souk.clock.now(),
    payload: { AnyOfferChangedNotification: { SellerId: sellerId, OfferChangeTrigger: { MarketplaceId: 'ANY' } } },
  })
  await append(database, [change(seller), change(souk.demo.otherSeller.sellerId)])
  expect((await arrived('filtered')).map(({ Payload }) => Payload)).toEqual([
    change(souk.demo.otherSeller.sellerId).payload,
  ])
  expect(await listed('PENDING')).toEqual([])
  for (const [as, id] of [
    [client, subscriptionId],
    [other, healthy],
  ] as const) {
    await as.send('DELETE', `${SUBSCRIPTIONS}/ANY_OFFER_CHANGED/${id}`, 'seller')
  }
})

test('the operator lists events in pages', async () => {
  await append(
    database,
    Array.from({ length: 5 }, () => fragile({ isFragile: true })),
  )
  await souk.idle()
  const seen: string[] = []
  let token = ''
  do {
    const page = (await souk.get(`${EVENTS}?state=PENDING&pageSize=2${token}`, headers())).json()
    seen.push(...page.events.map((one: { eventId: string }) => one.eventId))
    token = page.nextToken ? `&pageToken=${page.nextToken}` : ''
  } while (token)
  expect(new Set(seen).size).toBe(5)
  for (const eventId of seen) await discard(eventId)
  for (const query of ['', '?state=LOST', '?state=DEAD&pageSize=0', '?state=DEAD&pageToken=x', '?state=DEAD&more=1']) {
    expect((await souk.get(`${EVENTS}${query}`, headers())).statusCode, query).toBe(400)
  }
  expect((await souk.get(`${EVENTS}?state=DEAD`)).statusCode).toBe(403)
})

test('events that were given up are deleted after two weeks', async () => {
  await append(database, [fragile({ isFragile: true })])
  await souk.idle()
  for (const pause of [1_000, 10_000, 60_000]) await advance(pause)
  expect(await listed('DEAD')).toHaveLength(1)
  souk.clock.advance(14 * 24 * 60 * MINUTE + 20 * MINUTE)
  await expect.poll(() => listed('DEAD')).toEqual([])
})
