import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/port.ts'
import { encodePageToken } from '../../../src/platform/paging.ts'
import { FlakyQueue } from '../../support/flaky-queue.ts'
import { arnOf, type NotificationsClient, notificationsClient } from '../../support/notifications.ts'
import { append, orderChange } from '../../support/relay.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const PATH = '/console/v1/deliveries'
const QUEUE = 'unreachable'

let souk: TestSouk
let database: Database
let client: NotificationsClient
let ids: { destinationId: string; subscriptionId: string }
const queues = new FlakyQueue()

beforeAll(async () => {
  const endpoint = await queues.open()
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  ;({ souk, database } = await startWatchedSouk({ messaging: { sqs: { endpoint, credentials } } }))
  client = notificationsClient(souk)
  ids = await client.listen(QUEUE, 'ORDER_CHANGE')
  queues.moods.set(QUEUE, 'denied')
  for (const number of [1, 2, 3]) {
    souk.clock.advance(1000)
    await append(database, [orderChange(souk.demo.sellerId, souk.clock.now(), number)])
  }
  await souk.idle()
})
afterAll(() => queues.close())

const list = (query = '') => client.send('GET', `${PATH}${query}`, 'seller')
const listed = async (query = '') => {
  const response = await list(query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

describe("a seller's deliveries", () => {
  test('are listed newest first, with payload, destination and the last error', async () => {
    const { deliveries, nextToken } = await listed()
    expect(nextToken).toBeUndefined()
    const times = deliveries.map(({ eventTime }: { eventTime: string }) => eventTime)
    expect(times).toHaveLength(3)
    expect(times).toEqual([...times].sort().reverse())
    expect(deliveries[0]).toMatchObject({
      applicationId: souk.demo.applicationId,
      subscriptionId: ids.subscriptionId,
      notificationType: 'ORDER_CHANGE',
      payloadVersion: '1.0',
      state: 'PENDING',
      attempts: expect.any(Number),
      destination: { name: 'A destination', kind: 'sqs' },
      payload: { OrderChangeNotification: expect.any(Object) },
    })
  })

  test('have pages', async () => {
    const seen: string[] = []
    let token = ''
    do {
      const page = await listed(`?pageSize=2${token && `&nextToken=${token}`}`)
      seen.push(...page.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId))
      token = page.nextToken ?? ''
    } while (token)
    const { deliveries } = await listed()
    expect(seen).toEqual(deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId))
  })

  test('can be selected by type and state', async () => {
    expect((await listed('?notificationType=ORDER_CHANGE&state=PENDING')).deliveries).toHaveLength(3)
    expect((await listed('?notificationType=ANY_OFFER_CHANGED')).deliveries).toEqual([])
    expect((await listed('?state=DEAD')).deliveries).toEqual([])
    expect((await listed('?state=SENT')).deliveries).toEqual([])
    expect(errorOf(await list('?state=ARRIVED'))).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(errorOf(await list('?nextToken=x'))).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(errorOf(await list(`?nextToken=${encodePageToken(['1'])}`))).toMatchObject({ status: 400 })
  })

  test('are seen by no other seller', async () => {
    const token = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect((await souk.get(PATH, { token })).json()).toEqual({ deliveries: [] })
  })

  test('do not name the queue, which is known to its application only', async () => {
    const { body } = await list()
    expect(body).toContain('not authorized')
    for (const place of [arnOf(QUEUE), QUEUE, 'arn:', '127.0.0.1']) expect(body).not.toContain(place)
    const operators = await souk.get('/operator/v1/deliveries?state=PENDING', { headers: souk.operator })
    expect(operators.json().deliveries[0].lastError).toContain(arnOf(QUEUE))
  })

  test('are seen in the console, whichever application they are for', async () => {
    const headers = { 'x-souk-console': '1', 'x-souk-seller': souk.demo.sellerId }
    const response = await souk.get(PATH, { headers })
    expect(response.json().deliveries).toHaveLength(3)
  })
})

test('operators can select deliveries by application, destination, seller and type', async () => {
  const selected = async (filter: string) =>
    (await souk.get(`/operator/v1/deliveries?state=PENDING&${filter}`, { headers: souk.operator })).json().deliveries
  const ofApplication = `applicationId=${souk.demo.applicationId}`
  expect(await selected(`${ofApplication}&destinationId=${ids.destinationId}`)).toHaveLength(3)
  expect(await selected(`${ofApplication}&destinationId=another`)).toEqual([])
  expect(await selected('applicationId=another')).toEqual([])
  expect(await selected(`sellerId=${souk.demo.sellerId}&notificationType=ORDER_CHANGE`)).toHaveLength(3)
  expect(await selected('sellerId=another')).toEqual([])
  expect(await selected('notificationType=ANY_OFFER_CHANGED')).toEqual([])
})
