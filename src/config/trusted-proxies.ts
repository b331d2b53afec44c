import { isIP } from 'node:net'
import { ConfigError } from './config.ts'

const MAX_PROXIES = 100
/** Names of networks. */
const NAMES = ['loopback', 'linklocal', 'uniquelocal']

/** The addresses and networks of reverse proxies, separated by commas: `10.0.0.0/8, fd00::1, loopback`. */
export function parseTrustedProxies(text: string | undefined, name: string): readonly string[] {
  if (!text) return []
  const proxies = text.split(',').map((one) => one.trim())
  if (proxies.length > MAX_PROXIES) throw new ConfigError(`${name} must not have more than ${MAX_PROXIES} addresses.`)
  const invalid = proxies.find((one) => !NAMES.includes(one) && !isNetwork(one))
  if (invalid === undefined) return proxies
  throw new ConfigError(
    `${name} must list IP addresses and networks such as 10.0.0.5, fd00::/8 or loopback, not ${JSON.stringify(invalid)}.`,
  )
}

/** Not of 0 bits: if every client were a proxy, each could choose its address. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? []
  const version = isIP(address)
  // An address with a zone is one of this machine's links, which proxy-addr cannot compare.
  return version !== 0 && !address.includes('%') && Number(bits ?? 1) <= (version === 4 ? 32 : 128)
}
