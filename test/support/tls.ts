import { request } from 'node:https'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { openSocket } from './exchange.ts'

export interface SecureRequest {
  /** The host that the client asks for. */
  host: string
  ca: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

export interface SecureResponse {
  status: number | undefined
  headers: Record<string, unknown>
  body: string
}

/** Sends a request over TLS to a port of this machine, as if the name of the host led there. */
export function requestSecurely(url: string, { host, ca, method, headers, body }: SecureRequest) {
  const { hostname, port, pathname, search } = new URL(url)
  return new Promise<SecureResponse>((resolve, reject) => {
    const outgoing = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      servername: host,
      path: pathname + search,
      method,
      ca,
      agent: false,
      headers: { host, ...headers },
    })
    outgoing.on('error', reject)
    outgoing.on('response', async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await text(response) })
    })
    outgoing.end(body)
  })
}

/** Sends CONNECT to a proxy and resolves with the socket and the head of the response. */
export async function openTunnel(proxyUrl: string, authority: string): Promise<{ socket: Socket; head: string }> {
  const socket = openSocket(proxyUrl)
  socket.on('error', () => {})
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`)
  let head = ''
  while (!head.includes('\r\n\r\n')) {
    const chunk: Buffer | null = socket.read()
    if (chunk) head += chunk
    else if (!(await nextBytes(socket))) break
  }
  return { socket, head }
}

/** A TLS connection to a host through a proxy. */
export async function connectThrough(proxyUrl: string, host: string, ca: string): Promise<TLSSocket> {
  const { socket } = await openTunnel(proxyUrl, `${host}:443`)
  return connect({ socket, servername: host, ca })
}

/** Resolves with false if the connection ends first. */
const nextBytes = (socket: Socket) =>
  new Promise<boolean>((resolve) => {
    socket.once('readable', () => resolve(socket.readableLength > 0))
    socket.once('close', () => resolve(false))
  })
