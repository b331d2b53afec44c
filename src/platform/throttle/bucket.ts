import type { QuotaState, Rate } from './port.ts'

/**
 * Ten microseconds of grace: sums of floating point drift, the more the longer the interval, and must not cost a caller a
 * whole token.
 */
export const GRACE_MILLISECONDS = 0.01

/** How long a bucket takes to get one token, and to fill up. */
export function timesOf({ perSecond, burst }: Rate): { interval: number; capacity: number } {
  const interval = 1000 / perSecond
  return { interval, capacity: burst * interval }
}

/** The state of a bucket that is full again after so many milliseconds. */
export function stateOfBucket(rate: Rate, fullInMilliseconds: number): QuotaState {
  const { interval } = timesOf(rate)
  const left = rate.burst - fullInMilliseconds / interval
  return { perSecond: rate.perSecond, burst: rate.burst, left, nextInMilliseconds: Math.max(1 - left, 0) * interval }
}

/** The part of a rate that one of several processes grants. Never less than one request at a time. */
export const shareOf = ({ perSecond, burst }: Rate, processes: number): Rate => ({
  perSecond: perSecond / processes,
  burst: Math.max(burst / processes, 1),
})
