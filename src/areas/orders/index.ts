import { createConsoleOrderOperations } from './console/operations.ts'
import { createOrdersRoutes } from './routes.ts'
import { createOrdersV0Operations } from './v0/operations.ts'
import { createOrdersV0WriteOperations, type OrderWriteDependencies } from './v0/write-operations.ts'
import { createOrdersOperations } from './v2026-01-01/operations.ts'

export type OrdersDependencies = OrderWriteDependencies

export function createOrdersArea(dependencies: OrdersDependencies) {
  const routes = createOrdersRoutes(
    createOrdersV0Operations(dependencies),
    createOrdersV0WriteOperations(dependencies),
    createOrdersOperations(dependencies),
    createConsoleOrderOperations(dependencies),
  )
  return { routes, jobs: {}, sweeps: [], due: [], expanders: {} }
}
