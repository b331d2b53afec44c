import { createReportOperations, type ReportsDependencies } from './operations.ts'
import { reportRetryHandlers } from './queue.ts'
import { createReportRoutes } from './routes.ts'
import { createScheduleOperations } from './schedule-operations.ts'

export function createReportsArea(dependencies: ReportsDependencies) {
  const operations = createReportOperations(dependencies)
  return {
    operations,
    routes: createReportRoutes(operations, createScheduleOperations(dependencies)),
    revivers: reportRetryHandlers,
  }
}
