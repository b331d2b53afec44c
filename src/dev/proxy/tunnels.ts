import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setsOwnPace } from '../../http/connection.ts'
import { errorBody } from '../../http/error-handler.ts'
import { setDate } from '../../http/sent-headers.ts'
import type { Timeouts } from '../../http/timeouts.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { ConnectOptions } from './pass-through.ts'
import { type AbsoluteTarget, formatTarget, type Target } from './target.ts'

const MAX_TUNNELS = 256

// Headers about one connection, which a proxy does not pass on.
const HOP_BY_HOP =
  /^(connection|keep-alive|proxy-(authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/

/** Connections of clients to hosts that the proxy lets pass. */
export class Tunnels {
  readonly #timeouts: Timeouts
  readonly #open = new Set<{ destroy(): unknown }>()

  constructor(timeouts: Timeouts) {
    this.#timeouts = timeouts
  }

  /** Connects to the target. Resolves once it is connected, and rejects with an ApiError. */
  connect(client: Socket, target: Target, { lookup }: ConnectOptions): Promise<Socket> {
    this.#requireRoom()
    const upstream = connect({ ...target, ...(lookup && { lookup }) })
    this.#add(upstream)
    this.#limitConnecting(upstream)
    const leave = () => upstream.destroy()
    client.once('close', leave)
    return new Promise((resolve, reject) => {
      upstream.once('error', (error) => reject(toApiError(error, target)))
      upstream.once('close', () => reject(toApiError(new Error('closed'), target)))
      upstream.once('connect', () => {
        client.off('close', leave)
        resolve(upstream)
      })
    })
  }

  /** Passes bytes in both directions until both sides have ended, one of them fails, or nothing passes for too long. */
  join(client: Socket, upstream: Socket): void {
    const { stallMilliseconds, lingerMilliseconds } = this.#timeouts
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    upstream.setTimeout(stallMilliseconds, end)
    // A side that never ends would otherwise keep the tunnel open for as long as it sends.
    for (const side of [client, upstream]) side.once('end', () => upstream.setTimeout(lingerMilliseconds))
    pipeline(client, upstream, client, end)
  }

  /** Sends a request to the target and its response to the client. */
  forward(
    { raw: request }: FastifyRequest,
    reply: FastifyReply,
    target: AbsoluteTarget,
    { lookup }: ConnectOptions,
  ): void {
    this.#requireRoom()
    reply.hijack()
    const { raw: response } = reply
    setsOwnPace(response)
    const { protocol, host, port, path, authority } = target
    const send = protocol === 'https:' ? httpsRequest : httpRequest
    const headers = { ...endToEnd(request.headers), ...framing(request.headers), host: authority }
    const upstream = send({
      host,
      port,
      path,
      method: request.method,
      headers,
      agent: false,
      ...(lookup && { lookup }),
    })
    this.#add(upstream)
    this.#limitConnecting(upstream)
    upstream.once('socket', (socket) =>
      socket.once('connect', () => upstream.setTimeout(this.#timeouts.stallMilliseconds)),
    )
    upstream.once('response', (incoming) => {
      // The other server has sent one.
      setDate(response, undefined)
      try {
        response.writeHead(incoming.statusCode ?? 502, endToEnd(incoming.headers))
      } catch (error) {
        // The parser of Node.js accepts what its writer does not, such as the status 099.
        upstream.destroy(error as Error)
        return
      }
      pipeline(incoming, response, () => {})
    })
    upstream.once('error', (error) => {
      if (response.headersSent) return void response.destroy()
      const apiError = toApiError(error, target)
      response.writeHead(apiError.status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
      response.end(JSON.stringify(errorBody(apiError)))
    })
    response.once('close', () => upstream.destroy())
    pipeline(request, upstream, () => {})
  }

  close(): void {
    for (const tunnel of this.#open) tunnel.destroy()
  }

  #limitConnecting(upstream: Socket | ClientRequest): void {
    const { headersMilliseconds } = this.#timeouts
    upstream.setTimeout(headersMilliseconds, () => upstream.destroy(new Error('no response in time')))
  }

  #add(tunnel: { destroy(): unknown; once(event: 'close', listener: () => void): unknown }): void {
    this.#open.add(tunnel)
    tunnel.once('close', () => this.#open.delete(tunnel))
  }

  #requireRoom(): void {
    if (this.#open.size < MAX_TUNNELS) return
    throw new ApiError('ServiceUnavailable', `The proxy of souk dev has ${MAX_TUNNELS} connections to other hosts.`)
  }
}

function toApiError(error: NodeJS.ErrnoException, target: Target): ApiError {
  if (error instanceof ApiError) return error
  const message = `The proxy of souk dev cannot connect to ${formatTarget(target)}.`
  return new ApiError('ServiceUnavailable', message, error.code ?? error.message, { cause: error })
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name) && !named.includes(name)))
}

/**
 * How the body of a request ends. Node.js frames no body of GET, DELETE and some others by itself: the next server would
 * take the body for another request. That also goes for a length that the client lists in `connection`.
 */
function framing(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' }
  const length = headers['content-length']
  return length === undefined ? {} : { 'content-length': length }
}
