import type { Environment } from './config.ts'

/** Variables of programs that use Souk, which may be set in the same shell. */
export const CLIENT_VARIABLES: readonly string[] = [
  'SOUK_URL',
  'SOUK_QUEUE_URL',
  'SOUK_FORK',
  'SOUK_RESET',
  'SOUK_REDIRECT_QUIET',
]

/** Variables that only `souk dev` reads. */
export const DEV_VARIABLES: readonly string[] = ['SOUK_CONTROL_HOST']

const LINK = /^SOUK_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/
const LINKED_ADDRESS = /^(tcp|udp|sctp):\/\//

/**
 * Kubernetes sets variables in every pod beside a Service named `souk` or `souk-something`:
 * `SOUK_PORT=tcp://10.0.0.1:4700`, `SOUK_SERVICE_HOST`, `SOUK_PORT_4700_TCP_ADDR`. They are not settings.
 */
export function isKubernetesLink(name: string, value: string | undefined): boolean {
  return LINK.test(name) || (/^SOUK_(\w+_)?PORT$/.test(name) && LINKED_ADDRESS.test(value ?? ''))
}

export function listKubernetesLinks(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => isKubernetesLink(name, env[name]))
    .sort()
}

/** The SOUK_ variables that are set although the command reads only the given ones. */
export function listUnreadVariables(env: Environment, read: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SOUK_') && env[name] && ![...read, ...CLIENT_VARIABLES].includes(name))
    .filter((name) => !isKubernetesLink(name, env[name]))
    .sort()
}
