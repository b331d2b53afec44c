import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { buildApp } from 'fauxqs'
import { errorBody } from '../http/error-handler.ts'
import { ApiError } from '../platform/errors/api-error.ts'

/** In an object of its own: the app itself looks like a promise, and would be waited for wherever it is handed over. */
interface Emulator {
  app: Pick<Awaited<ReturnType<typeof buildApp>>, 'routing' | 'inject' | 'close'>
}

/**
 * A queue service on this machine that speaks as Amazon SQS does. Its port is open from the start; the emulator behind
 * it takes a quarter of a second and forty megabytes to load, and is loaded when the first request or queue needs it.
 */
export class LocalQueue {
  readonly #server: Server
  readonly #listQueues: () => Promise<string[]>
  #emulator: Promise<Emulator> | undefined

  /** Given is how to find the arns of the queues that should be there, and the address of the seller interface. */
  constructor(listQueues: () => Promise<string[]>, sellerInterface: () => string) {
    this.#listQueues = listQueues
    this.#server = createServer((request, response) => {
      if (isForSellerInterface(request)) return respondMisdirected(request, response, sellerInterface())
      this.#load().then(
        ({ app }) => app.routing(request, response),
        (error: Error) => response.writeHead(500).end(error.message),
      )
    })
  }

  /** Opens the port and answers the address. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, resolve)
    })
    const { port: opened } = this.#server.address() as AddressInfo
    return `http://${toReachableHost(host)}:${opened}`
  }

  /** Makes the queue of an arn, if it is not there. */
  async createQueue(arn: string): Promise<void> {
    await create(await this.#load(), arn)
  }

  /** Forgets all queues and messages. */
  async reset(): Promise<void> {
    const emulator = this.#emulator
    this.#emulator = undefined
    await (await emulator)?.app.close()
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => (this.#server.listening ? this.#server.close(resolve) : resolve(undefined)))
    // Somebody may wait for messages with a request that takes twenty seconds.
    this.#server.closeAllConnections()
    await closed
    await this.reset()
  }

  #load(): Promise<Emulator> {
    this.#emulator ??= this.#start()
    return this.#emulator
  }

  async #start(): Promise<Emulator> {
    const { buildApp } = await import('fauxqs')
    const app = buildApp({ logger: false })
    await app.ready()
    const emulator = { app }
    for (const arn of await this.#listQueues()) await create(emulator, arn)
    return emulator
  }
}

const TOKEN_PATH = '/auth/o2/token'

// An SQS client sends everything to `/` or to `/<account>/<queue>`.
const OTHER_PORT_PATH =
  /^\/(_souk|auth|batches|catalog|console|definitions|docs|documents|feeds|healthz|listings|metrics|notifications|operator|products|readyz|reports|sellers|solicitations|tokens)(\/|\?|$)/

const isForSellerInterface = ({ headers, url = '' }: IncomingMessage) =>
  OTHER_PORT_PATH.test(url) ||
  headers['x-amz-access-token'] !== undefined ||
  headers['x-svc-access-token'] !== undefined

/** The ports are neighbours, so they are easily mixed up. */
function respondMisdirected({ url = '' }: IncomingMessage, response: ServerResponse, address: string): void {
  const error = new ApiError('NotFound', `This is the local queue. The seller interface is at ${address}.`)
  const body = url.startsWith(TOKEN_PATH)
    ? { error: 'invalid_request', error_description: error.message }
    : errorBody(error)
  response.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

/** An address by which whoever is on this machine reaches what listens there. */
function toReachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** As a client asks for it: the emulator has no other way in. */
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
  if (statusCode !== 200) throw new Error(`The local queue ${name} could not be made: ${body}`)
}
