/** Where a client of the proxy wants to go. */
export interface Target {
  /** In lower case, an IPv6 address without brackets. */
  host: string
  port: number
}

export interface AbsoluteTarget extends Target {
  protocol: 'http:' | 'https:'
  /** The host and port as the client wrote them. */
  authority: string
  /** The path with the query. */
  path: string
}

const AUTHORITY = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_.-]{1,253}))(?::([0-9]{1,5}))?$/i
const ABSOLUTE_URL = /^(https?:)\/\/([^/?#]+)([^#]*)/i
const MAX_PORT = 65535

/** Parses `host:port`, as in `CONNECT host:port`. Undefined if it is neither a host name nor an IP address. */
export function parseAuthority(text: string, defaultPort?: number): Target | undefined {
  const [, address, name, digits] = AUTHORITY.exec(text) ?? []
  const host = (address ?? name)?.toLowerCase().replace(/\.$/, '')
  const port = digits === undefined ? defaultPort : Number(digits)
  if (!host || port === undefined || port < 1 || port > MAX_PORT) return undefined
  return { host, port }
}

/** Parses the URL in `GET http://host/path HTTP/1.1`, which clients send to a proxy. Undefined for any other text. */
export function parseAbsoluteUrl(url: string): AbsoluteTarget | undefined {
  const [, scheme, authority = '', rest = ''] = ABSOLUTE_URL.exec(url) ?? []
  if (!scheme) return undefined
  const protocol = scheme.toLowerCase() as AbsoluteTarget['protocol']
  const target = parseAuthority(authority, protocol === 'https:' ? 443 : 80)
  if (!target) return undefined
  return { ...target, protocol, authority, path: rest.startsWith('/') ? rest : `/${rest}` }
}

export const formatTarget = ({ host, port }: Target) => `${host.includes(':') ? `[${host}]` : host}:${port}`
