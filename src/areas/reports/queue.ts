import type { Clock } from '../../platform/clock/port.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { ReportSubject } from './report.ts'
import type { ScheduleKey } from './schedule-store.ts'
import { insertReport, type ReportKey } from './store.ts'

export interface ReportQueueDependencies {
  clock: Clock
  ids: Ids
  jobs: JobQueue
  outbox: Outbox
  /** Minimum time that a report spends in each state. */
  delayMilliseconds: number
}

export const PROCESS_REPORT = 'processReport'
export const FIRE_SCHEDULE = 'fireReportSchedule'

export type ProcessReportPayload = ReportKey
export type FireSchedulePayload = ScheduleKey

/** Queues a new report, requested or scheduled, that is processed at `notBefore` at the earliest. Returns its id. */
export async function enqueueReport(
  tx: Transaction,
  { clock, ids, jobs, delayMilliseconds }: ReportQueueDependencies,
  subject: ReportSubject & { scheduleId?: string },
  notBefore = new Date(0),
): Promise<string> {
  const now = clock.now()
  for (;;) {
    const reportId = ids.next('report')
    if (!(await insertReport(tx, { ...subject, reportId, status: 'IN_QUEUE', createdAt: now }))) continue
    const runAt = new Date(Math.max(now.getTime() + delayMilliseconds, notBefore.getTime()))
    await enqueueProcessing(tx, { jobs }, { sellerId: subject.sellerId, reportId }, runAt)
    return reportId
  }
}

/** Sellers take turns: one with a thousand reports does not delay the others. */
export async function enqueueProcessing(
  tx: Transaction,
  { jobs }: Pick<ReportQueueDependencies, 'jobs'>,
  { sellerId, reportId }: ReportKey,
  runAt: Date,
): Promise<void> {
  const payload: ProcessReportPayload = { sellerId, reportId }
  await jobs.enqueue(tx, { kind: PROCESS_REPORT, payload, runAt, owner: sellerId })
}

export async function enqueueSchedule(
  tx: Transaction,
  { jobs }: Pick<ReportQueueDependencies, 'jobs'>,
  { sellerId, scheduleId }: ScheduleKey,
  nextAt: Date,
): Promise<void> {
  const payload: FireSchedulePayload = { sellerId, scheduleId }
  // A line of its own: it does not wait for the seller's reports.
  const owner = `${sellerId}/schedules`
  await jobs.enqueue(tx, { kind: FIRE_SCHEDULE, payload, runAt: nextAt, key: keyOf(payload), owner })
}

/** The next run of a schedule may be years away: its job must not outlive it. */
export const dequeueSchedules = (
  tx: Transaction,
  { jobs }: Pick<ReportQueueDependencies, 'jobs'>,
  schedules: readonly ScheduleKey[],
): Promise<void> => jobs.remove(tx, FIRE_SCHEDULE, schedules.map(keyOf))

const keyOf = ({ sellerId, scheduleId }: ScheduleKey) => JSON.stringify([sellerId, scheduleId])
