import type { Reader, Transaction } from '../database/port.ts'
import { prepare, queryBuilder } from '../database/query.ts'
import type { Ids } from '../ids/port.ts'

/** Something that happened and that somebody may want to be told of. */
export interface NewEvent {
  /** Whom it concerns. */
  sellerId: string
  type: string
  /** The clock's time: what happened is told in the order of it. */
  occurredAt: Date
  /** Plain JSON, as those who are told will read it. */
  payload: object
}

/** An event that is still to be told. */
export interface StoredEvent extends Omit<NewEvent, 'payload'> {
  eventId: string
  /** JSON */
  payload: string
}

/** Stands for a seller where something concerns all of them. */
export const EVERY_SELLER = '*'

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

/** `onAppended` is called once events are there for others to see. */
export function createOutbox(ids: Ids, onAppended?: () => void): Outbox {
  return {
    async append(tx, events) {
      if (onAppended && events.length > 0) tx.afterCommit(onAppended)
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

const oldestFirst = prepare((params: { limit: number }) =>
  db.selectFrom('events').selectAll().orderBy('event_id').limit(params.limit),
)

/** The oldest events, in the order in which they happened. */
export async function readEvents(reader: Reader, limit: number): Promise<StoredEvent[]> {
  const rows = await reader.all(oldestFirst, { limit })
  return rows.map((row) => ({
    eventId: row.event_id,
    sellerId: row.seller_id,
    type: row.event_type,
    occurredAt: new Date(row.occurred_at),
    payload: row.payload,
  }))
}

/**
 * Takes events out, in the transaction that writes down whom they are told to. Answers the ids of those that were still
 * there: nobody else tells them.
 */
export async function takeEvents(tx: Transaction, eventIds: readonly string[]): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set()
  const rows = await tx.all(
    db
      .deleteFrom('events')
      .where('event_id', 'in', [...eventIds])
      .returning('event_id'),
  )
  return new Set(rows.map((row) => row.event_id))
}

/** Removes those of the oldest events that nobody is to be told of any more. Answers how many. */
export async function deleteEventsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const oldest = db.selectFrom('events').select(['event_id', 'occurred_at']).orderBy('event_id').limit(limit)
  const old = db.selectFrom(oldest.as('oldest')).select('event_id').where('occurred_at', '<', before.toISOString())
  return tx.run(db.deleteFrom('events').where('event_id', 'in', old))
}
