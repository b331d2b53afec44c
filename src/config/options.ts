import type { VirtualClock } from '../platform/clock/port.ts'
import { LOG_LEVELS } from '../platform/logging/logger.ts'
import { READINGS, type Readings } from '../platform/readings.ts'
import { findSimilar } from '../platform/similar-words.ts'
import type { MessagingOptions } from '../public-types.ts'
import { ConfigError, MAX_LOGGED_REQUESTS, parseAddress, parseOrigin, parseProxiedHosts } from './config.ts'

/** Throws a ConfigError of one sentence that names the option and what it may be. */
type Check = (value: unknown, name: string) => void

/** A check for every option, so that none can be forgotten. */
export type Checks<Options> = { [Name in keyof Required<Options>]: Check }

const MAX_DELAY_MILLISECONDS = 3_600_000
const MAX_DAYS = 3650

/** Throws unless all options are known and usable. A misspelt one would otherwise do nothing, silently. */
export function checkOptions<Options extends object>(options: Options, checks: Checks<Options>): void {
  fields(checks as Record<string, Check>)(options, '')
}

const text: Check = (value, name) => {
  if (typeof value !== 'string' || value.trim() === '') throw invalidOption(name, 'must be a non-empty string', value)
}

const texts: Check = (value, name) => {
  if (!Array.isArray(value)) throw invalidOption(name, 'must be an array of strings', value)
  for (const [index, one] of value.entries()) text(one, `${name}[${index}]`)
}

const boolean: Check = (value, name) => {
  if (typeof value !== 'boolean') throw invalidOption(name, 'must be true or false', value)
}

const integer =
  (min: number, max: number): Check =>
  (value, name) => {
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return
    throw invalidOption(name, `must be an integer from ${min} to ${max}`, value)
  }

const choiceOf =
  (...choices: readonly (string | number)[]): Check =>
  (value, name) => {
    if (!choices.some((choice) => choice === value)) throw invalidOption(name, `must be ${choices.join(' or ')}`, value)
  }

const withMethods =
  (what: string, ...methods: readonly string[]): Check =>
  (value, name) => {
    const found = value as Record<string, unknown> | null
    if (typeof value === 'object' && methods.every((method) => typeof found?.[method] === 'function')) return
    throw invalidOption(name, `must be ${what}`, value)
  }

const object: Check = (value, name) => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) throw invalidOption(name, 'must be an object', value)
}

/** An object of which all fields are known. One whose value is undefined counts as absent. */
function fields(checks: Record<string, Check>): Check {
  return (value, name) => {
    object(value, name)
    for (const [key, member] of Object.entries(value as object)) {
      const full = name ? `${name}.${key}` : key
      if (!Object.hasOwn(checks, key)) throw unknownOption(full, key, Object.keys(checks))
      if (member !== undefined) checks[key]?.(member, full)
    }
  }
}

const rates: Check = (value, name) => {
  if (value === 'documented' || value === 'off') return
  // Text that holds a number is for the command line only.
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return
  throw invalidOption(name, 'must be documented, off or a number above 0', value)
}

const origin: Check = (value, name) => {
  text(value, name)
  parseOrigin(value as string, formatOptionName(name))
}

const controlHost: Check = (value, name) => {
  text(value, name)
  parseAddress(value as string, formatOptionName(name))
}

const database: Check = (value, name) => {
  text(value, name)
  const [, protocol] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value as string) ?? []
  const isPostgres = /^postgres(ql)?$/.test(protocol ?? '') && URL.canParse(value as string)
  if (protocol === undefined || isPostgres) return
  // Not the address itself: it may hold a password.
  throw new ConfigError(
    `${formatOptionName(name)} must be the path of an SQLite file or a PostgreSQL URL: postgres://user@host/name.`,
  )
}

