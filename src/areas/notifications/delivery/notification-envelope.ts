import type { Message } from '../../../platform/messaging/port.ts'
import { eventSourceOf } from '../destinations/destination.ts'
import { notificationTypes } from '../notification-types.ts'
import type { Delivery } from './delivery.ts'

/** Builds the message of a delivery. The stored text of the payload becomes part of the body without being parsed. */
export function toMessage(delivery: Delivery, now: Date): Message {
  const { applicationId, deliveryId, notificationType, payloadVersion, eventTime } = delivery
  const type = notificationTypes.get(notificationType)
  const rename = type?.casing === 'camel' ? (object: object) => object : capitalizeKeys
  const [payloadKey, metadataKey] = Object.keys(rename({ payload: '', notificationMetadata: '' }))
  const head = rename({
    notificationVersion: type?.notificationVersion ?? '1.0',
    notificationType,
    payloadVersion,
    eventTime: eventTime.toISOString(),
  })
  const metadata = rename({
    applicationId,
    // Test notifications have no subscription.
    subscriptionId: delivery.subscriptionId ?? deliveryId,
    publishTime: now.toISOString(),
    notificationId: deliveryId,
  })
  const start = JSON.stringify(head).slice(0, -1)
  return {
    id: deliveryId,
    type: notificationType,
    source: eventSourceOf(applicationId),
    time: eventTime,
    body: `${start},"${payloadKey}":${delivery.payload},"${metadataKey}":${JSON.stringify(metadata)}}`,
  }
}

const capitalizeKeys = (object: object): object =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name.replace(/^./, (letter) => letter.toUpperCase()), value]),
  )
