import { createUploadOperations, type UploadsDependencies } from './operations.ts'
import { createUploadSweep } from './retention.ts'
import { createUploadRoutes } from './routes.ts'

export function createUploadsArea(dependencies: UploadsDependencies) {
  return {
    routes: createUploadRoutes(createUploadOperations(dependencies)),
    jobs: {},
    sweeps: [createUploadSweep(dependencies.documents)],
    due: [],
    expanders: {},
  }
}
