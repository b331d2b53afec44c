/** How far work is that a seller has asked for and looks after: reports, feeds. */
export const PROCESSING_STATUSES = ['IN_QUEUE', 'IN_PROGRESS', 'DONE', 'CANCELLED', 'FATAL'] as const
export type ProcessingStatus = (typeof PROCESSING_STATUSES)[number]

/** Which status may follow which. Nothing follows the last three. */
const nextStatuses: Record<ProcessingStatus, readonly ProcessingStatus[]> = {
  IN_QUEUE: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['DONE', 'CANCELLED', 'FATAL'],
  DONE: [],
  CANCELLED: [],
  FATAL: [],
}

export const canFollow = (before: ProcessingStatus, after: ProcessingStatus) => nextStatuses[before].includes(after)

/** Those from which one may go there. */
export const previousStatuses = (after: ProcessingStatus) =>
  PROCESSING_STATUSES.filter((before) => canFollow(before, after))

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const RETENTION_DAYS = 90

export const daysBefore = (moment: Date, days: number) => new Date(moment.getTime() - days * DAY_MILLISECONDS)

/** Work that was asked for before this moment is gone, swept or not. */
export const oldestRetained = (now: Date) => daysBefore(now, RETENTION_DAYS)

/** Times as these parts of the interface write them: to the second, with the offset. */
export const toWireTime = (moment: Date) => `${moment.toISOString().slice(0, 19)}+00:00`
