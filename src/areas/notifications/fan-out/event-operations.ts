import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { type PageQuery, type PageRequest, readPage } from '../../../platform/paging.ts'
import { renderStoredObject } from '../../../platform/stored-json.ts'
import { READ_COMMITTED } from './run.ts'
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
    async listEvents({ state, ...query }: PageQuery & { state: FanOutState }) {
      const readItems = (page: PageRequest) => database.read((reader) => listFanOuts(reader, { state, ...page }))
      const { items, ...next } = await readPage(query, PAGE_KEY_PARTS, readItems, pageKeyOf)
      return { events: items.map(renderEvent), ...next }
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
      }, READ_COMMITTED)
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
  payload: renderStoredObject(payload.text),
})
