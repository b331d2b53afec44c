/** Status of a report or feed. */
export const PROCESSING_STATUSES = ['IN_QUEUE', 'IN_PROGRESS', 'DONE', 'CANCELLED', 'FATAL'] as const
export type ProcessingStatus = (typeof PROCESSING_STATUSES)[number]

const nextStatuses: Record<ProcessingStatus, readonly ProcessingStatus[]> = {
  IN_QUEUE: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['DONE', 'CANCELLED', 'FATAL'],
  DONE: [],
  CANCELLED: [],
  FATAL: [],
}

export const canFollow = (before: ProcessingStatus, after: ProcessingStatus) => nextStatuses[before].includes(after)

export const previousStatuses = (after: ProcessingStatus) =>
  PROCESSING_STATUSES.filter((before) => canFollow(before, after))

export const isFinal = (status: ProcessingStatus) => nextStatuses[status].length === 0

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const RETENTION_DAYS = 90

export const daysBefore = (time: Date, days: number) => new Date(time.getTime() - days * DAY_MILLISECONDS)

/** Reports and feeds created before this time have expired, whether swept or not. */
export const oldestRetained = (now: Date) => daysBefore(now, RETENTION_DAYS)

/** The time format of the reports and feeds APIs: seconds, with the offset. */
export const toWireTime = (time: Date) => `${time.toISOString().slice(0, 19)}+00:00`
