import { withDeadline } from '../deadline.ts'

/** Deadlines of calls to AWS in real time: a network does not follow a clock that is moved by hand. */
export interface AwsDeadlines {
  /** To establish a connection. */
  connectMilliseconds: number
  /** A whole call, or the start of the response to a download. */
  callMilliseconds: number
  /** All calls that one request of a client waits for. */
  requestMilliseconds: number
  /** To write one part of a document, or to read the next few kilobytes. */
  transferMilliseconds: number
}

export const defaultDeadlines: AwsDeadlines = {
  connectMilliseconds: 2_000,
  callMilliseconds: 5_000,
  requestMilliseconds: 1_500,
  transferMilliseconds: 30_000,
}

// A peer that sends one byte per second is no better than a silent one. Default: half a kilobyte per second.
const MIN_BYTES = 16 * 1024

/**
 * Returns the same chunks. Fails if fewer than 16 KiB arrive within the deadline. Only the time spent waiting counts;
 * the whole transfer has no limit.
 */
export async function* withMinimumRate(
  chunks: AsyncIterable<Uint8Array>,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let waited = 0
  let bytes = 0
  for (;;) {
    const began = performance.now()
    const next = await withDeadline(milliseconds - waited, () => iterator.next())
    if (next.done) return
    waited += performance.now() - began
    bytes += next.value.byteLength
    if (bytes >= MIN_BYTES) waited = bytes = 0
    yield next.value
  }
}
