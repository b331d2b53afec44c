import type { Clock } from '../platform/clock/port.ts'
import { PostponedError } from '../platform/jobs/port.ts'

/**
 * Postpones the job of a report or feed that has not been in progress for the delay yet. A job that waits in the queue has
 * a time, to which the clock of the stand-in can be moved; one that slept would have none.
 */
export function postponeUntilDelayIsOver(startedAt: Date, clock: Clock, delayMilliseconds: number): void {
  const end = new Date(startedAt.getTime() + delayMilliseconds)
  if (end > clock.now()) throw new PostponedError('in progress until the delay is over', () => end)
}
