import { type Static, Type } from 'typebox'
import type { App, Routes } from '../../http/route.ts'
import { DateTime } from '../../marketplace/schema.ts'
import { addQueueRoutes, type QueueQuery } from './queue-routes.ts'

const STATES = ['PENDING', 'DEAD'] as const
type State = (typeof STATES)[number]

interface DeliveryKey {
  applicationId: string
  destinationId: string
  deliveryId: string
}

interface DeliveryFilter extends Pick<DeliveryKey, 'applicationId' | 'destinationId'> {
  sellerId: string
  notificationType: string
}

const filters = {
  applicationId: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })),
  destinationId: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })),
  sellerId: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })),
  notificationType: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })),
}

const DeliveryParams = Type.Object({
  applicationId: Type.String(),
  destinationId: Type.String(),
  deliveryId: Type.String(),
})

const DeliveryView = Type.Object({
  applicationId: Type.String(),
  destinationId: Type.String(),
  deliveryId: Type.String({ description: 'Notification id, as received by the subscriber' }),
  eventId: Type.String(),
  sellerId: Type.Optional(Type.String()),
  subscriptionId: Type.Optional(Type.String()),
  notificationType: Type.String(),
  payloadVersion: Type.String(),
  state: Type.Enum(STATES, { description: 'PENDING: waiting to be sent or retried. DEAD: given up.' }),
  dueAt: DateTime,
  eventTime: DateTime,
  attempts: Type.Integer(),
  lastError: Type.Optional(Type.String()),
  payload: Type.Object({}),
})
type DeliveryView = Static<typeof DeliveryView>

/** Operations on undelivered notifications. The area of notifications implements them. */
export interface DeliveryOperations {
  listDeliveries(
    query: QueueQuery<State> & Partial<DeliveryFilter>,
  ): Promise<{ deliveries: DeliveryView[]; nextToken?: string }>
  retryDelivery(key: DeliveryKey): Promise<DeliveryView>
  discardDelivery(key: DeliveryKey): Promise<void>
}

export function createDeliveryRoutes(operations: DeliveryOperations): Routes {
  return (app: App) =>
    addQueueRoutes<DeliveryKey, State>(app, {
      plural: 'deliveries',
      names: { one: 'Delivery', many: 'Deliveries' },
      summaries: { list: 'List deliveries by state', retry: 'Retry a delivery', discard: 'Discard a delivery' },
      states: STATES,
      filters,
      key: DeliveryParams,
      viewSchema: DeliveryView,
      retryResult: DeliveryView,
      list: operations.listDeliveries,
      retry: operations.retryDelivery,
      discard: operations.discardDelivery,
    })
}
