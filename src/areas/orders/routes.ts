import type { Routes } from '../../http/route.ts'
import type { ConsoleOrderOperations } from './console/operations.ts'
import { createConsoleOrderRoutes } from './console/routes.ts'
import type { OrdersV0Operations } from './v0/operations.ts'
import { createOrdersV0Routes } from './v0/routes.ts'
import type { OrdersV0WriteOperations } from './v0/write-operations.ts'
import type { OrdersOperations } from './v2026-01-01/operations.ts'
import { createOrdersRoutes as createCurrentRoutes } from './v2026-01-01/routes.ts'

export function createOrdersRoutes(
  reads: OrdersV0Operations,
  writes: OrdersV0WriteOperations,
  current: OrdersOperations,
  ofConsole: ConsoleOrderOperations,
): Routes {
  return (app) => {
    createOrdersV0Routes(reads, writes)(app)
    createCurrentRoutes(current)(app)
    createConsoleOrderRoutes(ofConsole)(app)
  }
}
