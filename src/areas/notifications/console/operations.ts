import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { decodePageToken, toPage } from '../../../platform/paging.ts'
import { renderStoredObject } from '../../../platform/stored-json.ts'
import { DELIVERY_STATES, type Delivery } from '../delivery/delivery.ts'
import { listSent, type SentNotification } from '../delivery/sent-store.ts'
import type { Destination } from '../destinations/destination.ts'
import { findDestinations } from '../destinations/destination-store.ts'
import { listSellerSubscriptions } from '../subscriptions/subscription-store.ts'
import { maskPlaces } from './mask-places.ts'
import type { DeliveriesQuery, SellerDeliveries } from './schema.ts'
import { listNewestDeliveries } from './store.ts'

const DEFAULT_PAGE_SIZE = 20
/** One application has at most one for each type and version, so this suffices for several. */
const MAX_SUBSCRIPTIONS = 200

export type NotificationConsoleOperations = ReturnType<typeof createNotificationConsoleOperations>

type Subject = { sellerId: string; applicationId?: string; notificationType?: string }
type Page = { before?: string[]; limit: number }

export function createNotificationConsoleOperations({ database }: { database: Database }) {
  return {
    /** An application sees what was for itself, the console of the seller what was for any application. */
    async listSellerDeliveries(
      { sellerId, applicationId, isConsole }: SellerCaller,
      { notificationType, state, pageSize = DEFAULT_PAGE_SIZE, nextToken }: DeliveriesQuery,
    ): Promise<SellerDeliveries> {
      const before = nextToken === undefined ? undefined : decodePageToken(nextToken, 2)
      const page: Page = { limit: pageSize + 1, ...(before && { before }) }
      const subject: Subject = {
        sellerId,
        ...(notificationType !== undefined && { notificationType }),
        ...(!isConsole && { applicationId }),
      }
      return database.read(async (reader) => {
        const unsent = state === 'SENT' ? [] : await listUnsent(reader, subject, state, page)
        const sent = state === undefined || state === 'SENT' ? await listSent(reader, subject, page) : []
        const newest = [...unsent, ...sent].sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1))
        const { items, ...next } = toPage(newest.slice(0, page.limit), pageSize, timeAndId)
        const destinations = new Map((await findDestinations(reader, items)).map((one) => [idOf(one), one]))
        return { deliveries: items.map((item) => renderItem(item, destinations.get(idOf(item)))), ...next }
      })
    },
  }
}

async function listUnsent(reader: Reader, subject: Subject, state: Delivery['state'] | undefined, page: Page) {
  const subscriptions = await listSellerSubscriptions(reader, { ...subject, limit: MAX_SUBSCRIPTIONS })
  return listNewestDeliveries(reader, subscriptions, { ...page, states: state ? [state] : DELIVERY_STATES })
}

const timeAndId = ({ eventTime, deliveryId }: Delivery | SentNotification) => [eventTime.toISOString(), deliveryId]
const keyOf = (item: Delivery | SentNotification) => timeAndId(item).join(' ')

const idOf = ({ applicationId, destinationId }: Pick<Delivery, 'applicationId' | 'destinationId'>) =>
  `${applicationId} ${destinationId}`

/** The queue or account of a destination is the business of its application. */
const renderItem = (
  item: Delivery | SentNotification,
  destination: Destination | undefined,
): SellerDeliveries['deliveries'][number] => ({
  deliveryId: item.deliveryId,
  applicationId: item.applicationId,
  subscriptionId: item.subscriptionId ?? '',
  notificationType: item.notificationType,
  payloadVersion: item.payloadVersion,
  eventTime: item.eventTime.toISOString(),
  attempts: item.attempts,
  ...('sentAt' in item
    ? { state: 'SENT', sentAt: item.sentAt.toISOString() }
    : {
        state: item.state,
        dueAt: item.dueAt.toISOString(),
        ...(item.lastError !== undefined && { lastError: maskPlaces(item.lastError, destination?.target) }),
      }),
  ...(destination && { destination: { name: destination.name, kind: destination.target.kind } }),
  payload: renderStoredObject(item.payload),
})
