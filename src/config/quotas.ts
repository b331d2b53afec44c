import { ConfigError, defaultQuotas, type Environment, type QuotaConfig } from './config.ts'
import { readInteger } from './variables.ts'

const MAX_PROCESSES = 1000
const MAX_TIMEOUT_MILLISECONDS = 5_000

export function readQuotas(env: Environment): QuotaConfig {
  const url = env.SOUK_QUOTA_URL
  return {
    ...(url && { url: parseServerUrl(url, 'SOUK_QUOTA_URL') }),
    timeoutMilliseconds: readInteger(env, 'SOUK_QUOTA_TIMEOUT_MILLISECONDS', {
      defaultValue: defaultQuotas.timeoutMilliseconds,
      min: 1,
      max: MAX_TIMEOUT_MILLISECONDS,
    }),
    processes: readInteger(env, 'SOUK_QUOTA_PROCESSES', {
      defaultValue: defaultQuotas.processes,
      min: 1,
      max: MAX_PROCESSES,
    }),
  }
}

/** `redis://` and `valkey://` mean the same, and so do `rediss://` and `valkeys://`, which use TLS. */
function parseServerUrl(text: string, name: string): string {
  const [, scheme, secure, rest] = /^(redis|valkey)(s?):\/\/(.+)$/.exec(text) ?? []
  const url = scheme ? `redis${secure}://${rest}` : ''
  const { hostname, pathname } = URL.canParse(url) ? new URL(url) : { hostname: '', pathname: '' }
  if (hostname && /^(\/\d{0,5})?$/.test(pathname)) return url
  // Not the URL itself: it may hold a password.
  throw new ConfigError(
    `${name} must be the URL of a Valkey or Redis server: redis://host:6379 or rediss://host:6379/1.`,
  )
}
