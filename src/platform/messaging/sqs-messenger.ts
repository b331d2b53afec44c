import { SQSClient } from '@aws-sdk/client-sqs'
import { defaultDeadlines } from '../aws/deadlines.ts'
import { toUnavailableError } from '../aws/unavailable.ts'
import { withDeadline } from '../deadline.ts'
import type { AwsSettings } from './aws.ts'
import { type FailedMessage, type Message, type Target, unconfirmed } from './port.ts'
import { RegionClients } from './region-clients.ts'
import { serializeBatch } from './sqs-batch-body.ts'
import { type BatchResult, SqsRequests } from './sqs-requests.ts'

export type SqsSettings = AwsSettings

type SqsTarget = Extract<Target, { kind: 'sqs' }>

/** Queues of Amazon SQS or a compatible service. */
export class SqsMessenger {
  readonly #settings: SqsSettings
  readonly #clients: RegionClients<SqsRequests>

  constructor(settings: SqsSettings) {
    this.#settings = settings
    const { connectMilliseconds } = settings.deadlines ?? defaultDeadlines
    this.#clients = new RegionClients(settings, (common) => {
      // The URL of a queue contains its host, which differs from the endpoint if one is set. The signature covers the body
      // of a request already.
      const client = new SQSClient({ ...common, useQueueUrlAsEndpoint: false, md5: false })
      return new SqsRequests(client, { region: common.region, connectMilliseconds })
    })
  }

  async send(target: SqsTarget, messages: readonly Message[]): Promise<FailedMessage[]> {
    const { callMilliseconds } = this.#settings.deadlines ?? defaultDeadlines
    try {
      return await withDeadline(callMilliseconds, (signal) => this.#send(target, messages, signal))
    } catch (error) {
      throw toUnavailableError('SQS', error)
    }
  }

  close(): void {
    this.#clients.close()
  }

  async #send({ arn }: SqsTarget, messages: readonly Message[], abortSignal: AbortSignal): Promise<FailedMessage[]> {
    const { region, account, name } = parseArn(arn)
    const origin = this.#settings.endpoint ?? `https://sqs.${region}.amazonaws.com`
    const queueUrl = `${origin}/${account}/${name}`
    const body = serializeBatch(queueUrl, messages)
    try {
      const result = await this.#clients.use(region, (client) => client.send(queueUrl, body, abortSignal))
      return toFailedMessages(result, messages)
    } catch (error) {
      if (!isTooLong(error) || messages.length > 1) throw error
      return messages.map(({ id }) => permanentFailure(id, String(error)))
    }
  }
}

function toFailedMessages(
  { Successful = [], Failed = [] }: BatchResult,
  messages: readonly Message[],
): FailedMessage[] {
  const accepted = new Set(Successful.map(({ Id }) => Id))
  const failed = new Map(Failed.map((entry) => [entry.Id, entry]))
  return messages.flatMap(({ id }) => {
    const failure = failed.get(id)
    if (!failure) return accepted.has(id) ? [] : [unconfirmed(id, 'SQS')]
    const { Code, Message: text, SenderFault = false } = failure
    return [{ id, reason: [Code, text].filter(Boolean).join(': '), isPermanent: SenderFault && !isTransient(Code) }]
  })
}

const permanentFailure = (id: string, reason: string): FailedMessage => ({ id, reason, isPermanent: true })

// SQS reports these as faults of the sender, but they are temporary.
const isTransient = (code = '') => /throttl|overlimit|accessdenied|kms/i.test(code)

const isTooLong = (error: unknown) =>
  error instanceof Error && /BatchRequestTooLong|InvalidMessageContents/.test(error.name)

function parseArn(arn: string) {
  const [, , , region = '', account = '', name = ''] = arn.split(':')
  return { region, account, name }
}
