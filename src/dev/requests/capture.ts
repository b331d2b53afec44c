import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isFromConsole } from '../../http/console-header.ts'
import type { App, Routes } from '../../http/route.ts'
import { addValidHeader, keepBody } from '../../http/sent-headers.ts'
import type { VirtualClock } from '../../platform/clock/port.ts'
import { Entry, LINK_HEADER } from './entry.ts'
import { UNKNOWN_OPERATION } from './logged-operations.ts'
import { RecentRequests } from './recent-requests.ts'
import type { RequestLog } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request that is logged. */
    entry: Entry | undefined
  }
}

export const REQUESTS_PATH = '/_souk/requests'

/** Neither the control plane nor what browsers and load balancers ask for. */
const NOT_LOGGED = /^\/($|_souk(\/|$)|docs(\/|$)|console(\/(?!v1\/)|$)|(healthz|readyz|metrics)$)/

/** Whether a path or the URL of a route is one that clients of the marketplace use. */
export const isClientTraffic = (path: string): boolean => !NOT_LOGGED.test(path)

export interface CaptureOptions {
  log: RequestLog
  clock: VirtualClock
  /** The URL by which clients reach the control plane. */
  controlUrl: () => string
}

/** Hooks on the routes that are registered from now on, and on requests without a route. */
export const captureRequests =
  ({ log, clock, controlUrl }: CaptureOptions): Routes =>
  (app: App) => {
    app.decorateRequest('entry', undefined)
    if (log.capacity === 0) return
    const prefixOf = createPrefix(controlUrl)

    app.addHook('onRoute', (route) => {
      if (!isClientTraffic(route.url)) return
      const { operationId = UNKNOWN_OPERATION } = route.schema ?? {}
      log.operations.add(operationId, route)
      let recent: RecentRequests | undefined
      // First, so that the log has what other hooks refuse.
      route.onRequest = [
        (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
          recent ??= new RecentRequests(log)
          begin(operationId, recent, request, reply)
          done()
        },
        route.onRequest ?? [],
      ].flat()
    })
    const recentUnknown = new RecentRequests(log)
    app.addHook('onRequest', (request, reply, done) => {
      if (request.is404 && isClientTraffic(request.url)) begin(UNKNOWN_OPERATION, recentUnknown, request, reply)
      done()
    })
    app.addHook('onResponse', complete)

    function begin(operation: string, recent: RecentRequests, request: FastifyRequest, reply: FastifyReply): void {
      // Its many requests would drown those of the client under test.
      if (isFromConsole(request)) return
      const startedAt = Date.now()
      const time = timeAt(startedAt, clock)
      const entry = new Entry({ reply, operation, recent, linkPrefix: prefixOf(), startedAt, time })
      request.entry = entry
      request.isLogged = true
      addValidHeader(reply, LINK_HEADER, entry.link)
      keepBody(reply.raw, entry)
      log.add(entry)
      // A listener on each response would slow down every request, so without a reader this is noticed later. But until
      // then, the body is in memory.
      if (log.isWatched || mayBeLong(request.headers, log.maxBodyBytes))
        reply.raw.once('close', () => entry.finish('clientGone') && log.finished(entry))
    }

    function complete({ entry, raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
      const isSent = reply.raw.writableFinished && !hasLeft(raw)
      if (entry?.finish(isSent ? 'completed' : 'clientGone')) log.finished(entry)
      done()
    }
  }

/** The time of the marketplace. To read that of the system again would take a tenth of a microsecond. */
const timeAt = (systemTime: number, clock: VirtualClock) =>
  clock.isFrozen ? clock.now().getTime() : systemTime + clock.offsetMilliseconds

const mayBeLong = (
  { 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders,
  maxBodyBytes: number,
) => encoding !== undefined || Number(length) > maxBodyBytes

/** A client that leaves in the middle of its body gets a response, but does not read it. */
const hasLeft = ({ socket, errored, complete }: IncomingMessage) =>
  socket.destroyed || Boolean(errored) || (complete === false && socket.readableEnded)

/** The address changes once, when the server begins to listen. */
function createPrefix(controlUrl: () => string): () => string {
  let origin: string | undefined
  let prefix = ''
  return () => {
    const current = controlUrl()
    if (current !== origin) {
      origin = current
      prefix = `${current}${REQUESTS_PATH}/`
    }
    return prefix
  }
}
