import { beforeAll, describe, expect, test } from 'vitest'
import { notificationTypes } from '../../../src/areas/notifications/notification-types.ts'
import { notificationConforms } from '../../support/notification-schemas.ts'
import {
  busEvents,
  eventBridge,
  type NotificationsClient,
  notificationsClient,
  payloadOf,
  receive,
  SUBSCRIPTIONS,
  sqs,
} from '../../support/notifications.ts'
import { modelsArePresent } from '../../support/public-models.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: NotificationsClient
let queue: string
let bus: string
beforeAll(async () => {
  souk = await startTestSouk()
  client = notificationsClient(souk)
  queue = await client.destination(sqs('tests'))
  bus = await client.destination(eventBridge())
})

const everyVersion = [...notificationTypes.values()].flatMap(({ name, transport, payloadVersions }) =>
  payloadVersions.map((version) => [name, version, transport] as const),
)

describe('sendTestNotification', () => {
  test.each(everyVersion)('%s %s conforms to its public schema', async (name, version, transport) => {
    expect(payloadOf(await client.test(name, transport === 'sqs' ? queue : bus, version))).toEqual({})
    await souk.idle()
    const notification =
      transport === 'sqs' ? (await receive(souk.queueUrl, 'tests'))[0] : (await busEvents(souk)).at(-1)?.detail
    const type = notificationTypes.get(name)
    const names = type?.casing === 'camel' ? 'notificationType' : 'NotificationType'
    expect(notification).toMatchObject({ [names]: name })
    if (modelsArePresent) notificationConforms(name, version, notification)
  })

  test('sends the event that EventBridge would deliver to the event bus', async () => {
    await client.test('ITEM_PRODUCT_TYPE_CHANGE', bus, '1.0')
    await souk.idle()
    expect((await busEvents(souk)).at(-1)).toMatchObject({
      version: '0',
      id: expect.any(String),
      'detail-type': 'ITEM_PRODUCT_TYPE_CHANGE',
      source: `aws.partner/sellingpartnerapi.amazon.com/${souk.demo.applicationId}`,
      account: '210987654321',
      region: 'eu-west-1',
      time: souk.clock.now().toISOString(),
      resources: [],
      detail: { NotificationType: 'ITEM_PRODUCT_TYPE_CHANGE', NotificationVersion: '1.0' },
    })
  })

  test.each([
    ['an unknown type', 'NO_SUCH', () => ({ destinationId: queue, testNotification: { payloadVersion: '1.0' } })],
    ['an unknown version', 'ORDER_CHANGE', () => ({ destinationId: queue, testNotification: { payloadVersion: '2' } })],
    ['no version', 'ORDER_CHANGE', () => ({ destinationId: queue, testNotification: {} })],
    ['no notification', 'ORDER_CHANGE', () => ({ destinationId: queue })],
    ['no destination', 'ORDER_CHANGE', () => ({ testNotification: { payloadVersion: '1.0' } })],
    [
      'a foreign destination',
      'ORDER_CHANGE',
      () => ({ destinationId: 'x', testNotification: { payloadVersion: '1.0' } }),
    ],
    [
      'the wrong transport',
      'ORDER_CHANGE',
      () => ({ destinationId: bus, testNotification: { payloadVersion: '1.0' } }),
    ],
    [
      'an empty scenario',
      'ORDER_CHANGE',
      () => ({ destinationId: queue, testNotification: { payloadVersion: '1.0', testScenario: '' } }),
    ],
  ])('refuses %s with 400, and sends nothing', async (_name, type, body) => {
    const response = await client.send('POST', `${SUBSCRIPTIONS}/${type}/testNotification`, 'grantless', body())
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'InvalidInput' })
    await souk.idle()
    expect(await receive(souk.queueUrl, 'tests')).toEqual([])
  })
})
