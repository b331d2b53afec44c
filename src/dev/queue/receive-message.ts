import type { Transaction } from '../../platform/database/port.ts'
import type { Input } from './input.ts'
import { md5Of, md5OfAttributes, selectAttributes } from './message-attributes.ts'
import { claimMessages, findEarliestVisibility, moveToDeadLetters, type ReceivedMessage } from './message-store.ts'
import type { Operations, QueueDependencies } from './operation.ts'
import type { Attempt } from './polls.ts'
import {
  arnOf,
  MAX_VISIBILITY_SECONDS,
  MAX_WAIT_SECONDS,
  numberOf,
  parseArn,
  type Queue,
  redrivePolicyOf,
} from './queue.ts'
import { unknownAttribute } from './queue-error.ts'
import { queueNameOf } from './queue-operations.ts'
import { findQueue, requireQueue } from './queue-store.ts'
import { renderReceiptHandle } from './receipt-handle.ts'

interface ReceiveInput {
  limit: number
  visibilitySeconds: number | undefined
  waitSeconds: number | undefined
  systemAttributes: readonly string[]
  attributeNames: readonly string[]
}

interface Received extends ReceivedMessage {
  handle: string
}

const MAX_MESSAGES = 10
// SQLite and PostgreSQL can compare with it.
const NO_LIMIT = Number.MAX_SAFE_INTEGER

const SENDER_ID = 'AIDALOCALQUEUE'

const SYSTEM_ATTRIBUTES = [
  'All',
  'ApproximateFirstReceiveTimestamp',
  'ApproximateReceiveCount',
  'AWSTraceHeader',
  'DeadLetterQueueSourceArn',
  'MessageDeduplicationId',
  'MessageGroupId',
  'SenderId',
  'SentTimestamp',
  'SequenceNumber',
]

export function createReceiveOperations({ database, clock, ids, polls }: QueueDependencies) {
  return {
    async ReceiveMessage(input, context) {
      const name = queueNameOf(input, context)
      const wanted = parseReceive(input)
      const queue = await database.read((reader) => requireQueue(reader, name))
      const waitSeconds = wanted.waitSeconds ?? numberOf(queue, 'ReceiveMessageWaitTimeSeconds')
      const poll = { waitSeconds, gone: context.gone }
      const messages = await polls.poll(name, poll, () => attempt(name, wanted))
      return messages.length > 0 ? { Messages: messages.map((message) => renderMessage(message, wanted)) } : {}
    },
  } satisfies Operations

  /** Looks first, because an attempt to write would make writers wait, and most attempts of a long poll find nothing. */
  async function attempt(name: string, wanted: ReceiveInput): Promise<Attempt<Received>> {
    const now = clock.now().getTime()
    const { queue, nextAt } = await database.read(async (reader) => {
      const found = await requireQueue(reader, name)
      return { queue: found, nextAt: await findEarliestVisibility(reader, found, now) }
    })
    if (nextAt === undefined || nextAt > now) return { items: [], nextAt }
    try {
      const { items, deadLetterQueue } = await database.transact((tx) => claim(tx, queue, wanted))
      // Other polls may have to wake when these messages are visible again.
      if (items.length > 0) polls.notify(name)
      if (deadLetterQueue !== undefined) polls.notify(deadLetterQueue)
      return { items }
    } catch (error) {
      // Other polls may have left the messages to this one.
      polls.notify(name)
      throw error
    }
  }

  async function claim(
    tx: Transaction,
    queue: Queue,
    { limit, visibilitySeconds = numberOf(queue, 'VisibilityTimeout') }: ReceiveInput,
  ): Promise<{ items: Received[]; deadLetterQueue: string | undefined }> {
    const now = clock.now().getTime()
    const receipt = ids.next('lease')
    const redrive = await redriveOf(tx, queue)
    const maxReceiveCount = redrive?.maxReceiveCount ?? NO_LIMIT
    const moved = redrive && (await moveToDeadLetters(tx, { ...redrive, now }))
    const visibleAt = now + visibilitySeconds * 1000
    const messages = await claimMessages(tx, database.dialect, queue, {
      now,
      receipt,
      visibleAt,
      limit,
      maxReceiveCount,
    })
    return {
      items: messages.map((message) => ({
        ...message,
        handle: renderReceiptHandle({ queueName: queue.name, messageId: message.id, receipt }),
      })),
      deadLetterQueue: moved ? redrive.to : undefined,
    }
  }
}

/** Undefined for a queue without a dead-letter queue. Its messages can be received any number of times. */
async function redriveOf(tx: Transaction, queue: Queue) {
  const policy = redrivePolicyOf(queue)
  const target = policy && (await findQueue(tx, parseArn(policy.deadLetterTargetArn).name))
  if (!target || target.name === queue.name) return undefined
  return { from: queue.name, to: target.name, sourceArn: arnOf(queue), maxReceiveCount: policy.maxReceiveCount }
}

function parseReceive(input: Input): ReceiveInput {
  // Older clients use the first name.
  const systemAttributes = [...input.texts('AttributeNames'), ...input.texts('MessageSystemAttributeNames')]
  const unknown = systemAttributes.find((name) => !SYSTEM_ATTRIBUTES.includes(name))
  if (unknown !== undefined) throw unknownAttribute(unknown)
  return {
    limit: input.integer('MaxNumberOfMessages', { min: 1, max: MAX_MESSAGES }) ?? 1,
    visibilitySeconds: input.integer('VisibilityTimeout', { min: 0, max: MAX_VISIBILITY_SECONDS }),
    waitSeconds: input.integer('WaitTimeSeconds', { min: 0, max: MAX_WAIT_SECONDS }),
    systemAttributes,
    attributeNames: input.texts('MessageAttributeNames'),
  }
}

function renderMessage(message: Received, { systemAttributes, attributeNames }: ReceiveInput): object {
  const attributes = selectAttributes(message.attributes, attributeNames)
  const digest = md5OfAttributes(attributes)
  const system = renderSystemAttributes(message, systemAttributes)
  return {
    MessageId: message.id,
    ReceiptHandle: message.handle,
    MD5OfBody: md5Of(message.body),
    Body: message.body,
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    // SDKs verify the digest over the attributes that they receive.
    ...(digest && { MD5OfMessageAttributes: digest, MessageAttributes: attributes }),
  }
}

function renderSystemAttributes(message: Received, names: readonly string[]): [string, string][] {
  const values: Record<string, string | number | undefined> = {
    SenderId: SENDER_ID,
    SentTimestamp: message.sentAt,
    ApproximateReceiveCount: message.receiveCount,
    ApproximateFirstReceiveTimestamp: message.firstReceivedAt,
    DeadLetterQueueSourceArn: message.deadLetterSource,
  }
  const isWanted = (name: string) => names.includes('All') || names.includes(name)
  return Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value !== undefined && isWanted(name) ? [[name, String(value)]] : [],
  )
}
