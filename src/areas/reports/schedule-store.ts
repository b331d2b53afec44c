import type { Reader, Transaction, TransactionOptions } from '../../platform/database/port.ts'
import { queryBuilder } from '../../platform/database/query.ts'
import type { Period } from './period.ts'
import type { ReportTables } from './tables.ts'

export interface Schedule {
  sellerId: string
  scheduleId: string
  /** The application that created the schedule. Unknown for schedules of earlier versions. */
  applicationId?: string
  reportType: string
  marketplaceIds: readonly string[]
  options: Readonly<Record<string, string>>
  period: Period
  firstAt: Date
  nextAt: Date
}
export type ScheduleKey = Pick<Schedule, 'sellerId' | 'scheduleId'>

const db = queryBuilder<ReportTables>()
type Row = ReportTables['report_schedules']

/**
 * Of a transaction that creates, cancels or runs a schedule. Serializable, a dozen that were created at once conflicted
 * for seconds.
 */
export const LOCKS_SCHEDULES: TransactionOptions = { isolation: 'read committed' }

/**
 * A seller's schedules change one after the other, so that each new one replaces the one before it, their number is
 * right, and no job outlives its schedule.
 */
export const lockSchedules = (tx: Transaction, { sellerId }: Pick<Schedule, 'sellerId'>) =>
  tx.lock('report schedules', [sellerId], 'exclusive')

/** Returns false if the seller already has a schedule with the id. */
export async function insertSchedule(tx: Transaction, schedule: Schedule): Promise<boolean> {
  const insert = db
    .insertInto('report_schedules')
    .values(toRow(schedule))
    .onConflict((conflict) => conflict.doNothing())
  return (await tx.run(insert)) === 1
}

export async function findSchedule(
  reader: Reader,
  { sellerId, scheduleId }: ScheduleKey,
): Promise<Schedule | undefined> {
  const row = await reader.first(
    db
      .selectFrom('report_schedules')
      .selectAll()
      .where('seller_id', '=', sellerId)
      .where('schedule_id', '=', scheduleId),
  )
  return row && fromRow(row)
}

export async function listSchedules(
  reader: Reader,
  sellerId: string,
  reportTypes: readonly string[],
): Promise<Schedule[]> {
  const rows = await reader.all(
    db
      .selectFrom('report_schedules')
      .selectAll()
      .where('seller_id', '=', sellerId)
      .where('report_type', 'in', reportTypes)
      .orderBy('next_at')
      .orderBy('schedule_id'),
  )
  return rows.map(fromRow)
}

export async function setNextRun(tx: Transaction, { sellerId, scheduleId }: ScheduleKey, nextAt: Date): Promise<void> {
  await tx.run(
    db
      .updateTable('report_schedules')
      .set({ next_at: nextAt.toISOString() })
      .where('seller_id', '=', sellerId)
      .where('schedule_id', '=', scheduleId),
  )
}

export async function deleteSchedule(tx: Transaction, { sellerId, scheduleId }: ScheduleKey): Promise<void> {
  await tx.run(
    db.deleteFrom('report_schedules').where('seller_id', '=', sellerId).where('schedule_id', '=', scheduleId),
  )
}

/** Deletes the application's schedules of the same type and marketplaces, which a new one replaces. Returns their keys. */
export async function deleteMatchingSchedules(
  tx: Transaction,
  { sellerId, applicationId, reportType, marketplaceIds }: Omit<Schedule, 'scheduleId'> & { applicationId: string },
): Promise<ScheduleKey[]> {
  const rows = await tx.all(
    db
      .deleteFrom('report_schedules')
      .where('seller_id', '=', sellerId)
      .where((eb) => eb.or([eb('application_id', '=', applicationId), eb('application_id', 'is', null)]))
      .where('report_type', '=', reportType)
      .where('marketplace_ids', '=', JSON.stringify(marketplaceIds))
      .returning('schedule_id'),
  )
  return rows.map(({ schedule_id: scheduleId }) => ({ sellerId, scheduleId }))
}

/** Counts the schedules of an application for a seller. */
export async function countSchedules(reader: Reader, sellerId: string, applicationId: string): Promise<number> {
  const row = await reader.first(
    db
      .selectFrom('report_schedules')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('seller_id', '=', sellerId)
      .where('application_id', '=', applicationId),
  )
  return row?.count ?? 0
}

export async function listScheduleIds(reader: Reader, sellerId: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('report_schedules').select('schedule_id').where('seller_id', '=', sellerId)
  return (await reader.all(query.orderBy('next_at').limit(limit))).map((row) => row.schedule_id)
}

const toRow = (schedule: Schedule): Row => ({
  seller_id: schedule.sellerId,
  schedule_id: schedule.scheduleId,
  application_id: schedule.applicationId ?? null,
  report_type: schedule.reportType,
  marketplace_ids: JSON.stringify(schedule.marketplaceIds),
  options: JSON.stringify(schedule.options),
  period: schedule.period,
  first_at: schedule.firstAt.toISOString(),
  next_at: schedule.nextAt.toISOString(),
})

const fromRow = (row: Row): Schedule => ({
  sellerId: row.seller_id,
  scheduleId: row.schedule_id,
  ...(row.application_id !== null && { applicationId: row.application_id }),
  reportType: row.report_type,
  marketplaceIds: JSON.parse(row.marketplace_ids),
  options: JSON.parse(row.options),
  period: row.period as Period,
  firstAt: new Date(row.first_at),
  nextAt: new Date(row.next_at),
})
