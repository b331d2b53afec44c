import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Database } from '../../../platform/database/port.ts'
import { decodePageToken, toPage } from '../../../platform/paging.ts'
import { DELIVERY_STATES, type Delivery } from '../delivery/delivery.ts'
import type { Destination } from '../destinations/destination.ts'
import { renderDestination } from '../destinations/destination-operations.ts'
import { findDestinations } from '../destinations/destination-store.ts'
import { listSellerSubscriptions } from '../subscriptions/subscription-store.ts'
import type { DeliveriesQuery, SellerDeliveries } from './schema.ts'
import { listNewestDeliveries } from './store.ts'

const DEFAULT_PAGE_SIZE = 20
/** One application has at most one for each type and version, so this suffices for several. */
const MAX_SUBSCRIPTIONS = 200

export type NotificationConsoleOperations = ReturnType<typeof createNotificationConsoleOperations>

export function createNotificationConsoleOperations({ database }: { database: Database }) {
  return {
    /** An application sees what was for itself, the console of the seller what was for any application. */
    async listSellerDeliveries(
      { sellerId, applicationId, isConsole }: SellerCaller,
      { notificationType, state, pageSize = DEFAULT_PAGE_SIZE, nextToken }: DeliveriesQuery,
    ): Promise<SellerDeliveries> {
      const before = nextToken === undefined ? undefined : decodePageToken(nextToken, 2)
      return database.read(async (reader) => {
        const subscriptions = await listSellerSubscriptions(reader, {
          sellerId,
          ...(notificationType !== undefined && { notificationType }),
          ...(!isConsole && { applicationId }),
          limit: MAX_SUBSCRIPTIONS,
        })
        const rows = await listNewestDeliveries(reader, subscriptions, {
          states: state ? [state] : DELIVERY_STATES,
          limit: pageSize + 1,
          ...(before && { before }),
        })
        const { items, ...next } = toPage(rows, pageSize, (row) => [row.eventTime.toISOString(), row.deliveryId])
        const destinations = new Map((await findDestinations(reader, items)).map((one) => [idOf(one), one]))
        return {
          deliveries: items.map((delivery) =>
            renderDelivery(delivery, destinations.get(idOf(delivery)) as Destination),
          ),
          ...next,
        }
      })
    },
  }
}

const idOf = ({ applicationId, destinationId }: Pick<Delivery, 'applicationId' | 'destinationId'>) =>
  `${applicationId} ${destinationId}`

const renderDelivery = (delivery: Delivery, destination: Destination): SellerDeliveries['deliveries'][number] => ({
  deliveryId: delivery.deliveryId,
  applicationId: delivery.applicationId,
  subscriptionId: delivery.subscriptionId ?? '',
  notificationType: delivery.notificationType,
  payloadVersion: delivery.payloadVersion,
  state: delivery.state,
  eventTime: delivery.eventTime.toISOString(),
  dueAt: delivery.dueAt.toISOString(),
  attempts: delivery.attempts,
  ...(delivery.lastError !== undefined && { lastError: delivery.lastError }),
  destination: renderDestination(destination),
  payload: JSON.parse(delivery.payload) as object,
})
