import type { Clock } from '../platform/clock/port.ts'

/** Returns the value of the header Date. */
export type DateHeader = () => string

const SECOND = 1000

/** The header Date by a clock other than the system's. Formatted once a second, as Node.js does it. */
export function createDateHeader(clock: Clock): DateHeader {
  let second = Number.NaN
  let text = ''
  return () => {
    const current = Math.floor(clock.now().getTime() / SECOND)
    if (current !== second) {
      second = current
      text = new Date(second * SECOND).toUTCString()
    }
    return text
  }
}
