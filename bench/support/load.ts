import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Load {
  url: string
  connections: number
  /** How many requests in all. */
  count: number
  expectedStatus: number
  /** The bytes of the next request, headers and all. */
  nextRequest(): Buffer
}

export const MAX_SILENCE_MILLISECONDS = 10_000
const END_OF_HEADERS = '\r\n\r\n'

/**
 * Sends requests over kept-alive connections, one at a time on each, and returns the requests per second.
 *
 * Written on bare sockets because the sender must not be what is measured: autocannon, which parses every answer in
 * JavaScript, is slower than the bare server that we compare with, and so makes us look better than we are.
 */
export async function sendLoad({ url, connections, count, expectedStatus, nextRequest }: Load): Promise<number> {
  let left = count
  const takeRequest = () => (left-- > 0 ? nextRequest() : undefined)
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(url)))
  try {
    const startedAt = performance.now()
    await Promise.all(sockets.map((socket) => useSocket(socket, takeRequest, expectedStatus)))
    return (count / (performance.now() - startedAt)) * 1000
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}

function useSocket(socket: Socket, takeRequest: () => Buffer | undefined, expectedStatus: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer | undefined
    const sendNext = () => {
      const request = takeRequest()
      if (request) socket.write(request)
      else resolve()
    }
    socket.on('data', (chunk) => {
      received = received ? Buffer.concat([received, chunk]) : chunk
      const status = readStatus(received)
      if (status === undefined) return
      if (status !== expectedStatus) return reject(new Error(`Not ${expectedStatus} but:\n${received}`))
      received = undefined
      sendNext()
    })
    socket.setTimeout(MAX_SILENCE_MILLISECONDS, () => reject(new Error('No answer came in time')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The connection was closed')))
    sendNext()
  })
}

/** The status of a complete response. There is never more than one, because the next request waits for it. */
export function readStatus(received: Buffer): number | undefined {
  const headersEnd = received.indexOf(END_OF_HEADERS)
  if (headersEnd === -1) return undefined
  const headers = received.toString('latin1', 0, headersEnd)
  const bodyBytes = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0)
  if (received.length < headersEnd + END_OF_HEADERS.length + bodyBytes) return undefined
  return Number(headers.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
}
