/** How long the edge waits for clients, in real time. Tests have shorter ones. */
export interface Timeouts {
  /** From the first byte of a request to the end of its headers. */
  headersMilliseconds: number
  /** The longest pause in a body. */
  idleMilliseconds: number
  /** Over this time a body must arrive, and an answer be read, at the least rate. */
  rateWindowMilliseconds: number
  minBytesPerSecond: number
  /** How long an answer may wait for a client that does not read. */
  stallMilliseconds: number
  /** How long the rest of a body is dropped after its request was answered. */
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
