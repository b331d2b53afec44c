import type { Message } from '../../../platform/messaging/port.ts'
import { eventSourceOf } from '../destinations/destination.ts'
import { notificationTypes } from '../notification-types.ts'
import type { Delivery } from './delivery.ts'

/** The notification as its receiver reads it. */
export function toMessage(delivery: Delivery, now: Date): Message {
  const { applicationId, deliveryId, notificationType, payloadVersion, eventTime } = delivery
  const type = notificationTypes.get(notificationType)
  const notification = {
    notificationVersion: type?.notificationVersion ?? '1.0',
    notificationType,
    payloadVersion,
    eventTime: eventTime.toISOString(),
    payload: JSON.parse(delivery.payload),
    notificationMetadata: {
      applicationId,
      // A test was asked for by no subscription.
      subscriptionId: delivery.subscriptionId ?? deliveryId,
      publishTime: now.toISOString(),
      notificationId: deliveryId,
    },
  }
  return {
    id: deliveryId,
    type: notificationType,
    source: eventSourceOf(applicationId),
    time: eventTime,
    body: JSON.stringify(type?.casing === 'camel' ? notification : toPascalCase(notification)),
  }
}

function toPascalCase({ notificationMetadata, ...rest }: { notificationMetadata: object }) {
  return { ...capitalizeKeys(rest), NotificationMetadata: capitalizeKeys(notificationMetadata) }
}

const capitalizeKeys = (object: object) =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name.replace(/^./, (letter) => letter.toUpperCase()), value]),
  )
