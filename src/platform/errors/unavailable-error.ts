const RETRY_AFTER_SECONDS = 5

/**
 * A dependency (database, document store, queue) did not do its work for a reason of its own: it is down, too slow, or
 * full. The caller's request or job is not the cause and will succeed once the dependency is back, so a request is
 * refused with 503 and `Retry-After`, and a job is retried without counting a failure.
 */
export class UnavailableError extends Error {
  /** How long a caller should wait before trying again. */
  readonly retryAfterSeconds: number

  constructor(
    message: string,
    { retryAfterSeconds = RETRY_AFTER_SECONDS, ...options }: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, options)
    this.name = 'UnavailableError'
    this.retryAfterSeconds = retryAfterSeconds
  }
}
