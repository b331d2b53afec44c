import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createDateHeader } from '../http/date-header.ts'
import { toReachableHost } from '../http/reachable-host.ts'
import { KeptHeadersResponse, setDate } from '../http/sent-headers.ts'
import { vendorServiceOf } from '../platform/vendor-hosts.ts'
import { createQueueCheck } from './control-plane-guard.ts'
import { isForSellerApi, respondMisdirected } from './queue/misdirected.ts'
import { QueueError } from './queue/queue-error.ts'
import { type QueueResponse, QueueService, type QueueServiceDependencies } from './queue/queue-service.ts'
import { readBody } from './queue/read-body.ts'
import { contextOf } from './queue/request-context.ts'
import { QueuePortError } from './queue-port-error.ts'

export interface LocalQueueOptions extends QueueServiceDependencies {
  /** Returns the URL of the Selling Partner API. */
  sellerApiUrl(): string
  /** The queue service that notifications are sent to, if it is not this one. */
  otherEndpoint: string | undefined
  controlHost: string | undefined
}

/** Longer than clients pause. A client that reuses a connection which the server closes at this moment gets an error. */
const KEEP_ALIVE_MILLISECONDS = 65_000

/** A local queue service with the API of Amazon SQS. It checks no credentials. */
export class LocalQueue {
  readonly #server: Server
  readonly #service: QueueService
  #url = ''
  #isStopped = false

  constructor({ sellerApiUrl, otherEndpoint, controlHost, ...dependencies }: LocalQueueOptions) {
    this.#service = new QueueService(dependencies)
    const findDenial = createQueueCheck({ publicUrl: sellerApiUrl, controlHost })
    const date = createDateHeader(dependencies.clock)
    this.#server = createServer({ ServerResponse: KeptHeadersResponse }, (request, response) => {
      setDate(response, date)
      if (this.#isStopped) return void request.socket.destroy()
      if (isForSellerApi(request)) return respondMisdirected(request, response, sellerApiUrl())
      if (otherEndpoint !== undefined && isForVendor(request)) {
        return send(response, this.#service.refuse(request.headers, sentElsewhere(otherEndpoint)))
      }
      const denial = findDenial(request)
      if (denial !== undefined) {
        return send(response, this.#service.refuse(request.headers, new QueueError('AccessDenied', denial)))
      }
      void this.#serve(request, response)
    })
    this.#server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS
  }

  /** Opens the port and returns the URL. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) => reject(new QueuePortError({ cause })))
      this.#server.listen(port, host, resolve)
    })
    const { port: opened } = this.#server.address() as AddressInfo
    this.#url = `http://${toReachableHost(host)}:${opened}`
    return this.#url
  }

  /** Serves a connection that another server accepted. */
  accept(socket: Socket): void {
    this.#server.emit('connection', socket)
  }

  /** Serves a request that another server received. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#server.emit('request', request, response)
  }

  /** Creates the queues of these ARNs that do not exist. */
  createQueues(arns: readonly string[]): Promise<void> {
    return this.#service.createQueues(arns)
  }

  /** Has the consumers of a queue look for messages that were added to the database. */
  notify(queueName: string): void {
    this.#service.notify(queueName)
  }

  /** Ends long polls and waits for requests that are running. New ones wait until the returned function is called. */
  pause(): Promise<() => void> {
    return this.#service.pause()
  }

  /** Consumers do not wait any longer, so that they do not delay the stop of a server that passes requests on. */
  stopPolls(): void {
    this.#service.stopPolls()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const closed = new Promise((resolve) => (this.#server.listening ? this.#server.close(resolve) : resolve(undefined)))
    await this.#service.drain()
    this.#server.closeAllConnections()
    await closed
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const { headers, url = '' } = request
    let body: string
    try {
      body = await readBody(request)
    } catch (error) {
      if (error instanceof QueueError) send(response, this.#service.refuse(headers, error), { closes: request.socket })
      // Otherwise the client is gone.
      return
    }
    if (this.#isStopped) return
    const context = { ...contextOf(request, this.#url), gone: gone.signal }
    send(response, await this.#service.respond({ headers, url, body }, context))
  }
}

const isForVendor = ({ headers: { host = '' } }: IncomingMessage) => vendorServiceOf(host) === 'queue'

/** A consumer at the vendor's host would otherwise wait for messages that are sent to another queue service. */
const sentElsewhere = (endpoint: string) =>
  new QueueError(
    'UnsupportedOperation',
    `Souk sends notifications to the queue service at ${endpoint}, not to its local queue. ` +
      'Set the endpoint of the SQS client to it, for example with AWS_ENDPOINT_URL_SQS.',
  )

function send(
  response: ServerResponse,
  { status, headers, body }: QueueResponse,
  { closes }: { closes?: Socket } = {},
) {
  const length = { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length, ...(closes && { connection: 'close' }) })
  response.end(body, () => closes?.destroySoon())
}
