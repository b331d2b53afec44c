import { createListingReadOperations } from './queries/operations.ts'
import { createListingRoutes } from './routes.ts'
import { createListingWriteOperations, type WriteDependencies } from './submission/operations.ts'
import { createListingWriter, type WriterDependencies } from './submission/writer.ts'

export type ListingsDependencies = Omit<WriteDependencies, 'writer'> & WriterDependencies

export function createListingsArea(dependencies: ListingsDependencies) {
  const writer = createListingWriter(dependencies)
  const reads = createListingReadOperations(dependencies)
  const writes = createListingWriteOperations({ ...dependencies, writer })
  return { writer, routes: createListingRoutes(reads, writes) }
}
