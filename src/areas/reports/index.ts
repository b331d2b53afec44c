import { createReportJobs, type ReportJobDependencies } from './jobs.ts'
import { createReportOperations, type ReportsDependencies as OperationDependencies } from './operations.ts'
import { createReportSweep } from './retention.ts'
import { createReportRoutes } from './routes.ts'
import { createScheduleOperations } from './schedule-operations.ts'

export { listScheduleIds } from './schedule-store.ts'
export { listReportDocumentIds, listReportIds } from './store.ts'

export type ReportsDependencies = OperationDependencies & ReportJobDependencies

export function createReportsArea(dependencies: ReportsDependencies) {
  return {
    routes: createReportRoutes(createReportOperations(dependencies), createScheduleOperations(dependencies)),
    jobs: createReportJobs(dependencies),
    sweeps: [createReportSweep(dependencies.documents)],
    due: [],
    expanders: {},
  }
}
