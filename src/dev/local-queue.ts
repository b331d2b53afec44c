import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { buildApp } from 'fauxqs'
import { errorBody } from '../http/error-handler.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { vendorServiceOf } from '../platform/vendor-hosts.ts'

/** Wraps the app, because an app has a `then` method and `await` would wait for it. */
interface Emulator {
  app: Pick<Awaited<ReturnType<typeof buildApp>>, 'routing' | 'inject' | 'close'>
}

export interface LocalQueueOptions {
  /** Returns the ARNs of the existing queues. */
  listQueues(): Promise<string[]>
  /** Returns the URL of the Selling Partner API. */
  sellerApiUrl(): string
  /** The queue service that notifications are sent to, if it is not this one. */
  otherEndpoint: string | undefined
}

/**
 * A local queue service with the API of Amazon SQS. Its port is open from the start. The emulator takes 250 ms and 40 MB
 * to load, so it is loaded with the first request or queue.
 */
export class LocalQueue {
  readonly #server: Server
  readonly #listQueues: () => Promise<string[]>
  #emulator: Promise<Emulator> | undefined

  constructor({ listQueues, sellerApiUrl, otherEndpoint }: LocalQueueOptions) {
    this.#listQueues = listQueues
    this.#server = createServer((request, response) => {
      if (isForSellerApi(request)) return respondMisdirected(request, response, sellerApiUrl())
      if (otherEndpoint !== undefined && isForVendor(request)) return respondElsewhere(response, otherEndpoint)
      this.#load().then(
        ({ app }) => app.routing(request, response),
        (error: Error) => response.writeHead(500).end(error.message),
      )
    })
  }

  /** Opens the port and returns the URL. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, resolve)
    })
    const { port: opened } = this.#server.address() as AddressInfo
    return `http://${toReachableHost(host)}:${opened}`
  }

  /** Serves a connection that another server accepted. */
  accept(socket: Socket): void {
    this.#server.emit('connection', socket)
  }

  /** Serves a request that another server received. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#server.emit('request', request, response)
  }

  /** Creates the queue of an ARN if it does not exist. */
  async createQueue(arn: string): Promise<void> {
    await create(await this.#load(), arn)
  }

  /** Deletes all queues and messages. */
  async reset(): Promise<void> {
    const emulator = this.#emulator
    this.#emulator = undefined
    await (await emulator?.catch(() => undefined))?.app.close()
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => (this.#server.listening ? this.#server.close(resolve) : resolve(undefined)))
    // A long poll for messages takes up to 20 seconds.
    this.#server.closeAllConnections()
    await closed
    await this.reset()
  }

  #load(): Promise<Emulator> {
    if (this.#emulator) return this.#emulator
    const emulator = this.#start()
    this.#emulator = emulator
    // The next request starts it again: the cause, such as a busy database, may be gone by then.
    emulator.catch(() => {
      if (this.#emulator === emulator) this.#emulator = undefined
    })
    return emulator
  }

  async #start(): Promise<Emulator> {
    const { buildApp } = await import('fauxqs')
    const app = buildApp({ logger: false })
    app.addHook('onSend', async ({ raw }, _reply, payload) => useHostOfRequest(raw, payload))
    await app.ready()
    const emulator = { app }
    try {
      for (const arn of await this.#listQueues()) await create(emulator, arn)
    } catch (error) {
      await app.close()
      throw error
    }
    return emulator
  }
}

const RETURNS_QUEUE_URLS = /^AmazonSQS\.(CreateQueue|GetQueueUrl|ListQueues|ListDeadLetterSourceQueues)$/
const EMULATED_ORIGIN = /"http:\/\/sqs\.[\w-]+\.localhost(:[0-9]+)?\//g

const isForVendor = ({ headers: { host = '' } }: Pick<IncomingMessage, 'headers'>) => vendorServiceOf(host) === 'queue'

/** A consumer at the vendor's host would otherwise wait for messages that are sent to another queue service. */
function respondElsewhere(response: ServerResponse, endpoint: string): void {
  const message =
    `Souk sends notifications to the queue service at ${endpoint}, not to its local queue. ` +
    'Set the endpoint of the SQS client to it, for example with AWS_ENDPOINT_URL_SQS.'
  response
    .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify({ __type: 'com.amazonaws.sqs#UnsupportedOperation', message }))
}

/** Clients send the next requests to the URL of the queue, so its host must be one that leads here. */
function useHostOfRequest({ headers }: IncomingMessage, payload: unknown): unknown {
  const { host = '', 'x-amz-target': operation = '' } = headers
  if (host === '' || typeof payload !== 'string' || !RETURNS_QUEUE_URLS.test(String(operation))) return payload
  const protocol = isForVendor({ headers }) ? 'https' : 'http'
  return payload.replace(EMULATED_ORIGIN, `"${protocol}://${host}/`)
}

const TOKEN_PATH = '/auth/o2/token'

// An SQS client sends everything to `/` or to `/<account>/<queue>`.
const OTHER_PORT_PATH =
  /^\/(_souk|applications|auth|batches|catalog|console|definitions|docs|documents|feeds|healthz|listings|metrics|notifications|operator|orders|products|readyz|reports|sellers|solicitations|tokens|uploads)(\/|\?|$)/

const isForSellerApi = ({ headers, url = '' }: IncomingMessage) =>
  OTHER_PORT_PATH.test(url) ||
  headers['x-amz-access-token'] !== undefined ||
  headers['x-svc-access-token'] !== undefined

/** The ports of the service and the queue are adjacent, so clients confuse them easily. */
function respondMisdirected({ url = '' }: IncomingMessage, response: ServerResponse, sellerApiUrl: string): void {
  const error = new ApiError('NotFound', `This is the local queue. The Selling Partner API is at ${sellerApiUrl}.`)
  const body = url.startsWith(TOKEN_PATH)
    ? { error: 'invalid_request', error_description: error.message }
    : errorBody(error)
  response.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

/** A URL for clients on this machine. */
export function toReachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Sends the request of a client, because the emulator has no other API. */
async function create({ app }: Emulator, arn: string): Promise<void> {
  const [, , , region, , name] = arn.split(':')
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/',
    headers: {
      'x-amz-target': 'AmazonSQS.CreateQueue',
      'content-type': 'application/x-amz-json-1.0',
      authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/sqs/aws4_request`,
    },
    payload: JSON.stringify({ QueueName: name }),
  })
  if (statusCode !== 200) throw new Error(`The local queue ${name} could not be created: ${body}`)
}
