import type { Transaction } from '../database/port.ts'
import { prepare, queryBuilder } from '../database/query.ts'
import type { Ids } from '../ids/port.ts'

/** Something that happened and that somebody may want to be told of. */
export interface NewEvent {
  /** Whom it concerns. */
  sellerId: string
  type: string
  occurredAt: Date
  /** Plain JSON, as those who are told will read it. */
  payload: object
}

export interface Outbox {
  /** In the transaction in which it happens: what is undone is told to nobody, what is done is never forgotten. */
  append(tx: Transaction, events: readonly NewEvent[]): Promise<void>
}

interface OutboxTables {
  events: {
    event_id: string
    occurred_at: string
    seller_id: string
    event_type: string
    /** JSON */
    payload: string
  }
}

const db = queryBuilder<OutboxTables>()

const insert = prepare((row: OutboxTables['events']) =>
  db.insertInto('events').values({
    event_id: row.event_id,
    occurred_at: row.occurred_at,
    seller_id: row.seller_id,
    event_type: row.event_type,
    payload: row.payload,
  }),
)

export function createOutbox(ids: Ids): Outbox {
  return {
    async append(tx, events) {
      for (const event of events) {
        await tx.run(insert, {
          event_id: ids.next('event'),
          occurred_at: event.occurredAt.toISOString(),
          seller_id: event.sellerId,
          event_type: event.type,
          payload: JSON.stringify(event.payload),
        })
      }
    },
  }
}

/** Events that are too old to be told. Answers how many were removed. */
export async function deleteEventsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('events')
    .select('event_id')
    .where('occurred_at', '<', before.toISOString())
    .orderBy('occurred_at')
    .limit(limit)
  return tx.run(db.deleteFrom('events').where('event_id', 'in', old))
}
