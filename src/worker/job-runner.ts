import { createFeedJobs } from '../areas/feeds/jobs.ts'
import { createFeedProcessors } from '../areas/feeds/processors.ts'
import { createBulkListings } from '../areas/listings/bulk.ts'
import { createItemRenderer } from '../areas/listings/item-renderer.ts'
import { createListingJobs } from '../areas/listings/jobs.ts'
import { createListingWriter } from '../areas/listings/writer.ts'
import { createReportJobs } from '../areas/reports/jobs.ts'
import type { WorkerConfig } from '../config/config.ts'
import { ProductTypes } from '../marketplace/product-types/index.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import type { Ids } from '../platform/ids/port.ts'
import { createJobQueue } from '../platform/jobs/job-queue.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { createOutbox } from '../platform/outbox/outbox.ts'

export interface WorkerPlatform {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  documents: DocumentStore
}

export interface WorkerOptions extends WorkerConfig {
  /** How long a job stays in each of its states at least, so that somebody who polls can see them. */
  delayMilliseconds: number
}

/** Starts to do the jobs of all areas. The one place that knows which area has which. */
export function startJobRunner(platform: WorkerPlatform, options: WorkerOptions): JobRunner {
  const { delayMilliseconds, ...limits } = options
  const outbox = createOutbox(platform.ids)
  const dependencies = { ...platform, jobs: createJobQueue(platform.ids), outbox, delayMilliseconds }
  const productTypes = new ProductTypes()
  const writer = createListingWriter(dependencies)
  const renderer = createItemRenderer({ ...dependencies, productTypes })
  const listings = createBulkListings({ writer, productTypes, renderer })
  const handlers = {
    ...createReportJobs(dependencies),
    ...createListingJobs({ writer }),
    ...createFeedJobs({ ...dependencies, processors: createFeedProcessors({ ...platform, listings }) }),
  }
  return new JobRunner({ ...platform, ...limits, handlers })
}
