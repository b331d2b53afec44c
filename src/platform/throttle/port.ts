/** A quota: `perSecond` requests on average, `burst` of them at once. */
export interface Rate {
  perSecond: number
  burst: number
}

/** One rate for the buckets of many keys. */
export interface Limit {
  /** Takes one from the bucket of `key`. False when it is empty. */
  take(key: string): boolean | Promise<boolean>
  /** After how long a caller that was refused should try again. */
  retryAfterSeconds: number
}

/** What a bucket has left. */
export interface QuotaState extends Rate {
  /** Requests that the bucket has left, with a fraction for the one that it is filling up with. */
  left: number
  /** How long until the bucket has one. Zero if it has one. */
  nextInMilliseconds: number
}

export interface Throttle {
  /**
   * Takes one request from the bucket of `key`. False when the bucket is empty; nothing is taken then. A promise only if
   * another process has to be asked; it never rejects.
   */
  take(key: string, rate: Rate): boolean | Promise<boolean>
  /**
   * What the last `take` left or found. Takes nothing, and does not read the clock again. Of a shared bucket, the state
   * that this process saw last.
   */
  stateOf(key: string, rate: Rate): QuotaState
  reset(): void
}
