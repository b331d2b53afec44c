import { InvalidArgumentError } from 'commander'
import { ConfigError, parseInteger, parseOrigin, parseProxiedHosts, parseRates } from '../config/config.ts'
import type { Rates } from '../platform/throttle/limits.ts'

export function proxiedHosts(text: string): boolean | readonly string[] {
  return asUsageError(() => parseProxiedHosts(text.split(','), '--proxy-through'))
}

export function rates(text: string): Rates {
  return asUsageError(() => parseRates(text, '--rates'))
}

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
