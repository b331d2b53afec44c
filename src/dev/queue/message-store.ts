import { sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import type { MessageAttributes } from './message-attributes.ts'
import { type Counts, numberOf, type Queue } from './queue.ts'
import type { Receipt } from './receipt-handle.ts'
import type { QueueTables } from './tables.ts'

type Row = QueueTables['queue_messages']

export interface NewMessage {
  id: string
  queueName: string
  body: string
  attributes: MessageAttributes
  sentAt: number
  visibleAt: number
}

export interface ReceivedMessage {
  id: string
  body: string
  attributes: MessageAttributes
  sentAt: number
  receiveCount: number
  firstReceivedAt: number
  deadLetterSource: string | undefined
}

const db = queryBuilder<QueueTables>()

const insert = prepare((row: Row) => db.insertInto('queue_messages').values({ ...row }))

export async function insertMessages(tx: Transaction, messages: readonly NewMessage[]): Promise<void> {
  await tx.runEach(
    insert,
    messages.map(({ id, queueName, body, attributes, sentAt, visibleAt }) => ({
      message_id: id,
      queue_name: queueName,
      visible_at: visibleAt,
      sent_at: sentAt,
      receipt: null,
      receive_count: 0,
      first_received_at: null,
      dead_letter_source: null,
      attributes: Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : null,
      body,
    })),
  )
}

/** Messages that were sent at this time or before are expired, whether they were swept or not. */
export const expiryOf = (queue: Queue, now: number) => now - numberOf(queue, 'MessageRetentionPeriod') * 1000

const selectEarliest = prepare((params: { queueName: string; expiry: number }) =>
  db
    .selectFrom('queue_messages')
    .select('visible_at')
    .where('queue_name', '=', params.queueName)
    .where('sent_at', '>', params.expiry)
    .orderBy('visible_at')
    .limit(1),
)

/** When the next message of a queue can be received, now or later. */
export async function findEarliestVisibility(reader: Reader, queue: Queue, now: number): Promise<number | undefined> {
  return (await reader.first(selectEarliest, { queueName: queue.name, expiry: expiryOf(queue, now) }))?.visible_at
}

const selectNextVisible = prepare((params: { after: number; limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('queues')
        .select((eb) => [
          'queues.queue_name',
          eb
            .selectFrom('queue_messages')
            .select((message) => message.fn.min('visible_at').as('visible_at'))
            .whereRef('queue_messages.queue_name', '=', 'queues.queue_name')
            .where('visible_at', '>', params.after)
            .as('visible_at'),
        ])
        .as('next'),
    )
    .select(['queue_name', 'visible_at'])
    .where('visible_at', 'is not', null)
    .orderBy('visible_at')
    .orderBy('queue_name')
    .limit(params.limit),
)

/** For each queue, when its next message that cannot be received yet is visible. */
export async function findNextVisible(reader: Reader, after: number, limit: number) {
  const rows = await reader.all(selectNextVisible, { after, limit })
  return rows.map((row) => ({ queueName: row.queue_name, visibleAt: row.visible_at as number }))
}

interface ClaimParams {
  queueName: string
  now: number
  expiry: number
  maxReceiveCount: number
  limit: number
  visibleAt: number
  receipt: string
}

const prepareClaim = (dialect: Dialect) =>
  prepare((params: ClaimParams) => {
    const visible = db
      .selectFrom('queue_messages')
      .select('message_id')
      .where('queue_name', '=', params.queueName)
      .where('visible_at', '<=', params.now)
      .where('sent_at', '>', params.expiry)
      .where('receive_count', '<', params.maxReceiveCount)
      .orderBy('visible_at')
      .orderBy('sent_at')
      .orderBy('message_id')
      .limit(params.limit)
    // SQLite has one writer at a time; on PostgreSQL, consumers that look at the same moment find different messages.
    const claimable = dialect === 'postgres' ? visible.forUpdate().skipLocked() : visible
    return (
      db
        // Otherwise PostgreSQL may look for visible ones once for each row, and claim more than the limit.
        .with(
          (cte) => cte('claimable').materialized(),
          () => claimable,
        )
        .updateTable('queue_messages')
        .set((eb) => ({
          visible_at: params.visibleAt,
          receipt: params.receipt,
          receive_count: eb('receive_count', '+', 1),
          first_received_at: eb.fn.coalesce('first_received_at', sql<number>`cast(${params.now} as bigint)`),
        }))
        .where('message_id', 'in', (eb) => eb.selectFrom('claimable').select('message_id'))
        .returningAll()
    )
  })

const claims = { sqlite: prepareClaim('sqlite'), postgres: prepareClaim('postgres') }

export interface Claim {
  now: number
  receipt: string
  visibleAt: number
  limit: number
  /** Messages that were received so often are not claimed. */
  maxReceiveCount: number
}

/** Claims visible messages. No other consumer receives them until they are visible again. */
export async function claimMessages(
  tx: Transaction,
  dialect: Dialect,
  queue: Queue,
  claim: Claim,
): Promise<ReceivedMessage[]> {
  const expiry = expiryOf(queue, claim.now)
  const rows = await tx.all(claims[dialect], { queueName: queue.name, expiry, ...claim })
  // The statement returns them in any order.
  const inOrder = rows.sort((a, b) => a.sent_at - b.sent_at || (a.message_id < b.message_id ? -1 : 1))
  return inOrder.map((row) => ({
    id: row.message_id,
    body: row.body,
    attributes: row.attributes === null ? {} : JSON.parse(row.attributes),
    sentAt: row.sent_at,
    receiveCount: row.receive_count,
    firstReceivedAt: row.first_received_at ?? claim.now,
    deadLetterSource: row.dead_letter_source ?? undefined,
  }))
}

const MAX_MOVED_MESSAGES = 100

export interface Redrive {
  from: string
  to: string
  sourceArn: string
  maxReceiveCount: number
  now: number
}

/** Moves visible messages that were received too often to the dead-letter queue. Returns their number. */
export async function moveToDeadLetters(
  tx: Transaction,
  { from, to, sourceArn, maxReceiveCount, now }: Redrive,
): Promise<number> {
  const exhausted = db
    .selectFrom('queue_messages')
    .select('message_id')
    .where('queue_name', '=', from)
    .where('visible_at', '<=', now)
    .where('receive_count', '>=', maxReceiveCount)
    .limit(MAX_MOVED_MESSAGES)
  return tx.run(
    db
      .updateTable('queue_messages')
      .set({ queue_name: to, visible_at: now, receipt: null, dead_letter_source: sourceArn })
      .where('message_id', 'in', exhausted),
  )
}

const remove = prepare((params: Receipt) =>
  db
    .deleteFrom('queue_messages')
    .where('message_id', '=', params.messageId)
    .where('queue_name', '=', params.queueName)
    .where('receipt', '=', params.receipt),
)

/** Messages that were received again since, or deleted, are skipped. */
export async function deleteMessages(tx: Transaction, receipts: readonly Receipt[]): Promise<void> {
  await tx.runEach(remove, receipts)
}

/** Loads when messages become visible, by message id, for receipts that are the latest of their message. */
export async function loadVisibility(reader: Reader, receipts: readonly Receipt[]): Promise<Map<string, number>> {
  if (receipts.length === 0) return new Map()
  const ids = receipts.map(({ messageId }) => messageId)
  const query = db
    .selectFrom('queue_messages')
    .select(['message_id', 'queue_name', 'receipt', 'visible_at'])
    .where('message_id', 'in', ids)
  const rows = await reader.all(query)
  const isLatest = (row: Pick<Row, 'message_id' | 'queue_name' | 'receipt'>) =>
    receipts.some(
      ({ messageId, queueName, receipt }) =>
        messageId === row.message_id && queueName === row.queue_name && receipt === row.receipt,
    )
  return new Map(rows.filter(isLatest).map((row) => [row.message_id, row.visible_at]))
}

const setVisibility = prepare((params: { messageId: string; visibleAt: number }) =>
  db.updateTable('queue_messages').set({ visible_at: params.visibleAt }).where('message_id', '=', params.messageId),
)

export async function changeVisibility(
  tx: Transaction,
  changes: readonly { messageId: string; visibleAt: number }[],
): Promise<void> {
  await tx.runEach(setVisibility, changes)
}

export async function countMessages(reader: Reader, queue: Queue, now: number): Promise<Counts> {
  const unexpired = db
    .selectFrom('queue_messages')
    .where('queue_name', '=', queue.name)
    .where('sent_at', '>', expiryOf(queue, now))
  const visible = await reader.first(
    unexpired.where('visible_at', '<=', now).select((eb) => eb.fn.countAll<number>().as('count')),
  )
  const hidden = await reader.first(
    unexpired
      .where('visible_at', '>', now)
      .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('receipt').as('received')]),
  )
  const inFlight = hidden?.received ?? 0
  return { visible: visible?.count ?? 0, inFlight, delayed: (hidden?.all ?? 0) - inFlight }
}

