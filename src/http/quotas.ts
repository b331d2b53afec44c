import { ApiError } from '../platform/errors/api-error.ts'
import type { Rate, Throttle } from '../platform/throttle/port.ts'
import { type App, operationOf } from './route.ts'

/** How the documented rates apply: as they stand, not at all, or multiplied. */
export type Rates = 'documented' | 'off' | number

/** Takes every call from the bucket of its operation, application and seller. */
export function addQuotas(app: App, throttle: Throttle, rates: Rates): void {
  if (rates === 'off') return
  const quotaOf = scaleBy(rates === 'documented' ? 1 : rates)
  app.addHook('onRequest', (request, reply, done) => {
    const { caller } = request
    const { rate } = request.routeOptions.config
    if (!rate || !caller) return done()
    const quota = quotaOf(rate)
    reply.header('x-amzn-ratelimit-limit', quota.limit)
    const seller = caller.kind === 'seller' ? caller.sellerId : ''
    if (throttle.take(`${operationOf(request)} ${caller.applicationId} ${seller}`, quota.rate)) return done()
    done(new ApiError('QuotaExceeded', 'You exceeded your quota for the requested resource.'))
  })
}

/** The rate of a route as it applies here, and how it is told. Worked out once for each route. */
function scaleBy(multiplier: number) {
  const scaled = new Map<Rate, { rate: Rate; limit: string }>()
  return (rate: Rate) => {
    let quota = scaled.get(rate)
    if (!quota) {
      const perSecond = rate.perSecond * multiplier
      quota = { rate: { ...rate, perSecond }, limit: formatLimit(perSecond) }
      scaled.set(rate, quota)
    }
    return quota
  }
}

/** As the live service writes it: `5.0`, `0.0167`. */
function formatLimit(perSecond: number): string {
  return Number.isInteger(perSecond) ? perSecond.toFixed(1) : String(Number(perSecond.toPrecision(6)))
}
