import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import { expiryOf } from '../message-store.ts'
import type { Counts, Queue } from '../queue.ts'
import { listQueues } from '../queue-store.ts'
import type { QueueTables } from '../tables.ts'
import { MAX_BODY_CHARACTERS, MAX_COUNTED } from './schema.ts'

const db = queryBuilder<QueueTables>()

// Each count stops at a limit, because messages without a consumer collect for days.
const countOf = (condition: RawBuilder<unknown>, now: number) =>
  sql<number>`(select count(*) from (select 1 from queue_messages
    where queue_messages.queue_name = queues.queue_name and ${condition}
    and sent_at > cast(${now} as bigint) - queues.retention_milliseconds limit ${sql.lit(MAX_COUNTED)}) as found)`

const selectCounts = prepare((params: { from: string; to: string; now: number }) =>
  db
    .selectFrom('queues')
    .select('queue_name')
    .select([
      countOf(sql`visible_at <= ${params.now}`, params.now).as('visible'),
      countOf(sql`visible_at > ${params.now} and receipt is not null`, params.now).as('in_flight'),
      countOf(sql`visible_at > ${params.now} and receipt is null`, params.now).as('delayed'),
    ])
    .where('queue_name', '>=', params.from)
    .where('queue_name', '<=', params.to),
)

/** Lists queues by name, with how many messages they have. */
export async function listCountedQueues(
  reader: Reader,
  { after, limit, now }: { after: string; limit: number; now: number },
): Promise<{ queue: Queue; counts: Counts }[]> {
  const queues = await listQueues(reader, { prefix: '', after, limit })
  const [first, last] = [queues[0], queues.at(-1)]
  if (!first || !last) return []
  const rows = await reader.all(selectCounts, { from: first.name, to: last.name, now })
  const counts = new Map(
    rows.map((row) => [row.queue_name, { visible: row.visible, inFlight: row.in_flight, delayed: row.delayed }]),
  )
  return queues.map((queue) => ({ queue, counts: counts.get(queue.name) as Counts }))
}

const ORDER = ['visible_at', 'sent_at', 'message_id'] as const

/** Lists messages in the order in which they can be received, and changes nothing. */
export async function peekMessages(
  reader: Reader,
  queue: Queue,
  { after, limit, now }: { after?: readonly (string | number)[]; limit: number; now: number },
) {
  let query = db
    .selectFrom('queue_messages')
    .select([...ORDER, 'receipt', 'receive_count', 'first_received_at', 'dead_letter_source', 'attributes'])
    .select([
      sql<string>`substr(body, 1, ${sql.lit(MAX_BODY_CHARACTERS)})`.as('body'),
      sql<number>`length(body)`.as('characters'),
    ])
    .where('queue_name', '=', queue.name)
    .where('sent_at', '>', expiryOf(queue, now))
    .limit(limit)
  for (const column of ORDER) query = query.orderBy(column)
  if (after) query = query.where(isAfter(ORDER, after))
  return reader.all(query)
}

export type PeekedMessage = Awaited<ReturnType<typeof peekMessages>>[number]
