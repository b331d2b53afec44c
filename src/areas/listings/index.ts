import type { JobQueue } from '../../platform/jobs/port.ts'
import { createListingWriteOperations, type WriteDependencies } from './operations.ts'
import { createListingReadOperations } from './read-operations.ts'
import { createListingRoutes } from './routes.ts'
import { createListingWriter, type WriterDependencies } from './writer.ts'

export type ListingsDependencies = Omit<WriteDependencies, 'writer' | 'jobs'> &
  Omit<WriterDependencies, 'jobs'> & { jobs: JobQueue }

export function createListingsArea(dependencies: ListingsDependencies) {
  const writer = createListingWriter(dependencies)
  const reads = createListingReadOperations(dependencies)
  const writes = createListingWriteOperations({ ...dependencies, writer })
  return { writer, routes: createListingRoutes(reads, writes) }
}
