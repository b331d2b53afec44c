import type { Migration } from '../platform/database/migrate.ts'

/** Without this index, deleting a subscription scans every delivery of its application. */
export const deliveriesBySubscription: Migration = {
  name: '0012-deliveries-by-subscription',
  statements() {
    return ['create index deliveries_by_subscription on deliveries (application_id, subscription_id)']
  },
}
