import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { DateTime, strict } from '../../marketplace/schema.ts'
import { operatorConfig as config, operatorTags as tags } from '../resources/resource-routes.ts'

const STATES = ['PENDING', 'DEAD'] as const
type State = (typeof STATES)[number]

interface DeliveryKey {
  applicationId: string
  destinationId: string
  deliveryId: string
}

interface DeliveryView extends DeliveryKey {
  eventId: string
  sellerId?: string
  subscriptionId?: string
  notificationType: string
  payloadVersion: string
  state: State
  dueAt: string
  eventTime: string
  attempts: number
  lastError?: string
  payload: object
}

/** What is done about notifications that do not arrive, by whoever delivers them. */
export interface DeliveryOperations {
  listDeliveries(query: {
    state: State
    pageSize: number
    pageToken?: string
  }): Promise<{ deliveries: DeliveryView[]; nextToken?: string }>
  retryDelivery(key: DeliveryKey): Promise<DeliveryView>
  discardDelivery(key: DeliveryKey): Promise<void>
}

const DELIVERIES = '/operator/v1/deliveries'
const DELIVERY = `${DELIVERIES}/:applicationId/:destinationId/:deliveryId`
const DEFAULT_PAGE_SIZE = 100

const DeliveryParams = Type.Object({
  applicationId: Type.String(),
  destinationId: Type.String(),
  deliveryId: Type.String(),
})

const DeliveryViewSchema = Type.Object({
  applicationId: Type.String(),
  destinationId: Type.String(),
  deliveryId: Type.String({ description: "The notification's id for its receiver" }),
  eventId: Type.String(),
  sellerId: Type.Optional(Type.String()),
  subscriptionId: Type.Optional(Type.String()),
  notificationType: Type.String(),
  payloadVersion: Type.String(),
  state: Type.Enum(STATES, { description: 'PENDING: will be sent, or sent again. DEAD: was given up.' }),
  dueAt: DateTime,
  eventTime: DateTime,
  attempts: Type.Integer(),
  lastError: Type.Optional(Type.String()),
  payload: Type.Object({}),
})

export function createDeliveryRoutes(operations: DeliveryOperations): Routes {
  return (app: App) => {
    app.get(
      DELIVERIES,
      {
        config,
        schema: {
          operationId: 'listDeliveries',
          summary: 'Notifications that have not arrived, by state, a page at a time',
          tags,
          querystring: Type.Object(
            {
              state: Type.Enum(STATES),
              pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
              pageToken: Type.Optional(Type.String({ maxLength: 1000 })),
            },
            strict,
          ),
          response: {
            200: Type.Object({ deliveries: Type.Array(DeliveryViewSchema), nextToken: Type.Optional(Type.String()) }),
            ...errorResponses,
          },
        },
      },
      async (request) => operations.listDeliveries({ pageSize: DEFAULT_PAGE_SIZE, ...request.query }),
    )

    app.post(
      `${DELIVERY}/retry`,
      {
        config,
        schema: {
          operationId: 'retryDelivery',
          summary: 'Send a notification now, also one that was given up, and go on with its destination',
          tags,
          params: DeliveryParams,
          response: { 200: DeliveryViewSchema, ...errorResponses },
        },
      },
      async (request) => operations.retryDelivery(request.params),
    )

    app.delete(
      DELIVERY,
      {
        config,
        schema: {
          operationId: 'discardDelivery',
          summary: 'Send a notification to nobody',
          tags,
          params: DeliveryParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.discardDelivery(request.params)
        return {}
      },
    )
  }
}
