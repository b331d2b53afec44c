import { type Static, Type } from 'typebox'
import { DateTime } from '../../../marketplace/schema.ts'
import { DELIVERY_STATES } from '../delivery/delivery.ts'
import { Destination } from '../schema.ts'

export const DeliveriesQuery = Type.Object({
  notificationType: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })),
  state: Type.Optional(Type.Enum(DELIVERY_STATES, { description: 'Default: all' })),
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
      state: Type.Enum(DELIVERY_STATES, { description: 'PENDING: waiting to be sent or retried. DEAD: given up.' }),
      eventTime: DateTime,
      dueAt: DateTime,
      attempts: Type.Integer(),
      lastError: Type.Optional(Type.String()),
      destination: Destination,
      payload: Type.Object({}),
    }),
    { description: 'Newest first. Notifications that have arrived are not kept.' },
  ),
  nextToken: Type.Optional(Type.String({ description: 'Absent on the last page' })),
})
export type SellerDeliveries = Static<typeof SellerDeliveries>
