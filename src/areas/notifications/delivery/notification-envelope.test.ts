import { expect, test } from 'vitest'
import { SharedText } from '../../../platform/shared-text.ts'
import type { DueDelivery } from './due-deliveries.ts'
import { toMessage } from './notification-envelope.ts'

const eventTime = new Date('2026-06-01T12:00:00Z')
const now = new Date('2026-06-01T12:00:01Z')
const payload = { text: 'a "quoted" ", brace } and \u2028', list: [1, { nested: null }] }

const delivery = (notificationType: string): DueDelivery => ({
  applicationId: 'app',
  destinationId: 'destination',
  deliveryId: 'delivery',
  eventId: 'event',
  sellerId: 'seller',
  subscriptionId: 'subscription',
  notificationType,
  payloadVersion: '1.0',
  dueAt: eventTime,
  eventTime,
  payload: { start: JSON.stringify(payload).slice(0, 10), end: SharedText.ofText(JSON.stringify(payload).slice(10)) },
  state: 'PENDING',
  attempts: 0,
})

test('the body is the JSON of the notification, with keys in Pascal case', () => {
  const { body, bodyParts } = toMessage(delivery('LISTINGS_ITEM_STATUS_CHANGE'), now)
  const expected = {
    NotificationVersion: '1.0',
    NotificationType: 'LISTINGS_ITEM_STATUS_CHANGE',
    PayloadVersion: '1.0',
    EventTime: '2026-06-01T12:00:00.000Z',
    Payload: payload,
    NotificationMetadata: {
      ApplicationId: 'app',
      SubscriptionId: 'subscription',
      PublishTime: '2026-06-01T12:00:01.000Z',
      NotificationId: 'delivery',
    },
  }
  expect(body).toBe(JSON.stringify(expected))
  expect(bodyParts?.map((part) => (typeof part === 'string' ? part : part.text)).join('')).toBe(body)
})

test('types with camel case have the same body with keys in camel case', () => {
  const { body } = toMessage(delivery('REPORT_PROCESSING_FINISHED'), now)
  expect(Object.keys(JSON.parse(body))).toEqual([
    'notificationVersion',
    'notificationType',
    'payloadVersion',
    'eventTime',
    'payload',
    'notificationMetadata',
  ])
  expect(JSON.parse(body)).toMatchObject({ payload, notificationMetadata: { notificationId: 'delivery' } })
})
