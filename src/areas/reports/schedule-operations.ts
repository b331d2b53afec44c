import { toWireTime } from '../../document-requests/status.ts'
import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import { requireCreator, type SellerCaller } from '../../platform/auth/caller.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { afterDoing } from '../../platform/errors/explanation.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import { type ReportsDependencies, requireReportType } from './operations.ts'
import { addPeriods } from './period.ts'
import { dequeueSchedules, enqueueSchedule } from './queue.ts'
import {
  countSchedules,
  deleteMatchingSchedules,
  deleteSchedule,
  findSchedule,
  insertSchedule,
  LOCKS_SCHEDULES,
  listSchedules,
  lockSchedules,
  type Schedule,
} from './schedule-store.ts'
import type { CreateReportScheduleBody, ReportSchedule } from './schema.ts'

export type ScheduleOperations = ReturnType<typeof createScheduleOperations>

// getReportSchedules has no pages, and a schedule can have 50 KB of options.
const MAX_SCHEDULES = 250

export function createScheduleOperations(dependencies: ReportsDependencies) {
  const { database, clock, ids } = dependencies

  return {
    async createReportSchedule(
      { sellerId, applicationId }: SellerCaller,
      input: CreateReportScheduleBody,
    ): Promise<{ reportScheduleId: string }> {
      requireReportType(input.reportType)
      const now = clock.now()
      const requestedTime = input.nextReportCreationTime
      const firstAt = requestedTime === undefined ? addPeriods(now, input.period, 1) : parseTimestamp(requestedTime)
      const schedule = {
        sellerId,
        applicationId,
        reportType: input.reportType,
        // Sorted, so that the same marketplaces in another order are the same schedule.
        marketplaceIds: [...new Set(input.marketplaceIds)].sort(),
        options: input.reportOptions ?? {},
        period: input.period,
        firstAt,
        nextAt: firstAt,
      }
      if (firstAt < now) {
        throw invalidParameter('nextReportCreationTime', 'must not be in the past', () => ({
          facts: { nextReportCreationTime: firstAt, now },
          change: { fields: { nextReportCreationTime: toWireTime(addPeriods(now, input.period, 1)) } },
        }))
      }
      const scheduleId = await database.transact(async (tx) => {
        await requireParticipation(tx, sellerId, schedule.marketplaceIds)
        await lockSchedules(tx, schedule)
        await dequeueSchedules(tx, dependencies, await deleteMatchingSchedules(tx, schedule))
        if ((await countSchedules(tx, sellerId, applicationId)) >= MAX_SCHEDULES) throw tooManySchedules()
        return createSchedule(tx, schedule)
      }, LOCKS_SCHEDULES)
      return { reportScheduleId: scheduleId }
    },

    async getReportSchedules(
      { sellerId }: SellerCaller,
      reportTypes: readonly string[],
    ): Promise<{ reportSchedules: ReportSchedule[] }> {
      const schedules = await database.read((reader) => listSchedules(reader, sellerId, reportTypes))
      return { reportSchedules: schedules.map(renderSchedule) }
    },

    async getReportSchedule({ sellerId }: SellerCaller, scheduleId: string): Promise<ReportSchedule> {
      const schedule = await database.read((reader) => findSchedule(reader, { sellerId, scheduleId }))
      if (!schedule) throw notFound(scheduleId)
      return renderSchedule(schedule)
    },

    async cancelReportSchedule(caller: SellerCaller, scheduleId: string): Promise<void> {
      const key = { sellerId: caller.sellerId, scheduleId }
      await database.transact(async (tx) => {
        await lockSchedules(tx, key)
        const schedule = await findSchedule(tx, key)
        if (!schedule) throw notFound(scheduleId)
        requireCreator(caller, schedule.applicationId, 'report schedule')
        await deleteSchedule(tx, key)
        await dequeueSchedules(tx, dependencies, [key])
      }, LOCKS_SCHEDULES)
    },
  }

  async function createSchedule(tx: Transaction, schedule: Omit<Schedule, 'scheduleId'>): Promise<string> {
    for (;;) {
      const scheduleId = ids.next('reportSchedule')
      if (!(await insertSchedule(tx, { ...schedule, scheduleId }))) continue
      await enqueueSchedule(tx, dependencies, { sellerId: schedule.sellerId, scheduleId }, schedule.nextAt)
      return scheduleId
    }
  }
}

const notFound = (scheduleId: string) =>
  new ApiError('NotFound', 'The report schedule was not found.', `The seller has no report schedule ${scheduleId}.`, {
    missing: { kind: 'reportScheduleId', id: scheduleId },
  })

const tooManySchedules = () =>
  new ApiError(
    'InvalidInput',
    'There are too many report schedules.',
    `An application has at most ${MAX_SCHEDULES} report schedules for a seller: cancel those that are not needed.`,
    {
      explain: afterDoing('DELETE /reports/2021-06-30/schedules/{reportScheduleId} for one that is not needed', {
        schedules: MAX_SCHEDULES,
        maximum: MAX_SCHEDULES,
      }),
    },
  )

const renderSchedule = (schedule: Schedule): ReportSchedule => ({
  reportScheduleId: schedule.scheduleId,
  reportType: schedule.reportType,
  marketplaceIds: [...schedule.marketplaceIds],
  reportOptions: { ...schedule.options },
  period: schedule.period,
  nextReportCreationTime: toWireTime(schedule.nextAt),
})
