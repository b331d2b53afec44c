import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { decodePageToken, toPage } from '../../../platform/paging.ts'
import type { Delivery, DeliveryKey, DeliveryState } from './delivery.ts'
import { deleteDeliveries, findDelivery, listDeliveries, pageKeyOf, resetDelivery } from './delivery-store.ts'
import { sendNow } from './destination-lease-store.ts'

export interface DeliveryDependencies {
  database: Database
  clock: Clock
  wakeWorker(): void
}

const PAGE_KEY_PARTS = 5

/** Operations of the operator on undelivered notifications. */
export function createDeliveryOperations({ database, clock, wakeWorker }: DeliveryDependencies) {
  return {
    async listDeliveries(query: { state: DeliveryState; pageSize: number; pageToken?: string }) {
      const { state, pageSize, pageToken } = query
      const after = pageToken === undefined ? undefined : decodePageToken(pageToken, PAGE_KEY_PARTS)
      const found = await database.read((reader) =>
        listDeliveries(reader, { state, limit: pageSize + 1, ...(after && { after }) }),
      )
      const { items, nextToken } = toPage(found, pageSize, pageKeyOf)
      return { deliveries: items.map(renderDelivery), ...(nextToken !== undefined && { nextToken }) }
    },

    /** Sends a delivery now, pending or given up. */
    async retryDelivery(key: DeliveryKey) {
      const delivery = await database.transact(async (tx) => {
        if (!(await findDelivery(tx, key))) throw notFound()
        await resetDelivery(tx, key)
        await sendNow(tx, key, clock.now())
        return (await findDelivery(tx, key)) as Delivery
      })
      wakeWorker()
      return renderDelivery(delivery)
    },

    async discardDelivery(key: DeliveryKey): Promise<void> {
      if ((await database.transact((tx) => deleteDeliveries(tx, [key]))) === 0) throw notFound()
    },
  }
}

const notFound = () => new ApiError('NotFound', 'The delivery was not found.')

const renderDelivery = ({ dueAt, eventTime, payload, ...rest }: Delivery) => ({
  ...rest,
  dueAt: dueAt.toISOString(),
  eventTime: eventTime.toISOString(),
  payload: JSON.parse(payload) as object,
})
