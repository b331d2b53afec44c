import { type BatchEntry, parseEach, parseEntries, renderBatch } from './batch.ts'
import type { Input } from './input.ts'
import { md5Of, md5OfAttributes, parseMessageAttributes } from './message-attributes.ts'
import { changeVisibility, deleteMessages, loadVisibility } from './message-store.ts'
import type { Operations, QueueDependencies } from './operation.ts'
import { MAX_DELAY_SECONDS, MAX_MESSAGE_BYTES, MAX_VISIBILITY_SECONDS } from './queue.ts'
import { invalidParameter, QueueError } from './queue-error.ts'
import { queueNameOf } from './queue-operations.ts'
import { requireQueue } from './queue-store.ts'
import { parseReceiptHandle, type Receipt } from './receipt-handle.ts'
import { type MessageInput, requireBody, type SentMessage, sendMessages, successes, toMessageInput } from './sending.ts'

interface VisibilityInput {
  receipt: Receipt
  seconds: number
}

/** Operations on messages. A single one is a batch of one whose error is that of the request. */
export function createMessageOperations({ database, clock, ids, polls }: QueueDependencies) {
  return {
    async SendMessage(input, context) {
      return onlyResult(await send(queueNameOf(input, context), [parseMessage(input)]))
    },

    async SendMessageBatch(input, context) {
      const entries = parseEntries(input)
      const messages = parseEach(entries, parseMessage)
      requireShortBatch(messages)
      return renderBatch(entries, await send(queueNameOf(input, context), messages))
    },

    async DeleteMessage(input, context) {
      const name = queueNameOf(input, context)
      return onlyResult(await remove(name, [parseReceipt(input, name)]))
    },

    async DeleteMessageBatch(input, context) {
      const name = queueNameOf(input, context)
      const entries = parseEntries(input)
      return renderBatch(entries, await remove(name, parseReceipts(entries, name)))
    },

    async ChangeMessageVisibility(input, context) {
      const name = queueNameOf(input, context)
      return onlyResult(await setVisibility(name, [parseVisibility(input, name)]))
    },

    async ChangeMessageVisibilityBatch(input, context) {
      const name = queueNameOf(input, context)
      const entries = parseEntries(input)
      const changes = parseEach(entries, (entry) => parseVisibility(entry, name))
      return renderBatch(entries, await setVisibility(name, changes))
    },
  } satisfies Operations

  async function send(
    name: string,
    messages: readonly (MessageInput | QueueError)[],
  ): Promise<(object | QueueError)[]> {
    const results = await database.transact(async (tx) =>
      sendMessages(tx, await requireQueue(tx, name), messages, { ids, now: clock.now().getTime() }),
    )
    polls.notify(name)
    return results.map((result) => (result instanceof QueueError ? result : renderSent(result)))
  }

  async function remove(name: string, receipts: readonly (Receipt | QueueError)[]): Promise<(object | QueueError)[]> {
    await database.transact(async (tx) => {
      await requireQueue(tx, name)
      await deleteMessages(tx, successes(receipts))
    })
    return receipts.map((receipt) => (receipt instanceof QueueError ? receipt : {}))
  }

  async function setVisibility(
    name: string,
    changes: readonly (VisibilityInput | QueueError)[],
  ): Promise<(object | QueueError)[]> {
    const results = await database.transact(async (tx) => {
      await requireQueue(tx, name)
      const now = clock.now().getTime()
      const visibility = await loadVisibility(
        tx,
        successes(changes).map(({ receipt }) => receipt),
      )
      const checked = changes.map((change) =>
        change instanceof QueueError ? change : checkInFlight(change, visibility, now),
      )
      const accepted = successes(checked).map(({ receipt, seconds }) => ({
        messageId: receipt.messageId,
        visibleAt: now + seconds * 1000,
      }))
      await changeVisibility(tx, accepted)
      return checked
    })
    polls.notify(name)
    return results.map((result) => (result instanceof QueueError ? result : {}))
  }
}

function onlyResult([result]: readonly (object | QueueError)[]): object {
  if (result instanceof QueueError) throw result
  return result ?? {}
}

function parseMessage(input: Input): MessageInput {
  const body = requireBody(input.rawText('MessageBody'))
  const attributes = parseMessageAttributes(input)
  return toMessageInput(body, attributes, input.integer('DelaySeconds', { min: 0, max: MAX_DELAY_SECONDS }))
}

function requireShortBatch(messages: readonly (MessageInput | QueueError)[]): void {
  const bytes = successes(messages).reduce((sum, message) => sum + message.bytes, 0)
  if (bytes <= MAX_MESSAGE_BYTES) return
  const message = `Batch requests cannot be longer than ${MAX_MESSAGE_BYTES} bytes. You have sent ${bytes} bytes.`
  throw new QueueError('BatchRequestTooLong', message)
}

function renderSent({ id, body, attributes }: SentMessage): object {
  const digest = md5OfAttributes(attributes)
  return { MessageId: id, MD5OfMessageBody: md5Of(body), ...(digest && { MD5OfMessageAttributes: digest }) }
}

const parseReceipt = (input: Input, queueName: string) =>
  parseReceiptHandle(input.requireText('ReceiptHandle'), queueName)

const parseReceipts = (entries: readonly BatchEntry[], queueName: string) =>
  parseEach(entries, (entry) => parseReceipt(entry, queueName))

function parseVisibility(input: Input, queueName: string): VisibilityInput {
  const receipt = parseReceipt(input, queueName)
  const seconds = input.requireInteger('VisibilityTimeout', { min: 0, max: MAX_VISIBILITY_SECONDS })
  return { receipt, seconds }
}

/** Takes when the messages become visible, by id. */
function checkInFlight(
  change: VisibilityInput,
  visibility: ReadonlyMap<string, number>,
  now: number,
): VisibilityInput | QueueError {
  const visibleAt = visibility.get(change.receipt.messageId)
  if (visibleAt === undefined) {
    const reason = 'Message does not exist or is not available for visibility timeout change.'
    return invalidParameter('ReceiptHandle', '', reason)
  }
  if (visibleAt > now) return change
  return new QueueError('MessageNotInflight', `The message ${change.receipt.messageId} is not in flight.`)
}
