import type { Migration } from '../platform/database/migrate.ts'

/** A seller lists deliveries newest first: one range of this index per subscription and state. */
export const deliveriesByTime: Migration = {
  name: '0023-deliveries-by-time',
  indexes: [
    {
      name: 'deliveries_of_subscription_by_time',
      on: 'deliveries (application_id, subscription_id, state, event_time, delivery_id)',
    },
  ],
}

/** The new index begins with the same columns. */
export const dropDeliveriesBySubscription: Migration = {
  name: '0024-drop-deliveries-by-subscription',
  statements: () => ['drop index deliveries_by_subscription'],
}
