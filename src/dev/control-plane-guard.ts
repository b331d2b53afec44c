import type { IncomingMessage } from 'node:http'
import { isIP, Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { CONTROL_PLANE } from '../http/openapi.ts'
import { type App, addRouteHooks, errorResponses } from '../http/route.ts'
import { strict } from '../marketplace/schema.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { vendorServiceOf } from '../platform/vendor-hosts.ts'
import { createControlAddresses, isLoopback } from './control-host.ts'

// Otherwise a filter that does not exist would be ignored, and a call that deletes would delete everything.
const NO_PARAMETERS = Type.Object({}, strict)

// Names that no public DNS server resolves: of a container or pod, of a local network, and of tests. Any device of a local
// network can claim one (mDNS, LLMNR), and have it resolve to this machine.
const LOCAL_NAME = /^[^.]+$|\.(local|internal|test)$/

// No request for these leaves the machine (RFC 6761).
const LOOPBACK_NAME = /^(.+\.)?localhost$/

export interface ControlPlaneAccess {
  /** The URL by which clients reach the stand-in. */
  publicUrl: () => string
  /** A local address besides loopback on which the control plane is served; 0.0.0.0 for all. */
  controlHost: string | undefined
}

/**
 * Protects the paths that control the stand-in, which take no credentials, from web pages in a browser on this machine.
 * A page of another site has a foreign Origin, or the browser says that its image is for another site. A page that has
 * its own name resolve to this machine (DNS rebinding) has a foreign Host. Other machines reach them only at an address
 * that was opened for it.
 */
export function guardControlPlane(app: App, findDenial: FindDenial): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith(CONTROL_PLANE)) return
    const response = route.schema?.response as object | undefined
    route.schema = {
      querystring: NO_PARAMETERS,
      ...route.schema,
      response: { ...errorResponses, ...response },
    }
  })
  addRouteHooks(app, ({ url }) => {
    if (!url.startsWith(CONTROL_PLANE)) return {}
    return {
      onRequest: (request, _reply, done) => done(toError(findDenial(request)) ?? findUnusedBody(request)),
    }
  })
}

/**
 * Protects all other paths, whose demo credentials are public, from a page whose own name was made to resolve to this machine.
 * Programs reach them by any name, and send neither of these headers. Over HTTP, browsers send one with each change, but
 * not with every GET.
 */
export function guardAgainstRebinding(app: App, access: ControlPlaneAccess): void {
  const isKnown = createClientNameCheck(access)
  addRouteHooks(app, ({ url }) => {
    if (url.startsWith(CONTROL_PLANE)) return {}
    return {
      onRequest: ({ headers }, _reply, done) => {
        const isFromPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
        if (!isFromPage || headers.host === undefined) return done()
        done(isKnown(hostNameOf(`http://${headers.host}`)) ? undefined : createUnknownNameError(headers.host))
      },
    }
  })
}

const UNKNOWN_NAME = 'Use localhost or the IP address of souk dev. If it has a name of your own, set SOUK_PUBLIC_URL.'

const createUnknownNameError = (host: string) =>
  new ApiError('Unauthorized', 'The name of the host is unknown.', UNKNOWN_NAME, {
    explain: () => ({ facts: { host }, change: { headers: { host: 'localhost' } } }),
  })

/** A body that seems to select what is deleted. An empty object, which some clients send, selects nothing. */
function findUnusedBody({ method, headers }: FastifyRequest): ApiError | undefined {
  const hasBody = Number(headers['content-length'] ?? 0) > '{}'.length || headers['transfer-encoding'] !== undefined
  if (method !== 'DELETE' || !hasBody) return undefined
  return new ApiError(
    'InvalidInput',
    'The request has a body.',
    'The operation takes none, and deletes all that its path names.',
  )
}

/** Returns why a request may not control the stand-in, or undefined if it may. */
export type FindDenial = (request: FastifyRequest) => string | undefined

export function createControlPlaneCheck({ publicUrl, controlHost }: ControlPlaneAccess): FindDenial {
  const isServedAt = createControlAddresses(controlHost)
  const isAccepted = createNameCheck(controlHost)
  return (request) => findIntrusion(request, publicUrl, isAccepted) ?? findRemote(request, isServedAt)
}

/**
 * Returns why a request may not use the local queue, which takes any credentials, or undefined if it may. Programs
 * reach it by any name. Browsers send an Origin with every POST, so what has none and is no GET comes from a program.
 */
