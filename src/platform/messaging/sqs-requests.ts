import { SendMessageBatchCommand, type SendMessageBatchCommandOutput, type SQSClient } from '@aws-sdk/client-sqs'
import type { HttpRequest } from '@smithy/types'
import { HttpPoster, type Posted } from '../aws/http-poster.ts'
import { RequestSigner } from '../aws/request-signer.ts'
import { MAX_CONNECTIONS } from './aws.ts'

export type BatchResult = Pick<SendMessageBatchCommandOutput, 'Successful' | 'Failed'>
/** What all requests of a client have in common: the address, and headers such as the name of the operation. */
type RequestHead = Omit<HttpRequest, 'body'>

// They belong to one request, or the signature adds them.
const OWN_HEADERS =
  /^(amz-sdk-.*|authorization|content-length|x-amz-content-sha256|x-amz-date|x-amz-security-token|x-amzn-trace-id)$/
const ACCEPTED = 200

/**
 * SendMessageBatch requests of one client. The SDK finds out the same address and headers for each request, which takes
 * longer than to sign and send it. So it sends the first one, and the next ones get its address and headers. The SDK also
 * reads the responses to those that were not accepted: it knows the errors of the service, and corrects a wrong clock.
 */
export class SqsRequests {
  readonly #client: SQSClient
  readonly #signer: RequestSigner
  readonly #poster: HttpPoster
  #head: RequestHead | undefined

  constructor(client: SQSClient, { region, connectMilliseconds }: { region: string; connectMilliseconds: number }) {
    this.#client = client
    this.#signer = new RequestSigner({ service: 'sqs', region })
    this.#poster = new HttpPoster({ connectMilliseconds, maxConnections: MAX_CONNECTIONS })
  }

  async send(queueUrl: string, body: Buffer, abortSignal: AbortSignal): Promise<BatchResult> {
    const response = this.#head && (await this.#sendLike(this.#head, body, abortSignal))
    const result = response?.statusCode === ACCEPTED ? parseResult(response.body) : undefined
    if (result) return result
    const command = this.#createCommand(queueUrl, body)
    if (response) respondTo(command, response)
    return this.#client.send(command, { abortSignal })
  }

  get config() {
    return this.#client.config
  }

  destroy(): void {
    this.#client.destroy()
    this.#poster.close()
  }

  async #sendLike(head: RequestHead, body: Buffer, abortSignal: AbortSignal): Promise<Posted> {
    const { credentials, systemClockOffset } = this.#client.config
    const headers = { ...head.headers, 'content-length': String(body.length) }
    const date = new Date(Date.now() + systemClockOffset)
    const signed = await this.#signer.sign({ ...head, headers, body }, await credentials(), date)
    return this.#poster.post(head, signed, body, abortSignal)
  }

  /**
   * The SDK serializes a body character by character, which led the profile of a worker. So it gets no messages, and
   * its body is replaced before it is measured and signed.
   */
  #createCommand(queueUrl: string, body: Buffer): SendMessageBatchCommand {
    const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [] })
    command.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as HttpRequest
        request.body = body
        return next(args)
      },
      { step: 'build', name: 'messagesMiddleware', priority: 'high' },
    )
    command.middlewareStack.add(
      (next) => async (args) => {
        const accepted = await next(args)
        this.#head = headOf(args.request as HttpRequest)
        return accepted
      },
      { step: 'finalizeRequest', name: 'headMiddleware', priority: 'low' },
    )
    return command
  }
}

/** Has the SDK read this response instead of sending the command. */
function respondTo(command: SendMessageBatchCommand, response: Posted): void {
  command.middlewareStack.add(() => async () => ({ response }) as never, {
    step: 'deserialize',
    name: 'responseMiddleware',
    priority: 'low',
  })
}

function headOf({ body: _, headers, ...address }: HttpRequest): RequestHead {
  const common = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OWN_HEADERS.test(name))
  return { ...address, headers: Object.fromEntries(common) }
}

/** Returns undefined for what is not a response of SQS, such as a page of a proxy. */
function parseResult(content: Uint8Array): BatchResult | undefined {
  try {
    const { Successful = [], Failed = [] } = JSON.parse(Buffer.from(content).toString()) as BatchResult
    return Array.isArray(Successful) && Array.isArray(Failed) ? { Successful, Failed } : undefined
  } catch {
    return undefined
  }
}
