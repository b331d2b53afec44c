import { packageFile } from '../platform/package-files.ts'
import { findSimilar } from '../platform/similar-words.ts'
import { ConfigError, type Environment, parseInteger } from './config.ts'
import { CLIENT_VARIABLES, DEV_VARIABLES, isKubernetesLink } from './ignored-variables.ts'

/** Every variable that `souk serve`, `worker` and `migrate` read. docs/configuration.md has a row for each. */
export const VARIABLES = [
  'SOUK_DATABASE_URL',
  'SOUK_DATABASE_POOL',
  'SOUK_DATABASE_REPLICA_URL',
  'SOUK_DATABASE_REPLICA_WAIT_MILLISECONDS',
  'SOUK_DATABASE_CONNECT_TIMEOUT_SECONDS',
  'SOUK_DATABASE_STATEMENT_TIMEOUT_SECONDS',
  'SOUK_DATABASE_LOCK_TIMEOUT_SECONDS',
  'SOUK_DATABASE_IDLE_TRANSACTION_TIMEOUT_SECONDS',
  'SOUK_DATABASE_CONFLICT_TIMEOUT_SECONDS',
  'SOUK_DATABASE_SILENCE_MILLISECONDS',
  'SOUK_HOST',
  'SOUK_PORT',
  'SOUK_WORKER_PORT',
  'SOUK_DRAIN_SECONDS',
  'SOUK_MAX_CONNECTIONS',
  'SOUK_TRUSTED_PROXIES',
  'SOUK_PUBLIC_URL',
  'SOUK_DOCUMENTS_URL',
  'SOUK_S3_ENDPOINT',
  'SOUK_S3_REGION',
  'SOUK_OPERATOR_KEY',
  'SOUK_OPERATOR_KEY_FALLBACKS',
  'SOUK_RATES',
  'SOUK_QUOTA_URL',
  'SOUK_QUOTA_TIMEOUT_MILLISECONDS',
  'SOUK_QUOTA_PROCESSES',
  'SOUK_DOCS',
  'SOUK_CONSOLE',
  'SOUK_AUDIT_DAYS',
  'SOUK_SIGNING',
  'SOUK_SIGNING_SECRET',
  'SOUK_SIGNING_SECRET_FALLBACKS',
  'SOUK_SOLICITATION_OPENS_AFTER_DAYS',
  'SOUK_SOLICITATION_CLOSES_AFTER_DAYS',
  'SOUK_READINGS',
  'SOUK_WORKER_CONCURRENCY',
  'SOUK_WORKER_LEASE_SECONDS',
  'SOUK_JOB_OUTAGE_HOURS',
  'SOUK_NOTIFICATION_BACKLOG',
  'SOUK_SENT_NOTIFICATIONS',
  'SOUK_SQS_ENDPOINT',
  'SOUK_EVENTBRIDGE_ENDPOINT',
  'SOUK_EVENTBRIDGE_BUS',
  'SOUK_AWS_CONNECT_TIMEOUT_SECONDS',
  'SOUK_AWS_TIMEOUT_SECONDS',
  'SOUK_S3_REQUEST_TIMEOUT_MILLISECONDS',
  'SOUK_S3_TRANSFER_TIMEOUT_SECONDS',
  'SOUK_LOG_LEVEL',
] as const
export type Variable = (typeof VARIABLES)[number]

/** A path that can be opened from any folder: no server runs yet that could serve the page. */
const SETTINGS_PAGE = packageFile('docs/configuration.md')

/** Names all that are missing at once: five failed starts to learn of five settings would be four too many. */
export function requireAll(env: Environment, names: readonly Variable[]): void {
  const missing = names.filter((name) => !env[name])
  if (missing.length === 1) requireVariable(env, missing[0] as Variable)
  if (missing.length > 1) {
    throw new ConfigError(`${missing.join(', ')} are required. See ${SETTINGS_PAGE}.`)
  }
}

export function requireVariable(env: Environment, name: Variable): string {
  const value = env[name]
  if (!value) throw new ConfigError(`${name} is required. See ${SETTINGS_PAGE}.`)
  return value
}

export function readOptional(env: Environment, name: Variable, defaultValue: string): string {
  return env[name] || defaultValue
}

export function readInteger(
  env: Environment,
  name: Variable,
  { defaultValue, ...range }: { defaultValue: number; min: number; max: number },
): number {
  return parseInteger(readOptional(env, name, String(defaultValue)), name, range)
}

/** A misspelt name would otherwise be a setting that silently does nothing. */
export function refuseUnknown(env: Environment): void {
  const unknown = Object.keys(env).find(
    (name) =>
      name.startsWith('SOUK_') &&
      ![...VARIABLES, ...CLIENT_VARIABLES].includes(name) &&
      !isKubernetesLink(name, env[name]),
  )
  if (!unknown) return
  if (unknown === 'SOUK_REPEAT_SOLICITATION_STATUS') {
    throw new ConfigError(`${unknown} was replaced: set SOUK_READINGS=repeatSolicitation=${env[unknown]}.`)
  }
  if (DEV_VARIABLES.includes(unknown)) throw new ConfigError(`${unknown} is read by souk dev only.`)
  const [similar] = findSimilar(unknown, VARIABLES)
  const hint = similar
    ? `Did you mean ${similar}? ${SETTINGS_PAGE} lists all settings.`
    : `${SETTINGS_PAGE} lists all settings.`
  throw new ConfigError(`${unknown} is not a Souk setting. ${hint}`)
}
