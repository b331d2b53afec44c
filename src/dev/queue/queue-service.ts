import type { IncomingHttpHeaders } from 'node:http'
import { UnavailableError } from '../../platform/errors/unavailable-error.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { jsonProtocol } from './json-protocol.ts'
import { createMessageOperations } from './message-operations.ts'
import type { Operation, QueueDependencies, RequestContext } from './operation.ts'
import { Polls } from './polls.ts'
import type { ProtocolRequest } from './protocol.ts'
import { queryProtocol } from './query-protocol.ts'
import { QueueError } from './queue-error.ts'
import { createQueueOperations } from './queue-operations.ts'
import { createReceiveOperations } from './receive-message.ts'

export interface QueueServiceDependencies extends Omit<QueueDependencies, 'polls'> {
  logger: Pick<Logger, 'error'>
}

export interface QueueResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** Of the public model. */
const UNSUPPORTED = new Set([
  'AddPermission',
  'RemovePermission',
  'ListDeadLetterSourceQueues',
  'StartMessageMoveTask',
  'CancelMessageMoveTask',
  'ListMessageMoveTasks',
])

/** Amazon SQS without HTTP: queues and messages are in the database, and times are those of the clock. */
export class QueueService {
  readonly #dependencies: QueueServiceDependencies
  readonly #polls: Polls
  readonly #operations: ReadonlyMap<string, Operation>
  readonly #running = new Set<Promise<unknown>>()
  #paused: Promise<void> | undefined
  /** Creates the queues of these ARNs that do not exist. */
  readonly createQueues: (arns: readonly string[]) => Promise<void>

  constructor(dependencies: QueueServiceDependencies) {
    this.#dependencies = dependencies
    this.#polls = new Polls(dependencies.clock)
    const forOperations = { ...dependencies, polls: this.#polls }
    const { operations, createQueues } = createQueueOperations(forOperations)
    this.createQueues = createQueues
    this.#operations = new Map<string, Operation>([
      ...Object.entries(operations),
      ...Object.entries(createMessageOperations(forOperations)),
      ...Object.entries(createReceiveOperations(forOperations)),
    ])
  }

  async respond(request: ProtocolRequest, context: RequestContext): Promise<QueueResponse> {
    while (this.#paused) await this.#paused
    const work = this.#respond(request, context)
    this.#running.add(work)
    return work.finally(() => this.#running.delete(work))
  }

  /** The response to a request that is refused before its body is read. */
  refuse(headers: IncomingHttpHeaders, cause: unknown): QueueResponse {
    const protocol = protocolOf(headers)
    const requestId = this.#dependencies.ids.next('request')
    const error = this.#toQueueError(cause)
    return {
      status: error.kind.status,
      headers: { 'content-type': protocol.contentType, 'x-amzn-requestid': requestId, ...protocol.errorHeaders(error) },
      body: protocol.renderError(error, requestId),
    }
  }

  /** Has the consumers of a queue look for messages that were added to the database. */
  notify(queueName: string): void {
    this.#polls.notify(queueName)
  }

  /** Ends long polls and waits for operations. New ones wait until the returned function is called. */
  async pause(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#paused = promise
    this.#polls.pause()
    await Promise.allSettled(this.#running)
    return () => {
      this.#paused = undefined
      this.#polls.resume()
      resolve()
    }
  }

  /** Ends long polls, and those that come later do not wait. */
  stopPolls(): void {
    this.#polls.close()
  }

  /** Waits for all operations. */
  async drain(): Promise<void> {
    this.stopPolls()
    await Promise.allSettled(this.#running)
  }

  async #respond(request: ProtocolRequest, context: RequestContext): Promise<QueueResponse> {
    try {
      const protocol = protocolOf(request.headers)
      const { action, input } = protocol.parse(request)
      const result = await this.#operationOf(action)(input, context)
      const requestId = this.#dependencies.ids.next('request')
      return {
        status: 200,
        headers: { 'content-type': protocol.contentType, 'x-amzn-requestid': requestId },
        body: protocol.renderResult(action, result, requestId),
      }
    } catch (error) {
      return this.refuse(request.headers, error)
    }
  }

  #operationOf(action: string): Operation {
    const operation = this.#operations.get(action)
    if (operation) return operation
    if (UNSUPPORTED.has(action)) throw new QueueError('UnsupportedOperation', `The local queue has no ${action}.`)
    throw new QueueError('InvalidAction', 'The request has no action of Amazon SQS.')
  }

  #toQueueError(cause: unknown): QueueError {
    if (cause instanceof QueueError) return cause
    if (cause instanceof UnavailableError) return new QueueError('ServiceUnavailable', cause.message)
    this.#dependencies.logger.error({ err: cause }, 'a request to the local queue failed')
    return new QueueError('InternalFailure', 'The local queue failed. Its log has the reason.')
  }
}

const protocolOf = (headers: IncomingHttpHeaders) =>
  headers['x-amz-target'] === undefined ? queryProtocol : jsonProtocol
