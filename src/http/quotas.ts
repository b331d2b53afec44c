import { ApiError } from '../platform/errors/api-error.ts'
import type { Rate, Throttle } from '../platform/throttle/port.ts'
import { type App, operationOf } from './route.ts'

/** How the documented rates apply: as they stand, not at all, or multiplied. */
export type Rates = 'documented' | 'off' | number

/** Takes every call from the bucket of its operation, application and seller. */
export function addQuotas(app: App, throttle: Throttle, rates: Rates): void {
  if (rates === 'off') return
  const multiplier = rates === 'documented' ? 1 : rates
  app.addHook('onRequest', async (request, reply) => {
    const { rate } = request.routeOptions.config
    const { caller } = request
    if (!rate || !caller) return
    const scaled: Rate = multiplier === 1 ? rate : { ...rate, perSecond: rate.perSecond * multiplier }
    reply.header('x-amzn-ratelimit-limit', formatLimit(scaled.perSecond))
    const seller = caller.kind === 'seller' ? caller.sellerId : ''
    if (throttle.take(`${operationOf(request)} ${caller.applicationId} ${seller}`, scaled)) return
    throw new ApiError('QuotaExceeded', 'You exceeded your quota for the requested resource.')
  })
}

/** As the live service writes it: `5.0`, `0.0167`. */
function formatLimit(perSecond: number): string {
  return Number.isInteger(perSecond) ? perSecond.toFixed(1) : String(Number(perSecond.toPrecision(6)))
}
