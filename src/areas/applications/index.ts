import { credentialDue } from './due.ts'
import { type ApplicationJobDependencies, createApplicationJobs } from './jobs.ts'
import { createApplicationOperations, type ApplicationsDependencies as OperationDependencies } from './operations.ts'
import { createApplicationRoutes } from './routes.ts'

export { seedWarnings } from './jobs.ts'

export type ApplicationsDependencies = OperationDependencies & ApplicationJobDependencies

export function createApplicationsArea(dependencies: ApplicationsDependencies) {
  return {
    routes: createApplicationRoutes(createApplicationOperations(dependencies)),
    jobs: createApplicationJobs(dependencies),
    sweeps: [],
    due: credentialDue,
    expanders: {},
  }
}
