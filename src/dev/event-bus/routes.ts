import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import { readEventBus } from '../../platform/messaging/file-event-bus.ts'

const DEFAULT_EVENTS = 100

const BusEvent = Type.Object(
  {
    id: Type.String(),
    'detail-type': Type.String({ description: 'The type of the notification' }),
    source: Type.String(),
    account: Type.String(),
    region: Type.String(),
    time: Type.String({ format: 'date-time' }),
    detail: Type.Object({}, { description: 'The notification' }),
  },
  { description: 'The event as EventBridge delivers it' },
)

/** Events that would have arrived on the subscribers' event buses. */
export function createEventBusRoutes(path: string): Routes {
  return (app: App) => {
    app.get(
      '/_souk/eventBus',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getEventBus',
          summary: 'List recent events for EventBridge destinations',
          tags: ['stand-in'],
          querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }, strict),
          response: { 200: Type.Object({ events: Type.Array(BusEvent) }), ...errorResponses },
        },
      },
      async (request) => {
        const events = await readEventBus(path, request.query.limit ?? DEFAULT_EVENTS)
        return { events: events as never[] }
      },
    )
  }
}
