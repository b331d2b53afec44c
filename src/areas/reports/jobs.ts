import { postponeUntilDelayIsOver } from '../../document-requests/delay.ts'
import { isFinal } from '../../document-requests/status.ts'
import { isStillAuthorized } from '../../marketplace/accounts/authorizations.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { writeCompressed } from '../../platform/documents/write-compressed.ts'
import type { JobContext, JobHandler, JobHandlers } from '../../platform/jobs/port.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { finishReport } from './finish-report.ts'
import { adjacentRuns, firstRunToCatchUp } from './period.ts'
import {
  enqueueProcessing,
  enqueueReport,
  enqueueSchedule,
  FIRE_SCHEDULE,
  type FireSchedulePayload,
  PROCESS_REPORT,
  type ProcessReportPayload,
  type ReportQueueDependencies,
} from './queue.ts'
import { documentKey, type Report } from './report.ts'
import { deleteSchedule, findSchedule, LOCKS_SCHEDULES, lockSchedules, setNextRun } from './schedule-store.ts'
import { findReport, resetReport, updateReportStatus } from './store.ts'
import { reportTypes } from './types/index.ts'
import type { ReportSources } from './types/report-type.ts'

export interface ReportJobDependencies extends ReportQueueDependencies, ReportSources {
  documents: DocumentStore
  logger: Logger
  /** How long the report of a schedule waits after its period for changes that are not committed yet. */
  settlingMilliseconds: number
}

const PROGRESS_EVERY_ROWS = 100_000

export function createReportJobs(dependencies: ReportJobDependencies): JobHandlers {
  return {
    [PROCESS_REPORT]: createProcessReport(dependencies),
    [FIRE_SCHEDULE]: createFireSchedule(dependencies),
  }
}

function createProcessReport(dependencies: ReportJobDependencies): JobHandler<ProcessReportPayload> {
  const { database, clock, ids, documents, logger, delayMilliseconds } = dependencies
  return {
    async run(key, { signal, finish }: JobContext) {
      const report = await database.transact((tx) => start(tx, key))
      if (!report) return
      postponeUntilDelayIsOver(report.startedAt, clock, delayMilliseconds)
      const { rows, bytes } = await write(report, signal)
      const status = rows === 0 && bytes === 0 ? 'CANCELLED' : 'DONE'
      await finish(async (tx) => {
        await finishReport(tx, dependencies, key, status)
      })
      logger.info({ ...logFields(report), rows, bytes }, status === 'DONE' ? 'report done' : 'report has no data')
    },

    async giveUp(tx, key) {
      await start(tx, key)
      await finishReport(tx, dependencies, key, 'FATAL')
    },

    async reset(tx, key) {
      if (!(await resetReport(tx, key))) return 'obsolete'
      await enqueueProcessing(tx, dependencies, key, clock.now())
      return 'enqueued'
    },

    async cancel(tx, key) {
      await start(tx, key)
      await finishReport(tx, dependencies, key, 'CANCELLED')
    },

    async typeOf(key) {
      return (await database.read((reader) => findReport(reader, key)))?.reportType
    },

    async isObsolete(key) {
      const report = await database.read((reader) => findReport(reader, key))
      return !report || isFinal(report.status)
    },
  }

  /** Returns undefined if the report was cancelled or is done. */
  async function start(tx: Transaction, key: ProcessReportPayload): Promise<Required<Report> | undefined> {
    // A retried report keeps its document id, because the document may already be written.
    const documentId = (await findReport(tx, key))?.documentId ?? ids.next('reportDocument')
    await updateReportStatus(tx, key, 'IN_PROGRESS', { startedAt: clock.now(), documentId })
    const report = await findReport(tx, key)
    return report?.status === 'IN_PROGRESS' ? (report as Required<Report>) : undefined
  }

  async function write(report: Required<Report>, signal: AbortSignal) {
    const type = reportTypes.get(report.reportType)
    if (!type) throw new Error(`There is no report type ${report.reportType}`)
    logger.info(logFields(report), 'report in progress')
    let loggedRows = 0
    const chunks = type.write(dependencies, {
      sellerId: report.sellerId,
      marketplaceIds: report.marketplaceIds,
      from: report.dataStartAt.toISOString(),
      to: report.dataEndAt.toISOString(),
    })
    return writeCompressed(documents, documentKey(report.documentId), chunks, signal, (rows) => {
      if (rows - loggedRows < PROGRESS_EVERY_ROWS) return
      loggedRows = rows
      logger.info({ ...logFields(report), rows }, 'report in progress')
    })
  }
}

const logFields = ({ sellerId, reportId, reportType }: Report) => ({ seller: sellerId, reportId, reportType })

function createFireSchedule(dependencies: ReportJobDependencies): JobHandler<FireSchedulePayload> {
  const { clock, logger, settlingMilliseconds } = dependencies
  return {
    async run(key, { finish }) {
      await finish(
        async (tx) => {
          const schedule = await findSchedule(tx, key)
          if (!schedule) return
          // The operator retried a run that was given up, and the schedule has moved on.
          if (schedule.nextAt > clock.now()) return enqueueSchedule(tx, dependencies, key, schedule.nextAt)
          if (!(await isStillAuthorized(tx, schedule))) return deleteSchedule(tx, key)
          const due = firstRunToCatchUp(schedule.nextAt, schedule.period, clock.now())
          const { previous, next } = adjacentRuns(due, schedule)
          const subject = {
            sellerId: schedule.sellerId,
            ...(schedule.applicationId !== undefined && { applicationId: schedule.applicationId }),
            reportType: schedule.reportType,
            marketplaceIds: schedule.marketplaceIds,
            options: schedule.options,
            dataStartAt: previous,
            // The end of the period belongs to the next report.
            dataEndAt: new Date(due.getTime() - 1),
            scheduleId: schedule.scheduleId,
          }
          // No later report would have a change of this period that is committed after this one was read.
          const settledAt = new Date(due.getTime() + settlingMilliseconds)
          await enqueueReport(tx, dependencies, subject, settledAt)
          await setNextRun(tx, key, next)
          await enqueueSchedule(tx, dependencies, key, next)
        },
        { ...LOCKS_SCHEDULES, lockFirst: (tx) => lockSchedules(tx, key) },
      )
      logger.info({ seller: key.sellerId, reportScheduleId: key.scheduleId }, 'report schedule fired')
    },

    /** Skips this report; the schedule continues with the next run. */
    async giveUp(tx, key) {
      const schedule = await findSchedule(tx, key)
      if (!schedule) return
      const { next } = adjacentRuns(schedule.nextAt, schedule)
      await setNextRun(tx, key, next)
      await enqueueSchedule(tx, dependencies, key, next)
    },
  }
}
