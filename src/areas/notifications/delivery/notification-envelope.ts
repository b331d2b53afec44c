import type { Message } from '../../../platform/messaging/port.ts'
import { joinText } from '../../../platform/outbox/event-payload.ts'
import { eventSourceOf } from '../destinations/destination.ts'
import { notificationTypes } from '../notification-types.ts'
import type { DueDelivery } from './due-deliveries.ts'

const CAMEL_KEYS = {
  notificationVersion: 'notificationVersion',
  notificationType: 'notificationType',
  payloadVersion: 'payloadVersion',
  eventTime: 'eventTime',
  payload: 'payload',
  notificationMetadata: 'notificationMetadata',
  applicationId: 'applicationId',
  subscriptionId: 'subscriptionId',
  publishTime: 'publishTime',
  notificationId: 'notificationId',
}

const PASCAL_KEYS = Object.fromEntries(
  Object.keys(CAMEL_KEYS).map((name) => [name, name.replace(/^./, (letter) => letter.toUpperCase())]),
) as typeof CAMEL_KEYS

/** Builds the message of a delivery. The stored text of the payload becomes part of the body without being parsed. */
export function toMessage(delivery: DueDelivery, now: Date): Message {
  const { applicationId, destinationId, deliveryId, sellerId, notificationType, payloadVersion, eventTime, payload } =
    delivery
  const type = notificationTypes.get(notificationType)
  const keys = type?.casing === 'camel' ? CAMEL_KEYS : PASCAL_KEYS
  const head = {
    [keys.notificationVersion]: type?.notificationVersion ?? '1.0',
    [keys.notificationType]: notificationType,
    [keys.payloadVersion]: payloadVersion,
    [keys.eventTime]: eventTime.toISOString(),
  }
  const metadata = {
    [keys.applicationId]: applicationId,
    // Test notifications have no subscription.
    [keys.subscriptionId]: delivery.subscriptionId ?? deliveryId,
    [keys.publishTime]: now.toISOString(),
    [keys.notificationId]: deliveryId,
  }
  const start = `${JSON.stringify(head).slice(0, -1)},"${keys.payload}":`
  const end = `,"${keys.notificationMetadata}":${JSON.stringify(metadata)}}`
  return {
    id: deliveryId,
    type: notificationType,
    source: eventSourceOf(applicationId),
    time: eventTime,
    origin: { applicationId, destinationId, ...(sellerId !== undefined && { sellerId }) },
    // Most senders use the parts.
    get body() {
      return start + joinText(payload) + end
    },
    bodyParts: payload.end ? [start + payload.start, payload.end, end] : [start + payload.start + end],
  }
}
