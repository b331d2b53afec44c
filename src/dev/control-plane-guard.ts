import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type App, addRouteHooks } from '../http/route.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { vendorServiceOf } from '../platform/vendor-hosts.ts'

const PREFIX = '/_souk/'

// Names that no public DNS server resolves: of this machine, of a container or pod, of a local network, and of tests.
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|test)$/

const LOOPBACK_NAME = /^(.+\.)?localhost$/
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Protects the paths that control the stand-in, which take no credentials, from web pages in a browser on this machine. A
 * page of another site has a foreign Origin. A page that has its own name resolve to this machine (DNS rebinding) has a
 * foreign Host. Takes a function that returns the URL by which clients reach the stand-in.
 */
export function guardControlPlane(app: App, publicUrl: () => string): void {
  addRouteHooks(app, ({ url }) => {
    if (!url.startsWith(PREFIX)) return {}
    return { onRequest: (request, _reply, done) => done(findIntrusion(request, publicUrl)) }
  })
}

function findIntrusion({ headers }: FastifyRequest, publicUrl: () => string): ApiError | undefined {
  const { host, origin } = headers
  // HTTP/1.0, which no browser speaks.
  if (host === undefined) return undefined
  const own = hostNameOf(publicUrl())
  const hostName = hostNameOf(`http://${host}`)
  if (!hostName || vendorServiceOf(hostName) || !(isPrivate(hostName) || hostName === own)) {
    return refused('Use the address of souk dev. If it has a name of your own, set SOUK_PUBLIC_URL.')
  }
  if (origin !== undefined && !isOwnPage(hostNameOf(origin), [hostName, own])) {
    return refused('A web page of another site must not control souk dev.')
  }
  return undefined
}

/** DNS rebinding needs a name, so any IP address is fine. */
const isPrivate = (name: string) => isIP(withoutBrackets(name)) !== 0 || PRIVATE_NAME.test(name)

/** Anyone can serve pages from a public IP address, and any device of a local network from a private one. */
function isOwnPage(name: string | undefined, ownNames: readonly (string | undefined)[]): boolean {
  if (name === undefined || vendorServiceOf(name)) return false
  return ownNames.includes(name) || LOOPBACK_NAME.test(name) || isLoopbackAddress(withoutBrackets(name))
}

const isLoopbackAddress = (name: string) => isIP(name) !== 0 && loopback.check(name, isIP(name) === 4 ? 'ipv4' : 'ipv6')

const withoutBrackets = (name: string) => name.replace(/^\[|\]$/g, '')

const hostNameOf = (url: string) => URL.parse(url)?.hostname.replace(/\.$/, '') || undefined

const refused = (details: string) =>
  new ApiError('Unauthorized', `Paths under ${PREFIX} are for programs on this machine and in its network.`, details)
