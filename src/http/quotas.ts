import type { Caller } from '../platform/auth/caller.ts'
import { quotaExceeded } from '../platform/errors/api-error.ts'
import { type Rates, scaleRate } from '../platform/throttle/limits.ts'
import type { Throttle } from '../platform/throttle/port.ts'
import { type App, addRouteHooks, callerOf } from './route.ts'

/** Takes every call from the bucket of its operation, application and seller. */
export function addQuotas(app: App, throttle: Throttle, rates: Rates): void {
  addRouteHooks(app, ({ operation, rate: documented }) => {
    const rate = documented && scaleRate(rates, documented)
    if (!rate) return {}
    const limit = formatLimit(rate.perSecond)
    const bucketOf = createBucketNames(operation)
    const reason = explainQuota(operation, limit, rate.burst)
    return {
      onRequest: (request, reply, done) => {
        reply.header('x-amzn-ratelimit-limit', limit)
        if (throttle.take(bucketOf(callerOf(request)), rate)) return done()
        done(quotaExceeded(reason))
      },
    }
  })
}

/** A caller is the same object for as long as its token is remembered, so most names are put together once. */
function createBucketNames(operation: string): (caller: Caller) => string {
  const names = new WeakMap<Caller, string>()
  return (caller) => {
    const known = names.get(caller)
    if (known !== undefined) return known
    const { applicationId } = caller
    const name = `${operation} ${caller.kind === 'seller' ? `${applicationId} ${caller.sellerId}` : applicationId}`
    names.set(caller, name)
    return name
  }
}

const explainQuota = (operation: string, limit: string, burst: number) =>
  `${operation} allows ${limit} requests per second with a burst of ${burst}, per application and seller.`

/** As the live service writes it: `5.0`, `0.0167`. */
function formatLimit(perSecond: number): string {
  return Number.isInteger(perSecond) ? perSecond.toFixed(1) : String(Number(perSecond.toPrecision(6)))
}
