/** How long the server waits for clients, in real time. Tests use shorter timeouts. */
export interface Timeouts {
  /** From the first byte of a request to the end of its headers. */
  headersMilliseconds: number
  /** The longest pause in a body. */
  idleMilliseconds: number
  /** The period over which the rate of a request body or a response is measured. */
  rateWindowMilliseconds: number
  minBytesPerSecond: number
  /** How long a response waits for a client that does not read. */
  stallMilliseconds: number
  /** How long the rest of a request body is discarded after the response. */
  lingerMilliseconds: number
  /** How long a stop waits for requests under way. */
  finishMilliseconds: number
}

export const defaultTimeouts: Timeouts = {
  headersMilliseconds: 15_000,
  idleMilliseconds: 30_000,
  rateWindowMilliseconds: 60_000,
  minBytesPerSecond: 1024,
  // A full send buffer of 4 MB wakes the writer only after a third of it was read.
  stallMilliseconds: 120_000,
  lingerMilliseconds: 30_000,
  finishMilliseconds: 10_000,
}

/** Often enough that none is missed by more than a quarter. */
export function checkEveryMilliseconds(timeouts: Timeouts): number {
  const { idleMilliseconds, rateWindowMilliseconds, lingerMilliseconds, stallMilliseconds } = timeouts
  const shortest = Math.min(idleMilliseconds, rateWindowMilliseconds, lingerMilliseconds, stallMilliseconds)
  return Math.min(1000, Math.ceil(shortest / 4))
}