export function createQueueCheck(access: ControlPlaneAccess) {
  const isKnown = createClientNameCheck(access)
  return ({ method, headers }: IncomingMessage): string | undefined => {
    const { host, origin, 'sec-fetch-site': site } = headers
    if (host === undefined || (origin === undefined && method !== 'GET' && method !== 'HEAD')) return undefined
    const own = hostNameOf(access.publicUrl())
    const hostName = hostNameOf(`http://${host}`)
    if (!isKnown(hostName))
      return `Send a POST, or use localhost or an IP address instead of ${hostName ?? 'this name'}.`
    const isForeign = origin === undefined ? site === 'cross-site' : !isOwnPage(hostNameOf(origin), [hostName, own])
    if (isForeign) return 'A web page of another site must not use the local queue.'
    // Without TLS, browsers name the site of an image to this machine only.
    const isClear = origin !== undefined || site === 'none' || site === 'same-origin' || isThisMachine(hostName)
    return isClear ? undefined : `Send a POST, or use localhost instead of ${hostName}.`
  }
}

function findRemote({ raw }: FastifyRequest, isServedAt: (address: string | undefined) => boolean) {
  // This process itself sends requests without a connection.
  if (!(raw.socket instanceof Socket) || isServedAt(raw.socket.localAddress)) return undefined
  return (
    `This request came to ${raw.socket.localAddress ?? 'a closed connection'}, and only loopback addresses serve them. ` +
    'To open them for other machines and containers, start Souk with --control-host 0.0.0.0, SOUK_CONTROL_HOST=0.0.0.0, ' +
    "or startSouk({ controlHost: '0.0.0.0' })."
  )
}

function findIntrusion(
  { headers, routeOptions }: FastifyRequest,
  publicUrl: () => string,
  isAccepted: (name: string) => boolean,
): string | undefined {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-dest': kind } = headers
  // HTTP/1.0, which no browser speaks.
  if (host === undefined) return undefined
  const own = hostNameOf(publicUrl())
  const hostName = hostNameOf(`http://${host}`)
  if (!hostName || vendorServiceOf(hostName) || !(isAccepted(hostName) || hostName === own)) {
    return UNKNOWN_NAME
  }
  // An image has no Origin. A link may open what stops no other requests, such as a logged one.
  const isLink = kind === 'document' && !routeOptions.config.exclusive
  const isForeign =
    origin === undefined ? site === 'cross-site' && !isLink : !isOwnPage(hostNameOf(origin), [hostName, own])
  return isForeign ? 'A web page of another site must not control souk dev.' : undefined
}

/** Whether a client that is no page of another machine may use this name: a vendor's, a safe one, or the stand-in's own. */
function createClientNameCheck({ publicUrl, controlHost }: ControlPlaneAccess) {
  const isAccepted = createNameCheck(controlHost)
  return (name: string | undefined): name is string =>
    name !== undefined && (vendorServiceOf(name) !== undefined || isAccepted(name) || name === hostNameOf(publicUrl()))
}

/** Containers reach each other by local names. With a control host, other devices may control the stand-in anyway. */
const createNameCheck = (controlHost: string | undefined) => (name: string) =>
  isSafeName(name) || (controlHost !== undefined && LOCAL_NAME.test(name))

/** DNS rebinding needs a name, so any IP address is fine. */
const isSafeName = (name: string) => isIP(withoutBrackets(name)) !== 0 || LOOPBACK_NAME.test(name)

/** Anyone can serve pages from a public IP address, and any device of a local network from a private one. */
function isOwnPage(name: string | undefined, ownNames: readonly (string | undefined)[]): boolean {
  if (name === undefined || vendorServiceOf(name)) return false
  return ownNames.includes(name) || isThisMachine(name)
}

const isThisMachine = (name: string) => LOOPBACK_NAME.test(name) || isLoopback(withoutBrackets(name))

const withoutBrackets = (name: string) => name.replace(/^\[|\]$/g, '')

const hostNameOf = (url: string) => URL.parse(url)?.hostname.replace(/\.$/, '') || undefined

const toError = (denial: string | undefined) =>
  denial === undefined
    ? undefined
    : new ApiError('Unauthorized', `Paths under ${CONTROL_PLANE} are for programs on this machine.`, denial)
