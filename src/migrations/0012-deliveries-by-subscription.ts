import type { Migration } from '../platform/database/migrate.ts'

/** Without it, the end of any subscription had every delivery of its application looked at. */
export const deliveriesBySubscription: Migration = {
  name: '0012-deliveries-by-subscription',
  statements() {
    return ['create index deliveries_by_subscription on deliveries (application_id, subscription_id)']
  },
}
