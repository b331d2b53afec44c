export class DeadlineError extends Error {
  constructor(milliseconds: number) {
    super(`No response within ${milliseconds} ms`)
    this.name = 'DeadlineError'
  }
}

interface DeadlineOptions {
  /** Ends the work at once, with the reason of the signal. */
  stop?: AbortSignal | undefined
  /** Creates the error for late work. Default: `DeadlineError`. */
  createError?(): Error
}

/**
 * Waits for work in real time, at most until the deadline. The signal passed to the work aborts then; work that ignores
 * it, such as fetching credentials, is abandoned.
 */
export function withDeadline<Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
  { stop, createError = () => new DeadlineError(milliseconds) }: DeadlineOptions = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const call = new AbortController()
    const timer = setTimeout(() => end(createError()), milliseconds)
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
