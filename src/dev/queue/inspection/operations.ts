import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { decodePageToken, invalidPageToken, type PageQuery, toPage } from '../../../platform/paging.ts'
import { arnOf, type Counts, numberOf, type Queue, redrivePolicyOf } from '../queue.ts'
import { findQueue } from '../queue-store.ts'
import { MAX_BODY_CHARACTERS, type MessageList, type QueueList } from './schema.ts'
import { listCountedQueues, type PeekedMessage, peekMessages } from './store.ts'

export interface InspectionDependencies {
  database: Database
  clock: Clock
}

export type InspectionOperations = ReturnType<typeof createInspectionOperations>

/** Looks at the local queue without receiving anything. */
export function createInspectionOperations({ database, clock }: InspectionDependencies) {
  return {
    async listLocalQueues({ pageSize, pageToken }: PageQuery): Promise<QueueList> {
      const [after = ''] = pageToken === undefined ? [] : decodePageToken(pageToken, 1)
      const now = clock.now().getTime()
      const queues = await database.read((reader) => listCountedQueues(reader, { after, limit: pageSize + 1, now }))
      const { items, ...next } = toPage(queues, pageSize, ({ queue }) => [queue.name])
      return { queues: items.map(({ queue, counts }) => renderQueue(queue, counts)), ...next }
    },

    async peekLocalQueue(name: string, { pageSize, pageToken }: PageQuery): Promise<MessageList> {
      const after = pageToken === undefined ? undefined : parseMessageKey(pageToken)
      const now = clock.now().getTime()
      const rows = await database.read(async (reader) => {
        const queue = await findQueue(reader, name)
        if (!queue) throw new ApiError('NotFound', `There is no local queue ${name}.`, 'GET /_souk/queue lists them.')
        return peekMessages(reader, queue, { limit: pageSize + 1, now, ...(after && { after }) })
      })
      const { items, ...next } = toPage(rows, pageSize, keyOf)
      return { messages: items.map((row) => renderMessage(row, now)), ...next }
    },
  }
}

const keyOf = (row: PeekedMessage) => [String(row.visible_at), String(row.sent_at), row.message_id]

function parseMessageKey(pageToken: string): [number, number, string] {
  const [visibleAt, sentAt, messageId = ''] = decodePageToken(pageToken, 3)
  const times = [Number(visibleAt), Number(sentAt)] as const
  if (!times.every(Number.isSafeInteger)) throw invalidPageToken()
  return [...times, messageId]
}

function renderQueue(queue: Queue, messages: Counts): QueueList['queues'][number] {
  const policy = redrivePolicyOf(queue)
  return {
    name: queue.name,
    arn: arnOf(queue),
    createdAt: new Date(queue.createdAt).toISOString(),
    visibilityTimeoutSeconds: numberOf(queue, 'VisibilityTimeout'),
    retentionSeconds: numberOf(queue, 'MessageRetentionPeriod'),
    ...(policy && { deadLetterQueue: { arn: policy.deadLetterTargetArn, maxReceiveCount: policy.maxReceiveCount } }),
    messages,
  }
}

function renderMessage(row: PeekedMessage, now: number): MessageList['messages'][number] {
  return {
    messageId: row.message_id,
    state: row.visible_at <= now ? 'VISIBLE' : row.receipt === null ? 'DELAYED' : 'IN_FLIGHT',
    sentAt: new Date(row.sent_at).toISOString(),
    visibleAt: new Date(row.visible_at).toISOString(),
    receiveCount: row.receive_count,
    ...(row.first_received_at !== null && { firstReceivedAt: new Date(row.first_received_at).toISOString() }),
    ...(row.dead_letter_source !== null && { deadLetterSource: row.dead_letter_source }),
    attributes: row.attributes === null ? {} : JSON.parse(row.attributes),
    body: row.body,
    isBodyTruncated: row.characters > MAX_BODY_CHARACTERS,
  }
}
