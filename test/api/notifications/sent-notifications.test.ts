import { beforeAll, describe, expect, test } from 'vitest'
import { oldDeliverySweep } from '../../../src/areas/notifications/retention.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { type NotificationsClient, notificationsClient } from '../../support/notifications.ts'
import { append, orderChange } from '../../support/relay.ts'
import { DAY } from '../../support/seller-client.ts'
import type { TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const KEPT = 3

let souk: TestSouk
let database: Database
let client: NotificationsClient
let subscriptionId: string

beforeAll(async () => {
  ;({ souk, database } = await startWatchedSouk({ worker: { sentNotificationsKept: KEPT } }))
  client = notificationsClient(souk)
  ;({ subscriptionId } = await client.listen('sent', 'ORDER_CHANGE'))
  for (const number of [1, 2, 3, 4, 5]) {
    souk.clock.advance(1000)
    await append(database, [orderChange(souk.demo.sellerId, souk.clock.now(), number)])
  }
  await souk.idle()
})

const list = async (query = '') => (await client.send('GET', `/console/v1/deliveries${query}`, 'seller')).json()
const timesOf = ({ deliveries }: { deliveries: { eventTime: string }[] }) => deliveries.map((one) => one.eventTime)

describe('notifications that were sent', () => {
  test('are listed with their payload and the time of sending, the latest ones of the seller', async () => {
    const sent = await list('?state=SENT')
    expect(sent.deliveries).toHaveLength(KEPT)
    expect(timesOf(sent)).toEqual(timesOf(sent).sort().reverse())
    expect(timesOf(sent)[0]).toBe(souk.clock.now().toISOString())
    expect(sent.deliveries[0]).toEqual({
      deliveryId: expect.any(String),
      applicationId: souk.demo.applicationId,
      subscriptionId,
      notificationType: 'ORDER_CHANGE',
      payloadVersion: '1.0',
      state: 'SENT',
      eventTime: souk.clock.now().toISOString(),
      sentAt: souk.clock.now().toISOString(),
      attempts: 1,
      destination: { name: 'A destination', kind: 'sqs' },
      payload: { OrderChangeNotification: expect.any(Object) },
    })
  })

  test('have pages, and are in the list of all', async () => {
    const first = await list('?pageSize=2')
    const second = await list(`?pageSize=2&nextToken=${first.nextToken}`)
    expect([...timesOf(first), ...timesOf(second)]).toEqual(timesOf(await list('?state=SENT')))
    expect(second.nextToken).toBeUndefined()
  })

  test('can be selected by type', async () => {
    expect((await list('?state=SENT&notificationType=ORDER_CHANGE')).deliveries).toHaveLength(KEPT)
    expect((await list('?state=SENT&notificationType=ANY_OFFER_CHANGED')).deliveries).toEqual([])
  })

  test('are seen by no other seller', async () => {
    const token = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    expect((await souk.get('/console/v1/deliveries', { token })).json()).toEqual({ deliveries: [] })
  })

  test('are deleted after 14 days', async () => {
    const sweep = () => oldDeliverySweep.sweep({ database, clock: souk.clock }, new AbortController().signal)
    const stored = async () =>
      (
        await souk.get('/console/v1/deliveries', {
          headers: { 'x-souk-console': '1', 'x-souk-seller': souk.demo.sellerId },
        })
      ).json().deliveries.length
    souk.clock.advance(14 * DAY)
    await sweep()
    expect(await stored()).toBe(1)
    souk.clock.advance(1)
    await sweep()
    expect(await stored()).toBe(0)
  })
})
