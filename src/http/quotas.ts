import type { Caller } from '../platform/auth/caller.ts'
import { rememberByCaller } from '../platform/auth/remember-by-caller.ts'
import type { Clock } from '../platform/clock/port.ts'
import { quotaExceeded } from '../platform/errors/api-error.ts'
import type { Explanation } from '../platform/errors/explanation.ts'
import { type Rates, scaleRate } from '../platform/throttle/limits.ts'
import type { QuotaState, Throttle } from '../platform/throttle/port.ts'
import { type App, addRouteHooks, callerOf } from './route.ts'

export interface QuotaOptions {
  throttle: Throttle
  rates: Rates
  clock: Clock
}

/** Takes every call from the bucket of its operation, application and seller. The console has a limit of its own. */
export function addQuotas(app: App, { throttle, rates, clock }: QuotaOptions): void {
  app.decorateRequest('quota', undefined)
  addRouteHooks(app, ({ operation, rate: documented }) => {
    const rate = documented && scaleRate(rates, documented)
    if (!rate) return {}
    const limit = formatLimit(rate.perSecond)
    const bucketOf = rememberByCaller((caller) => nameBucket(operation, caller))
    const reason = describeQuota(operation, limit, rate.burst)
    return {
      onRequest: (request, reply, done) => {
        const caller = callerOf(request)
        if (caller.isConsole) return done()
        reply.header('x-amzn-ratelimit-limit', limit)
        const bucket = bucketOf(caller)
        const proceed = (isTaken: boolean) => {
          if (request.isLogged) request.quota = { rate, left: throttle.stateOf(bucket, rate).left }
          if (isTaken) return done()
          done(throttled(reason, operation, throttle.stateOf(bucket, rate), clock.now()))
        }
        const isTaken = throttle.take(bucket, rate)
        if (typeof isTaken === 'boolean') proceed(isTaken)
        else void isTaken.then(proceed)
      },
    }
  })
}

const nameBucket = (operation: string, caller: Caller) =>
  `${operation} ${caller.applicationId}${caller.kind === 'seller' ? ` ${caller.sellerId}` : ''}`

const describeQuota = (operation: string, limit: string, burst: number) =>
  `${operation} allows ${limit} requests per second with a burst of ${burst}, per application and seller.`

/** As the live service writes it: `5.0`, `0.0167`. */
export function formatLimit(perSecond: number): string {
  return Number.isInteger(perSecond) ? perSecond.toFixed(1) : String(Number(perSecond.toPrecision(6)))
}

// Apart from the hook: the log keeps the explanation, which must not keep the request and its connection.
const throttled = (reason: string, operation: string, state: QuotaState, now: Date) =>
  quotaExceeded(reason, () => explainQuota(operation, state, now))

function explainQuota(operation: string, state: QuotaState, now: Date): Explanation {
  const { perSecond, burst, left, nextInMilliseconds } = state
  const nextAt = new Date(now.getTime() + Math.ceil(nextInMilliseconds))
  return {
    rule: `Each call of ${operation} takes one request from the bucket of the application and the seller, and an empty bucket refuses it. The bucket holds ${burst} and gets ${perSecond} per second.`,
    facts: { bucketPerSecond: perSecond, bucketBurst: burst, left: Math.round(left * 1000) / 1000, now, nextAt },
    change: { notBefore: nextAt },
  }
}
