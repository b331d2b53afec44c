import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody } from '../../http/error-handler.ts'
import { ApiError, invalidInput } from '../../platform/errors/api-error.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { vendorServiceOf } from '../../platform/vendor-hosts.ts'
import type { ConnectOptions } from './pass-through.ts'
import { parseAuthority, type Target } from './target.ts'
import type { Tunnels } from './tunnels.ts'

export interface ConnectProxyOptions {
  /** Takes over connections to the vendor's hosts. */
  openTls(): Promise<{ accept(socket: Socket): void }>
  passThrough(target: Target): ConnectOptions
  tunnels: Tunnels
  logger: Logger
}

const HTTPS_PORT = 443
const NOT_PRINTABLE = /[^\x20-\x7e]/g
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** Handles `CONNECT host:port`, with which clients ask a proxy for a connection to a host. */
export function addConnectProxy(server: Server, options: ConnectProxyOptions): void {
  server.on('connect', (request: IncomingMessage, stream, head: Buffer) => {
    const socket = stream as Socket
    // Node.js has removed its own listener.
    socket.on('error', () => socket.destroy())
    establish(request.url ?? '', socket, head, options).catch((error: unknown) => {
      const apiError = toApiError(error)
      if (apiError.status < 500) options.logger.warn({ code: apiError.code, reason: apiError.reason }, apiError.message)
      else options.logger.error({ err: error }, apiError.message)
      refuse(socket, apiError)
    })
  })
}

async function establish(
  authority: string,
  socket: Socket,
  head: Buffer,
  { openTls, passThrough, tunnels }: ConnectProxyOptions,
): Promise<void> {
  const target = parseAuthority(authority)
  if (!target) throw invalidInput('CONNECT', 'CONNECT takes a host and a port: CONNECT example.com:443.')
  if (vendorServiceOf(target.host) && target.port === HTTPS_PORT) {
    const tls = await openTls()
    if (socket.destroyed) return
    begin(socket, head)
    tls.accept(socket)
    return
  }
  const upstream = await tunnels.connect(socket, target, passThrough(target))
  begin(socket, head)
  tunnels.join(socket, upstream)
}

function begin(socket: Socket, head: Buffer): void {
  socket.write(ESTABLISHED)
  if (head.length > 0) socket.unshift(head)
}

const toApiError = (error: unknown) =>
  error instanceof ApiError
    ? error
    : new ApiError('InternalFailure', 'The proxy failed.', error instanceof Error ? error.message : '')

/** The message is the reason phrase too: most clients show nothing else of a refused CONNECT. */
function refuse(socket: Socket, error: ApiError): void {
  const body = JSON.stringify(errorBody(error))
  socket.write(
    [
      `HTTP/1.1 ${error.status} ${`${error.message} ${error.details}`.replace(NOT_PRINTABLE, '?').trim()}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // Unread bytes would make the system reset the connection before the client has read the response.
  socket.resume()
  socket.destroySoon()
}
