import { createApplicationsArea } from '../areas/applications/index.ts'
import { createCatalogArea } from '../areas/catalog/index.ts'
import { createDefinitionsArea } from '../areas/definitions/index.ts'
import { createFeedsArea } from '../areas/feeds/index.ts'
import {
  createListingsArea,
  findAsinsBySku,
  findListedProducts,
  findListedSkus,
  listListingRows,
} from '../areas/listings/index.ts'
import { createNotificationsArea, type NotificationsDependencies } from '../areas/notifications/index.ts'
import { createOrdersArea } from '../areas/orders/index.ts'
import { createPricingArea, invalidateSummaries } from '../areas/pricing/index.ts'
import { createReportsArea } from '../areas/reports/index.ts'
import { createRestrictionsArea } from '../areas/restrictions/index.ts'
import { createSellersArea } from '../areas/sellers/index.ts'
import { createSolicitationsArea, type SolicitationPolicy } from '../areas/solicitations/index.ts'
import { createTokensArea, type TokensDependencies } from '../areas/tokens/index.ts'
import { createUploadsArea } from '../areas/uploads/index.ts'
import { defaultPolicy } from '../config/config.ts'
import { createCatalogWriter } from '../marketplace/catalog/index.ts'
import { createCompetitorOffers } from '../marketplace/offers/competitor-offers.ts'
import { createOfferWriter } from '../marketplace/offers/offers.ts'
import { ProductTypes } from '../marketplace/product-types/index.ts'
import { createOrderWriter } from '../marketplace/trade/order-writer.ts'
import type { Sealer } from '../platform/auth/sealer.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import type { Ids } from '../platform/ids/port.ts'
import { createJobQueue } from '../platform/jobs/job-queue.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Outbox } from '../platform/outbox/outbox.ts'
import { defaultReadings, type Readings } from '../platform/readings.ts'
import type { Limits } from '../platform/throttle/limits.ts'
import type { Area } from './area.ts'

export interface WorkerAreaDependencies {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  documents: DocumentStore
  outbox: Outbox
  sealer: Sealer
  delayMilliseconds: number
  settlingMilliseconds: number
  wakeWorker(): void
}

export interface AreaDependencies extends WorkerAreaDependencies {
  jobs: JobQueue
  limits: Limits
  failureLimits: Limits
  publicUrl(): string
  solicitations: SolicitationPolicy
  readings: Readonly<Readings>
  digestSecret?: TokensDependencies['digestSecret']
  prepareTarget: NotificationsDependencies['prepareTarget']
}

export type Areas = ReturnType<typeof createAreas>

/** The one place that knows which area gets what. */
export function createAreas(dependencies: AreaDependencies) {
  const productTypes = new ProductTypes()
  const offers = createOfferWriter(invalidateSummaries)
  const listings = createListingsArea({ ...dependencies, productTypes, offers })
  const notifications = createNotificationsArea(dependencies)
  const orders = createOrderWriter({
    moveStock: listings.moveStock,
    onOrdersChanged: notifications.publishOrderChanges,
  })
  const feeds = createFeedsArea({
    ...dependencies,
    listings: listings.bulk,
    orders,
  })
  const all: readonly Area[] = [
    createTokensArea(dependencies),
    createApplicationsArea({ ...dependencies, applicationNotifier: notifications.applications }),
    createSellersArea(dependencies),
    createSolicitationsArea({ ...dependencies, policy: dependencies.solicitations }),
    createOrdersArea({ ...dependencies, orders }),
    createCatalogArea({ ...dependencies, findAsinsBySku }),
    createRestrictionsArea(dependencies),
    createDefinitionsArea({ ...dependencies, productTypes }),
    listings,
    createPricingArea({ ...dependencies, findListedProducts }),
    createReportsArea({ ...dependencies, listListingRows }),
    feeds,
    createUploadsArea(dependencies),
    notifications,
  ]
  return {
    all,
    notifications,
    uploads: feeds.uploads,
    offers,
    orders,
    catalog: createCatalogWriter(invalidateSummaries),
    competitorOffers: createCompetitorOffers({ ...dependencies, offers }),
    findListedSkus,
    moveStock: listings.moveStock,
  }
}

const UNLIMITED: Limits = { of: () => ({ take: () => true, retryAfterSeconds: 0 }) }

/** A worker serves no requests, so what only requests use has no effect. */
export const createWorkerAreas = (dependencies: WorkerAreaDependencies): Areas =>
  createAreas({
    ...dependencies,
    jobs: createJobQueue(dependencies.ids),
    limits: UNLIMITED,
    failureLimits: UNLIMITED,
    publicUrl: () => '',
    solicitations: defaultPolicy,
    readings: defaultReadings,
    async prepareTarget() {},
  })
