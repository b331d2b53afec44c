import { InvalidArgumentError } from 'commander'
import {
  ConfigError,
  parseAddress,
  parseInteger,
  parseOrigin,
  parseProxiedHosts,
  parseRates,
  parseReadings,
} from '../config/config.ts'
import type { Readings } from '../platform/readings.ts'
import type { Rates } from '../platform/throttle/limits.ts'

export function proxiedHosts(text: string): boolean | readonly string[] {
  return asUsageError(() => parseProxiedHosts(text.split(','), '--proxy-through'))
}

export function rates(text: string): Rates {
  return asUsageError(() => parseRates(text, '--rates'))
}

/** Collects the values of an option that can be repeated. */
export function reading(text: string, others: Partial<Readings> = {}): Partial<Readings> {
  return asUsageError(() => ({ ...others, ...parseReadings([text], '--reading') }))
}

export const address = (name: string) => (text: string) => asUsageError(() => parseAddress(text, name))

export const origin = (name: string) => (text: string) => asUsageError(() => parseOrigin(text, name))

/** A parser, whose option may have a default of another type. */
export function integer<Value = number>(name: string, bounds: { min: number; max: number }) {
  return (text: string) => asUsageError(() => parseInteger(text, name, bounds)) as Value | number
}

/** A bad option is a matter of usage, which ends with another exit code than a failure. */
function asUsageError<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw error instanceof ConfigError ? new InvalidArgumentError(error.message) : error
  }
}
