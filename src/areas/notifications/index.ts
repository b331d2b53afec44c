import type { Reader, Transaction } from '../../platform/database/port.ts'
import { type Outbox, readEvents } from '../../platform/outbox/outbox.ts'
import type { Readings } from '../../platform/readings.ts'
import { type ApplicationNotifierDependencies, createApplicationNotifier } from './application-notifications.ts'
import { createNotificationConsoleOperations } from './console/operations.ts'
import { createDeliveryOperations } from './delivery/delivery-operations.ts'
import { nextDestinationDueAt, releaseAllDestinations } from './delivery/destination-lease-store.ts'
import { createDestinationOperations, type DestinationDependencies } from './destinations/destination-operations.ts'
import { notificationDue } from './due.ts'
import { createEventOperations } from './fan-out/event-operations.ts'
import { forceReleaseFanOut } from './fan-out/lease.ts'
import { productTypeChanges } from './fan-out/product-type-changes.ts'
import { nextFanOutDueAt } from './fan-out/store.ts'
import { createOrderChangePublisher } from './order-changes.ts'
import { oldDeliverySweep } from './retention.ts'
import { createNotificationRoutes } from './routes.ts'
import { createSubscriptionOperations, type SubscriptionDependencies } from './subscriptions/subscription-operations.ts'
import { findOldestSubscriptionTime } from './subscriptions/subscription-store.ts'

export { listDestinations, listQueues } from './destinations/destination-store.ts'
export { countDeliveries, createNotificationGauges } from './gauges.ts'
export { Relay } from './relay.ts'
export { type DestinationSeed, notificationSeeds, type SubscriptionSeed } from './seed.ts'
export { listSubscriptionIds } from './subscriptions/subscription-store.ts'

export type NotificationsDependencies = DestinationDependencies &
  SubscriptionDependencies &
  ApplicationNotifierDependencies & { outbox: Outbox; readings: Pick<Readings, 'destinationPath'> }

export function createNotificationsArea(dependencies: NotificationsDependencies) {
  const subscriptions = createSubscriptionOperations(dependencies)
  const destinations = createDestinationOperations(dependencies)
  const console = createNotificationConsoleOperations(dependencies)
  return {
    routes: createNotificationRoutes(destinations, subscriptions, dependencies.readings, console),
    jobs: {},
    sweeps: [oldDeliverySweep],
    due: notificationDue,
    expanders: { PRODUCT_TYPES_CHANGE: productTypeChanges },
    subscriptions,
    applications: createApplicationNotifier(dependencies),
    publishOrderChanges: createOrderChangePublisher(dependencies.outbox),
    deliveries: createDeliveryOperations(dependencies),
    events: createEventOperations(dependencies),
  }
}

/** Whether events or deliveries are left from an earlier run. */
export async function hasPendingNotifications(reader: Reader): Promise<boolean> {
  if (await nextDestinationDueAt(reader)) return true
  if ((await findOldestSubscriptionTime(reader)) === undefined) return false
  return (await nextFanOutDueAt(reader)) !== undefined || (await readEvents(reader, 1)).length > 0
}

/** Releases all leases, once no process is left that holds one. */
export async function releaseNotificationLeases(tx: Transaction, now: Date): Promise<void> {
  await releaseAllDestinations(tx, now)
  await forceReleaseFanOut(tx)
}
