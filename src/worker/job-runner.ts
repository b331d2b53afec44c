import { createFeedJobs } from '../areas/feeds/jobs.ts'
import { createFeedProcessors } from '../areas/feeds/processing/processors.ts'
import { createListingJobs } from '../areas/listings/jobs.ts'
import { createItemRenderer } from '../areas/listings/queries/item-renderer.ts'
import { listListingRows } from '../areas/listings/store/listing-pages.ts'
import { createBulkListings } from '../areas/listings/submission/bulk.ts'
import { createListingWriter } from '../areas/listings/submission/writer.ts'
import { invalidateSummaries } from '../areas/pricing/summary/invalidation.ts'
import { createReportJobs } from '../areas/reports/jobs.ts'
import type { WorkerOptions } from '../config/config.ts'
import { createOfferWriter } from '../marketplace/offers/offers.ts'
import { ProductTypes } from '../marketplace/product-types/index.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import type { Ids } from '../platform/ids/port.ts'
import { createJobQueue } from '../platform/jobs/job-queue.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Messenger } from '../platform/messaging/port.ts'
import { createOutbox } from '../platform/outbox/outbox.ts'

export interface WorkerPlatform {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  documents: DocumentStore
  messenger: Messenger
}

const HOUR_MILLISECONDS = 60 * 60 * 1000

/** Starts to do the jobs of all areas. The one place that knows which area has which. */
export function startJobRunner(
  platform: WorkerPlatform,
  { delayMilliseconds, concurrency, leaseSeconds, jobOutageHours }: WorkerOptions,
  onEvents: () => void = () => {},
): JobRunner {
  const outbox = createOutbox(platform.ids, onEvents)
  const dependencies = { ...platform, outbox, jobs: createJobQueue(platform.ids), delayMilliseconds }
  const productTypes = new ProductTypes()
  const writer = createListingWriter({ ...dependencies, offers: createOfferWriter(invalidateSummaries) })
  const renderer = createItemRenderer({ ...dependencies, productTypes })
  const listings = createBulkListings({ writer, productTypes, renderer })
  const handlers = {
    ...createReportJobs({ ...dependencies, listListingRows }),
    ...createListingJobs({ writer }),
    ...createFeedJobs({ ...dependencies, processors: createFeedProcessors({ ...dependencies, listings }) }),
  }
  const outageLimitMilliseconds = jobOutageHours * HOUR_MILLISECONDS
  return new JobRunner({ ...platform, concurrency, leaseSeconds, outageLimitMilliseconds, handlers })
}
