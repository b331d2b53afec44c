import type { Routes } from '../http/route.ts'
import { createCatalogFactRoutes } from './catalog-facts.ts'
import { createCatalogOperations } from './catalog-operations.ts'
import { createCredentialRoutes } from './credential-routes.ts'
import { createDeliveryRoutes, type DeliveryOperations } from './delivery-routes.ts'
import { createEventRoutes, type EventOperations } from './event-routes.ts'
import { createFactRoutes } from './facts.ts'
import type { JobOperations } from './job-operations.ts'
import { createJobRoutes } from './job-routes.ts'
import { createOperatorOperations, type OperatorDependencies } from './operations.ts'
import { createProductTypeFactRoutes } from './product-type-facts.ts'
import { createProductTypeOperations } from './product-type-operations.ts'

/** The API by which the marketplace's operator tells Souk the facts that sellers then see. */
export function createOperatorApi(
  dependencies: OperatorDependencies & {
    deliveries: DeliveryOperations
    events: EventOperations
    jobs: JobOperations
  },
) {
  const operations = createOperatorOperations(dependencies)
  const routes: Routes = (app) => {
    createFactRoutes(operations)(app)
    createCatalogFactRoutes(createCatalogOperations(dependencies))(app)
    createProductTypeFactRoutes(createProductTypeOperations(dependencies))(app)
    createCredentialRoutes(operations)(app)
    createDeliveryRoutes(dependencies.deliveries)(app)
    createEventRoutes(dependencies.events)(app)
    createJobRoutes(dependencies.jobs)(app)
  }
  return { operations, routes }
}
