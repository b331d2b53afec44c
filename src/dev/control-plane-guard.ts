import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type App, addRouteHooks } from '../http/route.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { vendorServiceOf } from '../platform/vendor-hosts.ts'

const PREFIX = '/_souk/'

// Names that no public DNS server resolves: of this machine, of a container or pod, of a local network, and of tests.
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|test)$/

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
  const isOwn = (name: string | undefined) =>
    name !== undefined && !vendorServiceOf(name) && (isPrivate(name) || name === hostNameOf(publicUrl()))
  if (!isOwn(hostNameOf(`http://${host}`))) {
    return refused('Use the address of souk dev. If it has a name of your own, set SOUK_PUBLIC_URL.')
  }
  if (origin !== undefined && !isOwn(hostNameOf(origin))) {
    return refused('A web page of another site must not control souk dev.')
  }
  return undefined
}

const isPrivate = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0 || PRIVATE_NAME.test(name)

const hostNameOf = (url: string) => URL.parse(url)?.hostname.replace(/\.$/, '') || undefined

const refused = (details: string) =>
  new ApiError('Unauthorized', `Paths under ${PREFIX} are for programs on this machine and in its network.`, details)
