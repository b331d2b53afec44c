import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { type PageQuery, type PageRequest, readPage } from '../../../platform/paging.ts'
import { renderStoredObject } from '../../../platform/stored-json.ts'
import type { Delivery, DeliveryKey } from './delivery.ts'
import { type DeliveryFilter, listDeliveries, pageKeyOf } from './delivery-list.ts'
import { deleteDeliveries, findDelivery, resetDelivery } from './delivery-store.ts'
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
    async listDeliveries({ pageSize, pageToken, ...filter }: PageQuery & DeliveryFilter) {
      const readItems = (page: PageRequest) => database.read((reader) => listDeliveries(reader, { ...filter, ...page }))
      const { items, ...next } = await readPage({ pageSize, pageToken }, PAGE_KEY_PARTS, readItems, pageKeyOf)
      return { deliveries: items.map(renderDelivery), ...next }
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
  payload: renderStoredObject(payload),
})
