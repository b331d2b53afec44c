import { createDefinitionOperations, type DefinitionsDependencies } from './operations.ts'
import { createDefinitionRoutes } from './routes.ts'

export function createDefinitionsArea(dependencies: DefinitionsDependencies) {
  const operations = createDefinitionOperations(dependencies)
  return { routes: createDefinitionRoutes(operations), jobs: {}, sweeps: [], due: [], expanders: {} }
}
