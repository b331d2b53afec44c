import { Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import https from 'node:https'

export interface Address {
  protocol: string
  hostname: string
  port?: number | undefined
  path: string
}

export interface Posted {
  statusCode: number
  headers: Record<string, string>
  body: Buffer
}

// Responses of the services that it is used for have a few kilobytes.
const MAX_RESPONSE_BYTES = 1024 * 1024

interface HttpPosterOptions {
  /** To establish a connection. */
  connectMilliseconds: number
  maxConnections: number
}

/**
 * Sends POST requests to one host over connections that it keeps. The handler of the SDK does the same with five timers
 * for each request. Here the signal ends a request that takes too long.
 */
export class HttpPoster {
  readonly #options: HttpPosterOptions
  #agent: Agent | undefined

  constructor(options: HttpPosterOptions) {
    this.#options = options
  }

  async post(address: Address, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<Posted> {
    for (;;) {
      try {
        return await this.#post(address, headers, body, signal)
      } catch (error) {
        if (!(error instanceof StaleConnectionError)) throw error
      }
    }
  }

  close(): void {
    this.#agent?.destroy()
  }

  #post(address: Address, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<Posted> {
    const { protocol, hostname, port, path } = address
    const isEncrypted = protocol === 'https:'
    this.#agent ??= this.#open(isEncrypted)
    const options = { method: 'POST', host: hostname.replace(/^\[|\]$/g, ''), port, path, headers, agent: this.#agent }
    return new Promise<Posted>((resolve, reject) => {
      let hasResponse = false
      const request = isEncrypted ? https.request(options) : requestPlain(options)
      const fail = (error: Error) => {
        // Itself, because a request that waits for a connection, or was upgraded, has no error when it is destroyed.
        reject(error)
        request.destroy(error)
      }
      const abort = () => fail(toError(signal.reason))
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort, { once: true })
      request.once('close', () => signal.removeEventListener('abort', abort))
      request.once('socket', () => this.#limitConnecting(request))
      request.on('error', (error) => {
        // Each such error removes a kept connection, so the last attempt has a new one.
        const isStale = request.reusedSocket && !hasResponse && isReset(error)
        reject(isStale ? new StaleConnectionError() : error)
      })
      request.once('upgrade', (_response, socket) => {
        socket.destroy()
        fail(new Error('The server switched to another protocol'))
      })
      request.once('response', (response) => {
        hasResponse = true
        collect(response).then(resolve, reject)
      })
      request.end(body)
    })
  }

  #open(isEncrypted: boolean): Agent {
    const options = { keepAlive: true, maxSockets: this.#options.maxConnections }
    return isEncrypted ? new https.Agent(options) : new Agent(options)
  }

  #limitConnecting(request: ClientRequest): void {
    const { socket } = request
    if (!socket?.connecting) return
    const { connectMilliseconds } = this.#options
    const late = () => {
      const error = new Error(`No connection within ${connectMilliseconds} ms`)
      error.name = 'TimeoutError'
      request.destroy(error)
    }
    const timer = setTimeout(late, connectMilliseconds)
    socket.once('connect', () => clearTimeout(timer))
    request.once('close', () => clearTimeout(timer))
  }
}

/** The server has closed a kept connection, before it knew of the request. */
class StaleConnectionError extends Error {}

const isReset = ({ code }: NodeJS.ErrnoException) => code === 'ECONNRESET' || code === 'EPIPE'

const toError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)))

function collect(response: IncomingMessage): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MAX_RESPONSE_BYTES)
        response.destroy(new Error(`The response has more than ${MAX_RESPONSE_BYTES} bytes`))
    })
    response.on('error', reject)
    response.once('end', () => {
      const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
      const body = Buffer.concat(chunks)
      resolve({ statusCode: response.statusCode ?? 0, headers: Object.fromEntries(headers), body })
    })
  })
}
