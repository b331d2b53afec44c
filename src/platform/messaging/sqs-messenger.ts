import {
  CreateQueueCommand,
  QueueDoesNotExist,
  SendMessageBatchCommand,
  type SendMessageBatchCommandOutput,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { defaultDeadlines, within } from '../aws/deadlines.ts'
import { asUnavailable } from '../aws/unavailable.ts'
import { BoundedMap } from '../bounded-map.ts'
import { type AwsSettings, clientSettings } from './aws.ts'
import type { Message, Refusal, Target } from './port.ts'

export interface SqsSettings extends AwsSettings {
  /** Make a queue that is not there: for queues that nobody else makes. */
  createsQueues?: boolean
}

type SqsTarget = Extract<Target, { kind: 'sqs' }>

const CLIENTS_KEPT = 20

/** Queues of Amazon SQS, or of what speaks its protocol. */
export class SqsMessenger {
  readonly #settings: SqsSettings
  readonly #clients = new BoundedMap<string, SQSClient>(CLIENTS_KEPT)

  constructor(settings: SqsSettings) {
    this.#settings = settings
  }

  async send(target: SqsTarget, messages: readonly Message[]): Promise<Refusal[]> {
    const { callMilliseconds } = this.#settings.deadlines ?? defaultDeadlines
    try {
      return await within(callMilliseconds, (signal) => this.#send(target, messages, signal))
    } catch (error) {
      throw asUnavailable('SQS', error)
    }
  }

  close(): void {
    for (const client of this.#clients.values()) client.destroy()
  }

  async #send({ arn }: SqsTarget, messages: readonly Message[], abortSignal: AbortSignal): Promise<Refusal[]> {
    const { region, account, name } = partsOf(arn)
    const client = this.#clientOf(region)
    const origin = this.#settings.endpoint ?? `https://sqs.${region}.amazonaws.com`
    const command = new SendMessageBatchCommand({
      QueueUrl: `${origin}/${account}/${name}`,
      Entries: messages.map(({ id, body }) => ({ Id: id, MessageBody: body })),
    })
    try {
      return refusalsIn(await client.send(command, { abortSignal }), messages)
    } catch (error) {
      if (isTooLong(error) && messages.length === 1) return messages.map(({ id }) => final(id, String(error)))
      if (!this.#settings.createsQueues || !(error instanceof QueueDoesNotExist)) throw error
    }
    await client.send(new CreateQueueCommand({ QueueName: name }), { abortSignal })
    return refusalsIn(await client.send(command, { abortSignal }), messages)
  }

  #clientOf(region: string): SQSClient {
    let client = this.#clients.get(region)
    if (!client) {
      // The address of a queue names its host, which is not the one that we reach it by where an endpoint is set.
      client = new SQSClient({ ...clientSettings(this.#settings, region), useQueueUrlAsEndpoint: false })
      this.#clients.set(region, client)
    }
    return client
  }
}

function refusalsIn({ Failed = [] }: SendMessageBatchCommandOutput, messages: readonly Message[]): Refusal[] {
  const ids = new Set(messages.map(({ id }) => id))
  return Failed.filter(({ Id }) => ids.has(Id ?? '')).map(({ Id = '', Code, Message: text, SenderFault = false }) => ({
    id: Id,
    reason: [Code, text].filter(Boolean).join(': '),
    isFinal: SenderFault && !isPassing(Code),
  }))
}

const final = (id: string, reason: string): Refusal => ({ id, reason, isFinal: true })

// These are counted as the sender's fault, and are over after a while.
const isPassing = (code = '') => /throttl|overlimit|accessdenied|kms/i.test(code)

const isTooLong = (error: unknown) =>
  error instanceof Error && /BatchRequestTooLong|InvalidMessageContents/.test(error.name)

function partsOf(arn: string) {
  const [, , , region = '', account = '', name = ''] = arn.split(':')
  return { region, account, name }
}
