import type { SolicitationPolicy } from '../areas/solicitations/index.ts'
import type { Rates } from '../http/quotas.ts'
import type { LoggerOptions } from '../platform/logging/logger.ts'

export type DatabaseConfig = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string; poolSize: number }

/** All that the service can be told from outside. Made once, at the start, and handed in; no other file reads settings. */
export interface Config {
  database: DatabaseConfig
  operatorKey: string
  rates: Rates
  signing: SigningConfig
  solicitations: SolicitationPolicy
  log: LoggerOptions
}

export interface SigningConfig {
  required: boolean
  masterSecret: string
}

export interface ListenConfig {
  host: string
  port: number
}

export const defaultPolicy: SolicitationPolicy = {
  window: { opensAfterDays: 5, closesAfterDays: 30 },
  repeatStatus: 403,
}

/** A setting that cannot be used. Its message is one sentence that names the setting. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

/** `documented`, `off`, or a multiplier above zero. */
export function parseRates(text: string, name: string): Rates {
  if (text === 'documented' || text === 'off') return text
  const multiplier = Number(text)
  if (text.trim() !== '' && Number.isFinite(multiplier) && multiplier > 0) return multiplier
  throw new ConfigError(`${name} must be documented, off or a number above 0, not "${text}".`)
}

/** A whole number within bounds. */
export function parseInteger(text: string, name: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
}

export function parseChoice<Choice extends string>(text: string, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new ConfigError(`${name} must be ${choices.join(' or ')}, not "${text}".`)
}
