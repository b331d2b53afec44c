/** How long calls to AWS may take, in real time: a network does not follow a clock that is moved by hand. */
export interface AwsDeadlines {
  /** Until there is a connection. */
  connectMilliseconds: number
  /** A whole call, or the beginning of the answer to one that reads a document. */
  callMilliseconds: number
  /** Writing one part of a document; reading the next few kilobytes of one. */
  transferMilliseconds: number
}

export const defaultDeadlines: AwsDeadlines = {
  connectMilliseconds: 2_000,
  callMilliseconds: 5_000,
  transferMilliseconds: 30_000,
}

/** The other side did not answer in time. */
export class DeadlineError extends Error {
  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds} ms`)
    this.name = 'DeadlineError'
  }
}

/**
 * Ends in time, whatever the other side does. The signal cuts the connection; work that ignores it, such as fetching
 * credentials, is abandoned. An abort of `stop` ends it at once, with the reason of that.
 */
export function withDeadline<Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
  stop?: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const call = new AbortController()
    const timer = setTimeout(() => end(new DeadlineError(milliseconds)), milliseconds)
    const onStop = () => end(stop?.reason)
    const release = () => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', onStop)
    }
    function end(reason: unknown) {
      release()
      call.abort(reason)
      reject(reason)
    }
    if (stop?.aborted) return onStop()
    stop?.addEventListener('abort', onStop, { once: true })
    work(call.signal).then(resolve, reject).finally(release)
  })
}

// A receiver that sends a byte a second is no better than a silent one. This is half a kilobyte a second by default.
const MIN_BYTES = 16 * 1024

/**
 * The same chunks, for as long as they come: it fails when fewer than 16 KiB, and not the end, have come in the time
 * given. Only the time of waiting counts, not what the reader does in between, and however long it takes in all.
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
