import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../http/route.ts'
import { vendorServiceOf } from '../../platform/vendor-hosts.ts'
import type { ConnectOptions } from './pass-through.ts'
import { type AbsoluteTarget, parseAbsoluteUrl, type Target } from './target.ts'
import type { Tunnels } from './tunnels.ts'

export interface ForwardProxyOptions {
  queue: { handle(request: IncomingMessage, response: ServerResponse): void }
  passThrough(target: Target): ConnectOptions
  tunnels: Tunnels
}

const SLASH = 0x2f
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '::1']

/**
 * Handles `GET http://host/path`, with which clients ask a proxy for a page, by a hook on all routes. The router has
 * found the route by the path alone. Some clients, such as axios, send https:// URLs in this way too.
 */
export function createForwardProxy({ queue, passThrough, tunnels }: ForwardProxyOptions): Routes {
  return (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      const url = request.raw.url as string
      if (url.charCodeAt(0) === SLASH) return done()
      // Refused later (RFC 9112, section 3.2), although the URL has the host, too.
      if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return done()
      const target = parseAbsoluteUrl(url)
      if (!target) return done()
      const service = vendorServiceOf(target.host)
      if (service || isOwn(target, request)) {
        request.raw.url = target.path
        request.raw.headers.host = target.authority
        if (service !== 'queue') return done()
        reply.hijack()
        return queue.handle(request.raw, reply.raw)
      }
      tunnels.forward(request, reply, target, passThrough(target))
    })
  }
}

/** Whether the URL is this server's own, which clients also send here if all their requests go through the proxy. */
const isOwn = ({ host, port }: AbsoluteTarget, { socket }: FastifyRequest) =>
  port === socket.localPort && (LOOPBACK_HOSTS.includes(host) || host === socket.localAddress)
