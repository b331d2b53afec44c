import { sql } from 'kysely'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { chunks } from '../../platform/database/tuples.ts'
import { numberOf, type Queue, queueDoesNotExist } from './queue.ts'
import type { QueueTables } from './tables.ts'

type Row = QueueTables['queues']

const db = queryBuilder<QueueTables>()

const QUEUES_PER_STATEMENT = 1000

const selectQueue = prepare((params: { name: string }) =>
  db.selectFrom('queues').selectAll().where('queue_name', '=', params.name),
)

export async function findQueue(reader: Reader, name: string): Promise<Queue | undefined> {
  const row = await reader.first(selectQueue, { name })
  return row && fromRow(row)
}

export async function requireQueue(reader: Reader, name: string): Promise<Queue> {
  const queue = await findQueue(reader, name)
  if (!queue) throw queueDoesNotExist()
  return queue
}

/** Returns the queue with the name of the given one, which is created if there is none. */
export async function ensureQueue(tx: Transaction, queue: Queue): Promise<Queue> {
  const existing = await findQueue(tx, queue.name)
  if (existing) return existing
  await insertQueues(tx, [queue])
  return queue
}

/** Lists queues by name. */
export async function listQueues(
  reader: Reader,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<Queue[]> {
  let query = db.selectFrom('queues').selectAll().where('queue_name', '>', after).orderBy('queue_name').limit(limit)
  if (prefix) query = query.where(sql`substr(queue_name, 1, ${sql.lit(prefix.length)})`, '=', prefix)
  return (await reader.all(query)).map(fromRow)
}

/** Queues that exist stay as they are. */
export async function insertQueues(tx: Transaction, queues: readonly Queue[]): Promise<void> {
  for (const chunk of chunks(queues, QUEUES_PER_STATEMENT)) {
    await tx.run(
      db
        .insertInto('queues')
        .values(chunk.map(toRow))
        .onConflict((conflict) => conflict.doNothing()),
    )
  }
}

export async function updateQueue(tx: Transaction, queue: Queue): Promise<void> {
  const { attributes, tags, retention_milliseconds, modified_at } = toRow(queue)
  await tx.run(
    db
      .updateTable('queues')
      .set({ attributes, tags, retention_milliseconds, modified_at })
      .where('queue_name', '=', queue.name),
  )
}

/** Deletes a queue with its messages. Returns false if it does not exist. */
export async function deleteQueue(tx: Transaction, name: string): Promise<boolean> {
  return (await tx.run(db.deleteFrom('queues').where('queue_name', '=', name))) === 1
}

const toRow = (queue: Queue): Row => ({
  queue_name: queue.name,
  region: queue.region,
  account: queue.account,
  attributes: JSON.stringify(queue.attributes),
  tags: JSON.stringify(queue.tags),
  retention_milliseconds: numberOf(queue, 'MessageRetentionPeriod') * 1000,
  created_at: queue.createdAt,
  modified_at: queue.modifiedAt,
})

const fromRow = (row: Row): Queue => ({
  name: row.queue_name,
  region: row.region,
  account: row.account,
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
  attributes: JSON.parse(row.attributes),
  tags: JSON.parse(row.tags),
})