const clock: Check = (value, name) => {
  withMethods(
    'a clock such as new ManualClock(date)',
    'now',
    'sleep',
    'advance',
    'set',
    'freeze',
    'unfreeze',
    'reset',
    'onMove',
  )(value, name)
  const now = (value as VirtualClock).now()
  if (Number.isNaN(now.getTime())) throw new ConfigError(`${formatOptionName(name)} must be a clock with a valid date.`)
}

const days = integer(0, MAX_DAYS)

const window: Check = (value, name) => {
  fields({ opensAfterDays: days, closesAfterDays: days })(value, name)
  const { opensAfterDays, closesAfterDays } = value as { opensAfterDays?: number; closesAfterDays?: number }
  days(opensAfterDays, `${name}.opensAfterDays`)
  days(closesAfterDays, `${name}.closesAfterDays`)
  if (Number(opensAfterDays) <= Number(closesAfterDays)) return
  throw new ConfigError(`${formatOptionName(`${name}.opensAfterDays`)} must not be more than ${name}.closesAfterDays.`)
}

const proxyThrough: Check = (value, name) => {
  if (typeof value === 'boolean') return
  texts(value, name)
  parseProxiedHosts(value as string[], formatOptionName(name))
}

const seed: Check = (value, name) => (typeof value === 'string' ? text : object)(value, name)

const port = integer(0, 65535)

const aws = { endpoint: origin, credentials: fields({ accessKeyId: text, secretAccessKey: text }) }

const messaging: Checks<MessagingOptions> = {
  sqs: fields(aws),
  eventBridge: fields({ ...aws, busName: text, file: text }),
}

const readings = fields(
  Object.fromEntries(Object.entries(READINGS).map(([name, choices]) => [name, choiceOf(...choices)])),
)

/** Throws a ConfigError unless they can be used. */
export function checkReadings(changed: Partial<Readings>): Partial<Readings> {
  readings(changed, 'readings')
  return changed
}

/** Of `startSouk`. */
export const soukOptionChecks = {
  port,
  host: text,
  controlHost,
  publicUrl: origin,
  database,
  documents: text,
  snapshots: text,
  queuePort: port,
  eventBus: text,
  tls: boolean,
  tlsPort: port,
  certificates: text,
  proxyThrough,
  fresh: boolean,
  clock,
  ids: withMethods('a source of ids such as new SequentialIds()', 'next'),
  rates,
  delay: integer(0, MAX_DELAY_MILLISECONDS),
  demo: boolean,
  requestLog: integer(0, MAX_LOGGED_REQUESTS),
  seed,
  log: fields({ level: choiceOf(...LOG_LEVELS), pretty: boolean }),
  signing: fields({ required: boolean, masterSecret: text, fallbackSecrets: texts }),
  solicitations: fields({ window }),
  readings,
  messaging: fields(messaging),
}

/** An open proxy lets others use this machine's network. */
export function refuseOpenProxy({ host, proxyThrough }: { host?: string; proxyThrough?: unknown }): void {
  const isLocal = host === undefined || /^(localhost|127(\.[0-9]+){3}|::1)$/.test(host)
  if (proxyThrough !== true || isLocal) return
  throw new ConfigError(
    `On ${host}, other machines could use the proxy for any host: list the hosts in --proxy-through (startSouk: proxyThrough).`,
  )
}

function unknownOption(full: string, key: string, known: readonly string[]): ConfigError {
  const [similar] = findSimilar(key, known)
  const remedy = similar ? `Did you mean ${full.slice(0, -key.length)}${similar}?` : `There are ${known.join(', ')}.`
  return new ConfigError(`startSouk has no option ${full}. ${remedy}`)
}

const invalidOption = (name: string, rule: string, value: unknown) =>
  new ConfigError(`${formatOptionName(name)} ${rule}, not ${formatValue(value)}.`)

const formatOptionName = (name: string) => (name ? `The option ${name} of startSouk` : 'The argument of startSouk')

/** Short, and never the content of an object: it may hold a secret. */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}...` : value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
