import type { DueSource } from '../../platform/due.ts'
import { findWaitingDestinations } from './delivery/destination-lease-store.ts'
import { findWaitingFanOuts } from './fan-out/store.ts'
import { findHoldingWindows } from './fan-out/window-store.ts'

export const notificationDue: DueSource[] = [
  {
    async find(reader, after, limit) {
      const windows = await findHoldingWindows(reader, after, limit)
      return windows.map(({ subscriptionId, aggregationKey, endsAt }) => ({
        kind: 'aggregationWindowEnd',
        time: endsAt,
        id: subscriptionId,
        description: `The aggregation window of the subscription ${subscriptionId} for ${aggregationKey} ends`,
      }))
    },
  },
  {
    async find(reader, after, limit) {
      const destinations = await findWaitingDestinations(reader, after, limit)
      return destinations.map(({ destinationId, dueAt, failures }) => ({
        kind: 'notificationDelivery',
        time: dueAt,
        id: destinationId,
        description: `${failures > 0 ? 'Retry of deliveries' : 'Delivery'} to the destination ${destinationId}`,
      }))
    },
  },
  {
    async find(reader, after, limit) {
      const events = await findWaitingFanOuts(reader, after, limit)
      return events.map(({ eventId, eventType, dueAt }) => ({
        kind: 'eventFanOut',
        time: dueAt,
        id: eventId,
        description: `Retry of the event ${eventType}`,
      }))
    },
  },
]
