import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { ApiError } from '../../platform/errors/api-error.ts'
import { vendorServiceOf } from '../../platform/vendor-hosts.ts'
import { formatTarget, parseAuthority, type Target } from './target.ts'

/** Which hosts besides the vendor's the proxy serves: none, all public ones, those listed, or any host on any port. */
export type ProxyThrough = boolean | readonly string[] | 'any'

/** How to connect to a target that the proxy lets pass. */
export interface ConnectOptions {
  lookup?: LookupFunction
}

const STANDARD_PORTS = [80, 443]

/** Returns a rule that throws an ApiError for targets that the proxy does not let pass. */
export function createPassThrough(setting: ProxyThrough): (target: Target) => ConnectOptions {
  const listed = typeof setting === 'object' ? setting.map(parseEntry) : []
  return (target) => {
    if (vendorServiceOf(target.host)) {
      throw refused(target, `${target.host} is served on port 443 only, and never by the live service.`)
    }
    if (setting === 'any' || listed.some((entry) => matches(entry, target))) return {}
    if (setting === false) {
      throw refused(target, 'Only hosts of the Selling Partner API are served. Use --proxy-through for other hosts.')
    }
    if (setting !== true) throw refused(target, 'The host and port are not listed in --proxy-through.')
    if (!STANDARD_PORTS.includes(target.port)) {
      throw refused(target, `Port ${target.port} must be listed: --proxy-through ${formatTarget(target)}`)
    }
    if (isPrivateAddress(target.host)) throw new PrivateAddressError(target.host)
    return { lookup: lookupPublicAddress }
  }
}

const refused = (target: Target, details: string) =>
  new ApiError('Unauthorized', `The proxy of souk dev refuses ${formatTarget(target)}.`, details)

/** A private address that the user did not list: what listens there may trust everything on this machine. */
class PrivateAddressError extends ApiError {
  constructor(host: string) {
    super(
      'Unauthorized',
      `The proxy of souk dev refuses ${host}.`,
      `It has a private address, so it must be listed: --proxy-through ${host}`,
    )
  }
}

interface Entry {
  host: string
  includesSubdomains: boolean
  ports: readonly number[]
}

function parseEntry(text: string): Entry {
  const name = text.replace(/^\*\./, '')
  const withPort = parseAuthority(name)
  return {
    host: (withPort ?? parseAuthority(name, 443))?.host ?? name,
    includesSubdomains: name !== text,
    ports: withPort ? [withPort.port] : STANDARD_PORTS,
  }
}

const matches = ({ host, includesSubdomains, ports }: Entry, target: Target) =>
  ports.includes(target.port) && (includesSubdomains ? target.host.endsWith(`.${host}`) : target.host === host)

const PRIVATE_SUBNETS = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16',
  '198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 ::/128 ::1/128 64:ff9b::/96 64:ff9b:1::/48 fc00::/7 fe80::/10 ff00::/8',
]
  .join(' ')
  .split(' ')

const privateAddresses = new BlockList()
for (const subnet of PRIVATE_SUBNETS) {
  const [address = '', prefix] = subnet.split('/')
  // Without isIP, whose pattern for version 6 takes milliseconds to compile: every start comes here.
  privateAddresses.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4')
}

/** False for a host name. */
export function isPrivateAddress(host: string): boolean {
  const version = isIP(host)
  return version !== 0 && privateAddresses.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Checks the addresses that the connection will use: checked before, the name could point elsewhere by then. */
const lookupPublicAddress: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, [])
    const reachable = addresses.filter(({ address }) => !isPrivateAddress(address))
    const [first] = reachable
    if (!first) return callback(new PrivateAddressError(hostname), [])
    if (options.all) callback(null, reachable)
    else callback(null, first.address, first.family)
  })
}