/** Counts the messages of all queues, up to a limit. Those that are expired count until they are swept. */
export async function countAllMessages(reader: Reader, limit: number): Promise<number> {
  const some = db.selectFrom('queue_messages').select('message_id').limit(limit).as('some')
  const row = await reader.first(db.selectFrom(some).select((eb) => eb.fn.countAll<number>().as('count')))
  return row?.count ?? 0
}

/** Deletes up to `limit` messages of a queue. Returns their number. */
export function deleteSomeMessages(tx: Transaction, queueName: string, limit: number): Promise<number> {
  const some = db.selectFrom('queue_messages').select('message_id').where('queue_name', '=', queueName).limit(limit)
  return tx.run(db.deleteFrom('queue_messages').where('message_id', 'in', some))
}

/** Deletes messages whose retention is over. Returns their number. */
export async function deleteExpiredMessages(tx: Transaction, now: number, limit: number): Promise<number> {
  const expired = db
    .selectFrom('queues')
    .innerJoin('queue_messages', 'queue_messages.queue_name', 'queues.queue_name')
    .select('queue_messages.message_id')
    .where(sql<boolean>`queue_messages.sent_at <= cast(${now} as bigint) - queues.retention_milliseconds`)
    .limit(limit)
  return tx.run(db.deleteFrom('queue_messages').where('message_id', 'in', expired))
}
