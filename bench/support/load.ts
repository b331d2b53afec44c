import { connect } from 'node:net'

export interface Load {
  url: string
  connections: number
  /** How many requests in all. */
  count: number
  expectedStatus: number
  /** The bytes of the next request, headers and all. */
  nextRequest(): Buffer
}

const LONGEST_SILENCE_MILLISECONDS = 10_000
const END_OF_HEADERS = '\r\n\r\n'

/**
 * Sends requests over kept-alive connections, one at a time on each, and answers how many were done a second.
 *
 * Written on bare sockets because the sender must not be what is measured: autocannon, which parses every answer in
 * JavaScript, is slower than the bare server that we compare with, and so makes us look better than we are.
 */
export async function sendLoad(load: Load): Promise<number> {
  let left = load.count
  const takeRequest = () => (left-- > 0 ? load.nextRequest() : undefined)
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: load.connections }, () => useConnection(load, takeRequest)))
  return (load.count / (performance.now() - startedAt)) * 1000
}

function useConnection({ url, expectedStatus }: Load, takeRequest: () => Buffer | undefined): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let received: Buffer | undefined
    const fail = (reason: string) => socket.destroy(new Error(`${url}: ${reason}`))
    const sendNext = () => {
      const request = takeRequest()
      if (request) return socket.write(request)
      resolve()
      return socket.destroy()
    }
    socket.setTimeout(LONGEST_SILENCE_MILLISECONDS, () => fail('no answer came in time'))
    socket.once('connect', sendNext)
    socket.on('data', (chunk) => {
      received = received ? Buffer.concat([received, chunk]) : chunk
      const status = readStatus(received)
      if (status === undefined) return
      if (status !== expectedStatus) return fail(`answered ${received.toString()}`)
      received = undefined
      sendNext()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`${url}: the connection was closed`)))
  })
}

/** The status of an answer that has arrived whole. There is never more than one: the next is not asked for before. */
function readStatus(received: Buffer): number | undefined {
  const headersEnd = received.indexOf(END_OF_HEADERS)
  if (headersEnd === -1) return undefined
  const headers = received.toString('latin1', 0, headersEnd)
  const bodyBytes = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0)
  if (received.length < headersEnd + END_OF_HEADERS.length + bodyBytes) return undefined
  return Number(headers.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
}
