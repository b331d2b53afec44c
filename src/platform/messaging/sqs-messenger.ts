import { SQSClient } from '@aws-sdk/client-sqs'
import { defaultDeadlines } from '../aws/deadlines.ts'
import { toUnavailableError } from '../aws/unavailable.ts'
import { BoundedMap } from '../bounded-map.ts'
import { withDeadline } from '../deadline.ts'
import { type AwsSettings, clientSettings } from './aws.ts'
import { type FailedMessage, type Message, type Target, unconfirmed } from './port.ts'
import { SqsBatchBody } from './sqs-batch-body.ts'
import { type BatchResult, SqsRequests } from './sqs-requests.ts'

export type SqsSettings = AwsSettings

type SqsTarget = Extract<Target, { kind: 'sqs' }>

const MAX_CACHED_CLIENTS = 20

/** Queues of Amazon SQS or a compatible service. */
export class SqsMessenger {
  readonly #settings: SqsSettings
  readonly #clients = new BoundedMap<string, SqsRequests>(MAX_CACHED_CLIENTS)
  readonly #body = new SqsBatchBody()

  constructor(settings: SqsSettings) {
    this.#settings = settings
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
    for (const client of this.#clients.values()) client.close()
  }

  async #send({ arn }: SqsTarget, messages: readonly Message[], abortSignal: AbortSignal): Promise<FailedMessage[]> {
    const { region, account, name } = parseArn(arn)
    const client = this.#clientOf(region)
    const origin = this.#settings.endpoint ?? `https://sqs.${region}.amazonaws.com`
    const queueUrl = `${origin}/${account}/${name}`
    const body = this.#body.serialize(queueUrl, messages)
    try {
      return toFailedMessages(await client.send(queueUrl, body, abortSignal), messages)
    } catch (error) {
      if (!isTooLong(error) || messages.length > 1) throw error
      return messages.map(({ id }) => permanentFailure(id, String(error)))
    }
  }

  #clientOf(region: string): SqsRequests {
    let client = this.#clients.get(region)
    if (!client) {
      // The URL of a queue contains its host, which differs from the endpoint if one is set.
      const sdk = new SQSClient({
        ...clientSettings(this.#settings, region),
        useQueueUrlAsEndpoint: false,
        // The signature covers the body of a request already.
        md5: false,
      })
      client = new SqsRequests(sdk)
      this.#clients.set(region, client)
    }
    return client
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
