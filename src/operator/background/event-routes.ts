import { type Static, Type } from 'typebox'
import type { App, Routes } from '../../http/route.ts'
import { DateTime } from '../../marketplace/schema.ts'
import { addQueueRoutes, type QueueQuery } from './queue-routes.ts'

const STATES = ['PENDING', 'QUEUED', 'DEAD'] as const
type State = (typeof STATES)[number]

interface EventKey {
  eventId: string
}

// The id of an event that shares an outbox row contains a slash, which is %2F in the path.
const EventParams = Type.Object({ eventId: Type.String({ description: 'As listed, URL-encoded' }) })

const EventView = Type.Object({
  eventId: Type.String(),
  sellerId: Type.String({ description: '`*` for events about all sellers' }),
  type: Type.String({ description: 'A notification type or an internal event type' }),
  occurredAt: DateTime,
  state: Type.Enum(STATES, {
    description:
      'PENDING: being fanned out or waiting for a retry. QUEUED: waiting for an earlier event. DEAD: given up.',
  }),
  dueAt: DateTime,
  attempts: Type.Integer({ description: 'Consecutive failures' }),
  lastError: Type.Optional(Type.String()),
  payload: Type.Object({}),
})
type EventView = Static<typeof EventView>

/** Operations on events that were not fanned out. The area of notifications implements them. */
export interface EventOperations {
  listEvents(query: QueueQuery<State>): Promise<{ events: EventView[]; nextToken?: string }>
  retryEvent(key: EventKey): Promise<EventView>
  discardEvent(key: EventKey): Promise<void>
}

export function createEventRoutes(operations: EventOperations): Routes {
  return (app: App) =>
    addQueueRoutes<EventKey, State>(app, {
      plural: 'events',
      names: { one: 'Event', many: 'Events' },
      summaries: { list: 'List deferred events by state', retry: 'Retry an event', discard: 'Discard an event' },
      states: STATES,
      key: EventParams,
      viewSchema: EventView,
      retryResult: EventView,
      list: operations.listEvents,
      retry: operations.retryEvent,
      discard: operations.discardEvent,
    })
}
