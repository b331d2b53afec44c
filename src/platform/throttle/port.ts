/** A quota: `perSecond` requests on average, `burst` of them at once. */
export interface Rate {
  perSecond: number
  burst: number
}

export interface Throttle {
  /** Takes one request from the bucket of `key`. False when the bucket is empty; nothing is taken then. */
  take(key: string, rate: Rate): boolean
  reset(): void
}
