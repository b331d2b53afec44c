import { HOSTS_FILE_NAMES } from '../platform/vendor-hosts.ts'

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']

/**
 * Some clients send whole requests to a proxy, over a connection that does not show for which host they are. Souk's own
 * proxy serves them, and child processes in other languages need it.
 */
export function bypassProxies(env: NodeJS.ProcessEnv): void {
  if (env.SOUK_URL && (env.HTTPS_PROXY || env.https_proxy) === env.SOUK_URL) return
  if (!PROXIES.some((name) => env[name])) return
  const listed = env.no_proxy || env.NO_PROXY || ''
  if (listed === '*') return
  env.NO_PROXY = [...new Set([...listed.split(/[\s,]+/).filter(Boolean), ...HOSTS_FILE_NAMES])].join(',')
  if (env.no_proxy) env.no_proxy = env.NO_PROXY
}
