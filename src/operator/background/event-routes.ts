import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { DateTime, strict } from '../../marketplace/schema.ts'
import { operatorConfig as config, operatorTags as tags } from '../resources/resource-routes.ts'

const STATES = ['PENDING', 'QUEUED', 'DEAD'] as const
type State = (typeof STATES)[number]

interface EventKey {
  eventId: string
}

interface EventView extends EventKey {
  sellerId: string
  type: string
  occurredAt: string
  state: State
  dueAt: string
  attempts: number
  lastError?: string
  payload: object
}

/** What is done about events that do not become notifications, by whoever fans them out. */
export interface EventOperations {
  listEvents(query: {
    state: State
    pageSize: number
    pageToken?: string
  }): Promise<{ events: EventView[]; nextToken?: string }>
  retryEvent(key: EventKey): Promise<EventView>
  discardEvent(key: EventKey): Promise<void>
}

const EVENTS = '/operator/v1/events'
const EVENT = `${EVENTS}/:eventId`
const DEFAULT_PAGE_SIZE = 100

// An event that shares a row of the outbox has a slash in its id, which the path holds as %2F.
const EventParams = Type.Object({ eventId: Type.String({ description: 'As listed, URL-encoded' }) })

const EventViewSchema = Type.Object({
  eventId: Type.String(),
  sellerId: Type.String({ description: '`*` for what concerns all sellers' }),
  type: Type.String({ description: 'A notification type, or what notifications are worked out of' }),
  occurredAt: DateTime,
  state: Type.Enum(STATES, {
    description:
      'PENDING: is being fanned out in steps, or will be retried. QUEUED: waits for an earlier event. DEAD: was given up.',
  }),
  dueAt: DateTime,
  attempts: Type.Integer({ description: 'How often in a row it has failed' }),
  lastError: Type.Optional(Type.String()),
  payload: Type.Object({}),
})

export function createEventRoutes(operations: EventOperations): Routes {
  return (app: App) => {
    app.get(
      EVENTS,
      {
        config,
        schema: {
          operationId: 'listEvents',
          summary: 'Events that are not turned into notifications yet and were set aside, by state, a page at a time',
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
            200: Type.Object({ events: Type.Array(EventViewSchema), nextToken: Type.Optional(Type.String()) }),
            ...errorResponses,
          },
        },
      },
      async (request) => operations.listEvents({ pageSize: DEFAULT_PAGE_SIZE, ...request.query }),
    )

    app.post(
      `${EVENT}/retry`,
      {
        config,
        schema: {
          operationId: 'retryEvent',
          summary: 'Turn an event into notifications now, also one that was given up',
          tags,
          params: EventParams,
          response: { 200: EventViewSchema, ...errorResponses },
        },
      },
      async (request) => operations.retryEvent(request.params),
    )

    app.delete(
      EVENT,
      {
        config,
        schema: {
          operationId: 'discardEvent',
          summary: 'Notify nobody else of an event',
          tags,
          params: EventParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.discardEvent(request.params)
        return {}
      },
    )
  }
}
