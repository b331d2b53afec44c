import type { Routes } from '../http/route.ts'
import { createDeliveryRoutes, type DeliveryOperations } from './background/delivery-routes.ts'
import { createEventRoutes, type EventOperations } from './background/event-routes.ts'
import type { JobOperations } from './background/job-operations.ts'
import { createJobRoutes } from './background/job-routes.ts'
import { createCredentialRoutes } from './credentials/routes.ts'
import { type CatalogDependencies, createCatalogOperations } from './resources/catalog-operations.ts'
import { createCatalogResourceRoutes } from './resources/catalog-resources.ts'
import { createOperatorOperations, type OperatorDependencies } from './resources/operations.ts'
import { createProductTypeOperations } from './resources/product-type-operations.ts'
import { createProductTypeResourceRoutes } from './resources/product-type-resources.ts'
import { createResourceRoutes } from './resources/resources.ts'

/** The API by which the marketplace's operator tells Souk the facts that sellers then see. */
export function createOperatorApi(
  dependencies: OperatorDependencies &
    CatalogDependencies & {
      deliveries: DeliveryOperations
      events: EventOperations
      jobs: JobOperations
    },
) {
  const operations = createOperatorOperations(dependencies)
  const routes: Routes = (app) => {
    createResourceRoutes(operations)(app)
    createCatalogResourceRoutes(createCatalogOperations(dependencies))(app)
    createProductTypeResourceRoutes(createProductTypeOperations(dependencies))(app)
    createCredentialRoutes(operations)(app)
    createDeliveryRoutes(dependencies.deliveries)(app)
    createEventRoutes(dependencies.events)(app)
    createJobRoutes(dependencies.jobs)(app)
  }
  return { operations, routes }
}
