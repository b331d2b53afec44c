import { type Static, Type } from 'typebox'
import { DateTime } from '../../../marketplace/schema.ts'
import { DELIVERY_STATES } from '../delivery/delivery.ts'

/** SENT: the destination accepted it. */
export const NOTIFICATION_STATES = [...DELIVERY_STATES, 'SENT'] as const

export const DeliveriesQuery = Type.Object({
  notificationType: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })),
  state: Type.Optional(Type.Enum(NOTIFICATION_STATES, { description: 'Default: all' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default: 20' })),
  nextToken: Type.Optional(Type.String({ maxLength: 1000, description: '`nextToken` of the page before' })),
})
export type DeliveriesQuery = Static<typeof DeliveriesQuery>

export const SellerDeliveries = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      deliveryId: Type.String({ description: 'Notification id, as received by the subscriber' }),
      applicationId: Type.String(),
      subscriptionId: Type.String(),
      notificationType: Type.String(),
      payloadVersion: Type.String(),
      state: Type.Enum(NOTIFICATION_STATES, {
        description: 'PENDING: waiting to be sent or retried. DEAD: given up. SENT: accepted by the destination.',
      }),
      eventTime: DateTime,
      dueAt: Type.Optional(DateTime),
      sentAt: Type.Optional(DateTime),
      attempts: Type.Integer(),
      lastError: Type.Optional(Type.String({ description: 'Without the names of queues, accounts and hosts' })),
      destination: Type.Optional(
        Type.Object(
          { name: Type.String(), kind: Type.Enum(['sqs', 'eventBridge']) },
          { description: 'Absent if it was deleted' },
        ),
      ),
      payload: Type.Object({}),
    }),
    { description: 'Newest first. Of those that were sent, a service keeps the latest ones, or none.' },
  ),
  nextToken: Type.Optional(Type.String({ description: 'Absent on the last page' })),
})
export type SellerDeliveries = Static<typeof SellerDeliveries>
