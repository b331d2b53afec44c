/** A quota: `perSecond` requests on average, `burst` of them at once. */
export interface Rate {
  perSecond: number
  burst: number
}

/** One rate for the buckets of many keys. */
export interface Limit {
  /** Takes one from the bucket of `key`. False when it is empty. */
  take(key: string): boolean
  /** After how long a caller that was refused should try again. */
  retryAfterSeconds: number
}

export interface Throttle {
  /** Takes one request from the bucket of `key`. False when the bucket is empty; nothing is taken then. */
  take(key: string, rate: Rate): boolean
  reset(): void
}
