import type { Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import { hasInvalidCharacter } from './input.ts'
import { type MessageAttributes, sizeOf } from './message-attributes.ts'
import { insertMessages } from './message-store.ts'
import { numberOf, type Queue } from './queue.ts'
import { missingParameter, QueueError } from './queue-error.ts'

export interface MessageInput {
  body: string
  attributes: MessageAttributes
  /** Default: that of the queue. */
  delaySeconds: number | undefined
  bytes: number
}

export interface SentMessage extends MessageInput {
  id: string
}

const NO_ATTRIBUTES: MessageAttributes = {}

export function requireBody(body: string | undefined): string {
  if (!body) throw missingParameter('MessageBody')
  if (!hasInvalidCharacter(body)) return body
  throw new QueueError('InvalidMessageContents', 'The message contains characters outside the allowed set.')
}

export const toMessageInput = (
  body: string,
  attributes: MessageAttributes = NO_ATTRIBUTES,
  delaySeconds?: number,
): MessageInput => ({ body, attributes, delaySeconds, bytes: sizeOf(body, attributes) })

/** Adds messages to a queue, except those that are errors already or that the queue rejects. Keeps the order. */
export async function sendMessages(
  tx: Transaction,
  queue: Queue,
  messages: readonly (MessageInput | QueueError)[],
  { ids, now }: { ids: Ids; now: number },
): Promise<(SentMessage | QueueError)[]> {
  const results = messages.map((message) =>
    message instanceof QueueError
      ? message
      : (findSizeError(queue, message) ?? { ...message, id: ids.next('message') }),
  )
  const defaultDelay = numberOf(queue, 'DelaySeconds')
  await insertMessages(
    tx,
    successes(results).map(({ delaySeconds = defaultDelay, ...message }) => ({
      ...message,
      queueName: queue.name,
      sentAt: now,
      visibleAt: now + delaySeconds * 1000,
    })),
  )
  return results
}

export const successes = <Result extends object>(results: readonly (Result | QueueError)[]): Result[] =>
  results.filter((result): result is Result => !(result instanceof QueueError))

function findSizeError(queue: Queue, { bytes }: MessageInput): QueueError | undefined {
  const maxBytes = numberOf(queue, 'MaximumMessageSize')
  if (bytes <= maxBytes) return undefined
  const reason = `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`
  return new QueueError('InvalidParameterValue', reason)
}
