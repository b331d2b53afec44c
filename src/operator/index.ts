import type { Routes } from '../http/route.ts'
import { createCredentialRoutes } from './credential-routes.ts'
import { createFactRoutes } from './facts.ts'
import { createOperatorOperations, type OperatorDependencies } from './operations.ts'

/** The API by which the marketplace's operator tells Souk the facts that sellers then see. */
export function createOperatorApi(dependencies: OperatorDependencies) {
  const operations = createOperatorOperations(dependencies)
  const routes: Routes = (app) => {
    createFactRoutes(operations)(app)
    createCredentialRoutes(operations)(app)
  }
  return { operations, routes }
}
