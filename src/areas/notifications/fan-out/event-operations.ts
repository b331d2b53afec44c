import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { decodePageToken, toPage } from '../../../platform/paging.ts'
import {
  type FanOut,
  type FanOutState,
  findFanOut,
  listFanOuts,
  pageKeyOf,
  removeFanOut,
  resetFanOut,
} from './store.ts'

export interface EventDependencies {
  database: Database
  clock: Clock
  wakeWorker(): void
}

const PAGE_KEY_PARTS = 2

/** Operations of the operator on events that were not fanned out. */
export function createEventOperations({ database, clock, wakeWorker }: EventDependencies) {
  return {
    async listEvents(query: { state: FanOutState; pageSize: number; pageToken?: string }) {
      const { state, pageSize, pageToken } = query
      const after = pageToken === undefined ? undefined : decodePageToken(pageToken, PAGE_KEY_PARTS)
      const found = await database.read((reader) =>
        listFanOuts(reader, { state, limit: pageSize + 1, ...(after && { after }) }),
      )
      const { items, nextToken } = toPage(found, pageSize, pageKeyOf)
      return { events: items.map(renderEvent), ...(nextToken !== undefined && { nextToken }) }
    },

    /** Continues the fan-out now. A queued event keeps its position. */
    async retryEvent({ eventId }: { eventId: string }) {
      const event = await database.transact(async (tx) => {
        await resetFanOut(tx, eventId, clock.now())
        return findFanOut(tx, eventId)
      })
      if (!event) throw notFound()
      wakeWorker()
      return renderEvent(event)
    },

    async discardEvent({ eventId }: { eventId: string }): Promise<void> {
      const isDiscarded = await database.transact(async (tx) => {
        const event = await findFanOut(tx, eventId)
        return event !== undefined && removeFanOut(tx, event)
      })
      if (!isDiscarded) throw notFound()
      wakeWorker()
    },
  }
}

const notFound = () => new ApiError('NotFound', 'The event was not found.')

const renderEvent = ({ eventId, sellerId, type, occurredAt, state, dueAt, attempts, lastError, payload }: FanOut) => ({
  eventId,
  sellerId,
  type,
  occurredAt: occurredAt.toISOString(),
  state,
  dueAt: dueAt.toISOString(),
  attempts,
  ...(lastError !== undefined && { lastError }),
  payload: payload.value,
})
