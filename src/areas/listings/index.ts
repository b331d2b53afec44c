import { createListingConsoleOperations } from './console/operations.ts'
import { createListingJobs } from './jobs.ts'
import { createItemRenderer } from './queries/item-renderer.ts'
import { createListingReadOperations } from './queries/operations.ts'
import { oldHistorySweep } from './retention.ts'
import { createListingRoutes } from './routes.ts'
import { createBulkListings } from './submission/bulk.ts'
import { createListingWriteOperations, type WriteDependencies } from './submission/operations.ts'
import { createStock } from './submission/stock.ts'
import { createListingWriter, type WriterDependencies } from './submission/writer.ts'

export { isIssueKind } from './domain/issues.ts'
export { findAsinsBySku, findListedProducts, findListedSkus, listSkus } from './store/listed-products.ts'
export { countListings, listListingRows } from './store/listing-pages.ts'
export { describeListing, issuesByDefault, listListingSeeds, seedListings } from './submission/seed.ts'

export type ListingsDependencies = Omit<WriteDependencies, 'writer'> & WriterDependencies

export function createListingsArea(dependencies: ListingsDependencies) {
  const writer = createListingWriter(dependencies)
  const reads = createListingReadOperations(dependencies)
  const writes = createListingWriteOperations({ ...dependencies, writer })
  return {
    routes: createListingRoutes(reads, writes, createListingConsoleOperations(dependencies)),
    jobs: createListingJobs({ writer }),
    sweeps: [oldHistorySweep],
    due: [],
    expanders: {},
    moveStock: createStock({ writer }),
    bulk: createBulkListings({ ...dependencies, writer, renderer: createItemRenderer(dependencies) }),
  }
}
