import { createSolicitationOperations, type SolicitationsDependencies } from './operations.ts'
import { createSolicitationRoutes } from './routes.ts'

export type { SolicitationPolicy } from './operations.ts'
export { recordSolicitation } from './store.ts'

export function createSolicitationsArea(dependencies: SolicitationsDependencies) {
  const operations = createSolicitationOperations(dependencies)
  return { routes: createSolicitationRoutes(operations), jobs: {}, sweeps: [], expanders: {} }
}
