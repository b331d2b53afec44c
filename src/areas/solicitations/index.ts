import { createSolicitationDue } from './due.ts'
import { createSolicitationOperations, type SolicitationsDependencies } from './operations.ts'
import { createSolicitationRoutes } from './routes.ts'

export type { SolicitationPolicy } from './operations.ts'
export { listSolicitations, recordSolicitation, recordSolicitations, type Solicitation } from './store.ts'

export function createSolicitationsArea(dependencies: SolicitationsDependencies) {
  const operations = createSolicitationOperations(dependencies)
  return {
    routes: createSolicitationRoutes(operations),
    jobs: {},
    sweeps: [],
    due: createSolicitationDue(dependencies.policy.window),
    expanders: {},
  }
}
