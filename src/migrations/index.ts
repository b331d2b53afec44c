import type { Migration } from '../platform/database/migrate.ts'
import { init } from './0001-init.ts'
import { reports } from './0002-reports.ts'
import { listings } from './0003-listings.ts'
import { listingHints } from './0004-listing-hints.ts'
import { feeds } from './0005-feeds.ts'
import { pricing } from './0006-pricing.ts'
import { notifications } from './0007-notifications.ts'
import { tenancy } from './0008-tenancy.ts'
import { fanOuts } from './0009-fan-outs.ts'
import { givenUpJobs } from './0010-given-up-jobs.ts'
import { submittedDocuments } from './0011-submitted-documents.ts'
import { deliveriesBySubscription } from './0012-deliveries-by-subscription.ts'
import { orders } from './0013-orders.ts'
import { applicationSecrets } from './0014-application-secrets.ts'
import { uploads } from './0015-uploads.ts'
import { orderIndexes } from './0016-order-indexes.ts'
import { stockTaken } from './0017-stock-taken.ts'
import { life } from './0018-life.ts'
import { localQueue } from './0019-local-queue.ts'
import { previousSecretExpiry } from './0020-previous-secret-expiry.ts'
import { dueTimes } from './0021-due-times.ts'
import { webConsole } from './0022-console.ts'
import { deliveriesByTime, dropDeliveriesBySubscription } from './0023-deliveries-by-time.ts'
import { redirectUris } from './0025-redirect-uris.ts'
import { operationsRecord } from './0026-operations-record.ts'
import { signInFailures } from './0027-sign-in-failures.ts'
import { listingHistory } from './0028-listing-history.ts'
import { sentNotifications } from './0029-sent-notifications.ts'
import { dropListingsBySku, postgresStorage } from './0031-postgres-storage.ts'
import { outboxShards, queueTables } from './0033-outbox-shards.ts'
import { jobOwners, jobsByOwner } from './0035-job-owners.ts'
import { catalogKeys } from './0037-catalog-keys.ts'
import { requiredMigrations } from './0038-required-migrations.ts'
import { noticesInPlace } from './0039-notices-in-place.ts'
import { runningJobs } from './0040-running-jobs.ts'
import { listingsByFnSku } from './0041-listings-by-fn-sku.ts'
import { waitingFeeds } from './0042-waiting-feeds.ts'
import { fanOutShards } from './0043-fan-out-shards.ts'
import { feedMessages } from './0044-feed-messages.ts'
import { jobsWithoutOwner } from './0045-jobs-without-owner.ts'
import { deliveryBundles } from './0046-delivery-bundles.ts'

/** In the order of execution. Never change a released migration; add a new one. */
export const migrations: readonly Migration[] = [
  init,
  reports,
  listings,
  listingHints,
  feeds,
  pricing,
  notifications,
  tenancy,
  fanOuts,
  givenUpJobs,
  submittedDocuments,
  deliveriesBySubscription,
  orders,
  applicationSecrets,
  uploads,
  orderIndexes,
  stockTaken,
  life,
  localQueue,
  previousSecretExpiry,
  dueTimes,
  webConsole,
  deliveriesByTime,
  dropDeliveriesBySubscription,
  redirectUris,
  operationsRecord,
  signInFailures,
  listingHistory,
  sentNotifications,
  postgresStorage,
  dropListingsBySku,
  outboxShards,
  queueTables,
  jobOwners,
  jobsByOwner,
  catalogKeys,
  requiredMigrations,
  noticesInPlace,
  runningJobs,
  listingsByFnSku,
  waitingFeeds,
  fanOutShards,
  feedMessages,
  jobsWithoutOwner,
  deliveryBundles,
]
