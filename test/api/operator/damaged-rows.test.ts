import { beforeAll, describe, expect, test } from 'vitest'
import type { NotificationTables } from '../../../src/areas/notifications/tables.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { type Query, queryBuilder } from '../../../src/platform/database/query.ts'
import type { JobTables } from '../../../src/platform/jobs/tables.ts'
import type { OutboxTables } from '../../../src/platform/outbox/tables.ts'
import { type NotificationsClient, notificationsClient, receive } from '../../support/notifications.ts'
import { append, orderChange, ordersIn } from '../../support/relay.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const db = queryBuilder<OutboxTables & NotificationTables & JobTables>()
const BACKOFFS = [1_000, 2_000, 4_000, 8_000, 16_000, 60_000]

let souk: TestSouk
let database: Database
let client: NotificationsClient
let damaged = 0
let ids: { destinationId: string; subscriptionId: string }

beforeAll(async () => {
  ;({ souk, database } = await startWatchedSouk())
  client = notificationsClient(souk)
  ids = await client.listen('orders', 'ORDER_CHANGE')
})

const write = (query: Query<unknown>) => database.transact((tx) => tx.run(query))
const operator = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
  souk.send(method, `/operator/v1/${path}`, { headers: souk.operator })
async function listed(queue: 'events' | 'jobs' | 'deliveries', state: string) {
  const response = await operator('GET', `${queue}?state=${state}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()[queue]
}
async function exhaustRetries() {
  await souk.idle()
  for (const pause of BACKOFFS) {
    souk.clock.advance(pause)
    await souk.idle()
  }
}
const measured = async (name: string) =>
  Number((await souk.get('/metrics')).body.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1])
/** Shows that the relay still delivers. */
async function deliver(number: number) {
  await append(database, [orderChange(souk.demo.sellerId, souk.clock.now(), number)])
  await souk.idle()
  expect(ordersIn(await receive(souk.queueUrl, 'orders'))).toEqual([number])
}

describe('an event that cannot be parsed is given up, and others are delivered', () => {
  const DAMAGED = {
    'a single event that is not JSON': {
      event_type: 'ORDER_CHANGE',
      payload: '{"Order',
      shown: { unreadable: '{"Order' },
    },
    'several events that are not JSON': { event_type: '*', payload: '[["ORDER', shown: { unreadable: '[["ORDER' } },
    'events of an unknown shape': { event_type: '*', payload: '{"version":2}', shown: { version: 2 } },
    'a list of something else': {
      event_type: '*',
      payload: '[["ORDER_CHANGE"],7]',
      shown: { unreadable: '[["ORDER_CHANGE"],7]' },
    },
    'an empty list': { event_type: '*', payload: '[]', shown: { unreadable: '[]' } },
    'a time that is not one': { event_type: 'ORDER_CHANGE', payload: '{}', shown: {}, occurred_at: 'yesterday' },
  }
  test.each(Object.entries(DAMAGED))('%s', async (_, { shown, ...row }) => {
    const seller_id = souk.demo.sellerId
    await write(
      db.insertInto('events').values({
        event_id: `0-damaged-${damaged++}`,
        occurred_at: souk.clock.now().toISOString(),
        seller_id,
        ...row,
      }),
    )
    await deliver(1)
    await exhaustRetries()
    const [dead, ...others] = await listed('events', 'DEAD')
    expect(others).toEqual([])
    expect(dead).toMatchObject({ sellerId: seller_id, attempts: 4, payload: shown })
    expect(await measured('souk_events_dead')).toBe(1)
    expect((await operator('POST', `events/${dead.eventId}/retry`)).statusCode).toBe(200)
    await deliver(2)
    await exhaustRetries()
    expect(await listed('events', 'DEAD')).toHaveLength(1)
    expect((await operator('DELETE', `events/${dead.eventId}`)).statusCode).toBe(200)
    await deliver(3)
  })
})

describe('a notification that cannot be parsed is given up, and others of its queue are sent', () => {
  test.each(['{"sealed":"', '{"sealed":"","sealed":7}', '{"sealed":"","sealed":null}'])('%s', async (payload) => {
    const time = souk.clock.now().toISOString()
    const { applicationId } = souk.demo
    await append(database, [orderChange(souk.demo.sellerId, souk.clock.now(), 1)])
    await souk.idle()
    await receive(souk.queueUrl, 'orders')
    await write(
      db.insertInto('deliveries').values({
        application_id: applicationId,
        destination_id: ids.destinationId,
        delivery_id: 'damaged',
        event_id: '00000000-damaged',
        seller_id: souk.demo.sellerId,
        subscription_id: ids.subscriptionId,
        notification_type: 'ORDER_CHANGE',
        payload_version: '1.0',
        state: 'PENDING',
        due_at: time,
        event_time: time,
        attempts: 0,
        last_error: null,
        payload,
      }),
    )
    await deliver(2)
    expect(await listed('deliveries', 'PENDING')).toEqual([])
    expect(await listed('deliveries', 'DEAD')).toMatchObject([{ deliveryId: 'damaged' }])
    const path = `deliveries/${applicationId}/${ids.destinationId}/damaged`
    expect((await operator('DELETE', path)).statusCode).toBe(200)
  })
})

describe('a job that cannot be parsed is given up, and can be discarded only', () => {
  test.each(['{"reportId', '7', '[]', 'null'])('%s', async (payload) => {
    await write(
      db.insertInto('jobs').values({
        job_id: 'damaged',
        kind: 'processReport',
        payload,
        run_at: souk.clock.now().toISOString(),
        owner: null,
        attempts: 0,
        failures: 0,
        crashes: 0,
        outage_retries: 0,
        outage_began_at: null,
        last_error: null,
        lease: null,
      }),
    )
    // The service does not know of the row, so its next poll is due to something else.
    await deliver(1)
    souk.clock.advance(10 * 60_000)
    await souk.idle()
    expect(await listed('jobs', 'WAITING')).toContainEqual(
      expect.objectContaining({ jobId: 'damaged', payload: { unreadable: payload } }),
    )
    await exhaustRetries()
    const given = { jobId: 'damaged', reason: 'FAILURES', payload: { unreadable: payload } }
    expect(await listed('jobs', 'GIVEN_UP')).toMatchObject([given])
    expect(errorOf(await operator('POST', 'jobs/damaged/retry')).code).toBe('Conflict')
    expect((await operator('DELETE', 'jobs/damaged')).statusCode).toBe(200)
    expect(await listed('jobs', 'GIVEN_UP')).toEqual([])
  })
})
