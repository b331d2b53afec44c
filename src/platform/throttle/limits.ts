import type { Limit, Rate, Throttle } from './port.ts'

/** Documented rates apply unchanged, not at all, or multiplied by a number. */
export type Rates = 'documented' | 'off' | number

export interface Limits {
  of(documented: Rate): Limit
}

/** Limits at documented rates, which share the buckets of one throttle. */
export const createLimits = (throttle: Throttle, rates: Rates): Limits => ({
  of(documented) {
    const rate = scaleRate(rates, documented)
    if (!rate) return { take: () => true, retryAfterSeconds: 0 }
    return { take: (key) => throttle.take(key, rate), retryAfterSeconds: Math.ceil(1 / rate.perSecond) }
  },
})

/** The rate that applies, or undefined if none does. */
export function scaleRate(rates: Rates, { perSecond, burst }: Rate): Rate | undefined {
  if (rates === 'off') return undefined
  return { burst, perSecond: perSecond * (rates === 'documented' ? 1 : rates) }
}
