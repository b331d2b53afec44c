import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { Queues } from '../../platform/messaging/messenger.ts'
import type { FailedMessage, Message } from '../../platform/messaging/port.ts'
import { queueOfArn } from './queue.ts'
import { QueueError } from './queue-error.ts'
import { ensureQueue } from './queue-store.ts'
import { requireBody, sendMessages, toMessageInput } from './sending.ts'

export interface QueueMessengerDependencies {
  database: Database
  clock: Clock
  ids: Ids
  /** Has the consumers of a queue look for messages. */
  notifyQueue(queueName: string): void
}

/**
 * Sends notifications to the local queue: writes its tables, with the rules of SendMessageBatch and without its protocol.
 * A queue that does not exist is created.
 */
export class QueueMessenger implements Queues {
  // A commit costs as much as many messages, and other writers wait for it no longer than for a step of the fan-out.
  readonly limit = { messages: 100, bytes: 512 * 1024 }
  readonly #dependencies: QueueMessengerDependencies

  constructor(dependencies: QueueMessengerDependencies) {
    this.#dependencies = dependencies
  }

  async send({ arn }: { arn: string }, messages: readonly Message[]): Promise<FailedMessage[]> {
    const { database, clock, ids, notifyQueue } = this.#dependencies
    const inputs = messages.map(parseMessage)
    const { name, results } = await database.transact(async (tx) => {
      const now = clock.now().getTime()
      const queue = await ensureQueue(tx, queueOfArn(arn, now))
      return { name: queue.name, results: await sendMessages(tx, queue, inputs, { ids, now }) }
    })
    notifyQueue(name)
    return messages.flatMap(({ id }, index) => {
      const result = results[index]
      if (!(result instanceof QueueError)) return []
      return [{ id, reason: `${result.kind.code}: ${result.message}`, isPermanent: result.isSenderFault }]
    })
  }

  close(): void {}
}

function parseMessage({ body }: Message) {
  try {
    return toMessageInput(requireBody(body))
  } catch (error) {
    if (error instanceof QueueError) return error
    throw error
  }
}
