import { createDeliveryOperations } from './delivery/delivery-operations.ts'
import { createDestinationOperations, type DestinationDependencies } from './destinations/destination-operations.ts'
import { createEventOperations } from './fan-out/event-operations.ts'
import { createNotificationGauges } from './gauges.ts'
import { createNotificationRoutes } from './routes.ts'
import { createSubscriptionOperations, type SubscriptionDependencies } from './subscriptions/subscription-operations.ts'

export type NotificationsDependencies = DestinationDependencies & SubscriptionDependencies

export function createNotificationsArea(dependencies: NotificationsDependencies) {
  const subscriptions = createSubscriptionOperations(dependencies)
  return {
    subscriptions,
    deliveries: createDeliveryOperations(dependencies),
    events: createEventOperations(dependencies),
    gauges: createNotificationGauges(dependencies.database),
    routes: createNotificationRoutes(createDestinationOperations(dependencies), subscriptions),
  }
}
