import { type ActDependencies, createActRoutes, createActs } from '../acts/index.ts'
import type { Routes } from '../http/route.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { createAuditOperations, createOldAuditSweep } from './audit/operations.ts'
import { createAuditHooks, createAuditRoutes } from './audit/routes.ts'
import { createDeliveryRoutes, type DeliveryOperations } from './background/delivery-routes.ts'
import { createEventRoutes, type EventOperations } from './background/event-routes.ts'
import type { JobOperations } from './background/job-operations.ts'
import { createJobRoutes } from './background/job-routes.ts'
import { type ConsoleAccountDependencies, createConsoleAccountOperations } from './console-accounts/operations.ts'
import { createConsoleAccountRoutes } from './console-accounts/routes.ts'
import type { CredentialDependencies } from './credentials/dependencies.ts'
import { createCredentialOperations } from './credentials/operations.ts'
import { createCredentialResourceRoutes } from './credentials/resources.ts'
import { createRotationOperations } from './credentials/rotation-operations.ts'
import { createCredentialRoutes } from './credentials/routes.ts'
import { type CatalogDependencies, createCatalogOperations } from './resources/catalog-operations.ts'
import { createCatalogResourceRoutes } from './resources/catalog-resources.ts'
import { createResourceOperations, type ResourceDependencies } from './resources/operations.ts'
import { createProductTypeOperations } from './resources/product-type-operations.ts'
import { createProductTypeResourceRoutes } from './resources/product-type-resources.ts'
import { createResourceRoutes } from './resources/resources.ts'
import { createUsageFlush } from './usage/flush.ts'
import { createUsageOperations, createUsageSweep } from './usage/operations.ts'
import { createUsageHooks, createUsageRoutes } from './usage/routes.ts'
import { UsageCounter } from './usage/usage-counter.ts'

/** The API through which the operator of the marketplace supplies data and manages background work. */
export function createOperatorApi(
  dependencies: ResourceDependencies &
    CredentialDependencies &
    ConsoleAccountDependencies &
    CatalogDependencies & {
      deliveries: DeliveryOperations
      events: EventOperations
      jobs: JobOperations
      acts: Omit<ActDependencies, 'findDefaults'>
      logger: Logger
      /** For how many days the audit log is kept. */
      auditDays: number
    },
) {
  const credentials = createCredentialOperations(dependencies)
  const acts = createActs({ ...dependencies.acts, findDefaults: async () => ({}) })
  const audit = createAuditOperations(dependencies)
  const counter = new UsageCounter(dependencies.clock, () => {
    flush().catch((err: unknown) => dependencies.logger.warn({ err }, 'cannot write usage counts; retrying'))
  })
  const flush = createUsageFlush({ ...dependencies, counter })
  const usage = createUsageOperations({ ...dependencies, flush })
  const routes: Routes = (app) => {
    createAuditRoutes(audit)(app)
    createUsageRoutes(usage)(app)
    createResourceRoutes(createResourceOperations(dependencies))(app)
    createCredentialResourceRoutes(credentials)(app)
    createCatalogResourceRoutes(createCatalogOperations(dependencies))(app)
    createProductTypeResourceRoutes(createProductTypeOperations(dependencies))(app)
    createCredentialRoutes(credentials, createRotationOperations(dependencies))(app)
    createConsoleAccountRoutes(createConsoleAccountOperations(dependencies))(app)
    createDeliveryRoutes(dependencies.deliveries)(app)
    createEventRoutes(dependencies.events)(app)
    createJobRoutes(dependencies.jobs)(app)
    createActRoutes(acts, {
      path: '/operator/v1/acts',
      access: 'operator',
      tag: 'operator',
      operationPrefix: 'perform',
    })(app)
  }
  /** On all routes that are registered later. */
  const hooks: Routes = (app) => {
    createAuditHooks(audit)(app)
    createUsageHooks(counter)(app)
  }
  return {
    routes,
    hooks,
    sweeps: [createUsageSweep(flush), createOldAuditSweep(dependencies.auditDays)],
    /** Forgets what was counted and is not written. */
    forget: () => void counter.take(),
    /** Writes what was counted. */
    flush,
  }
}
