import type { DueSource } from '../../platform/due.ts'
import { findNextVisible } from './message-store.ts'

/** One for each queue: its next message that is delayed or in flight. */
export const queueDue: DueSource = {
  async find(reader, after, limit) {
    const queues = await findNextVisible(reader, after.getTime(), limit)
    return queues.map(({ queueName, visibleAt }) => ({
      kind: 'queueMessageVisibility',
      time: new Date(visibleAt),
      id: queueName,
      description: `A message of the queue ${queueName} can be received`,
    }))
  },
}
