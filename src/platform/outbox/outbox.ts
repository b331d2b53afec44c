import { sql } from 'kysely'
import { toIsoTime } from '../clock/iso-time.ts'
import { isLookedUp, toOrderedList } from '../database/json-lists.ts'
import type { Reader, Transaction } from '../database/port.ts'
import { prepare, queryBuilder } from '../database/query.ts'
import { prepareInserts } from '../database/upsert.ts'
import type { Ids } from '../ids/port.ts'
import { EventPayload } from './event-payload.ts'
import type { OutboxTables } from './tables.ts'

/** An event that subscribers may be notified of. */
export interface NewEvent {
  /** The seller it is about. */
  sellerId: string
  type: string
  /** The clock's time, which orders events. */
  occurredAt: Date
  /** Plain JSON, as subscribers receive it. */
  payload: object
}

/** An event that is not fanned out yet. */
export interface StoredEvent extends Omit<NewEvent, 'payload'> {
  eventId: string
  payload: EventPayload
}

/** The seller id of events about all sellers. */
export const EVERY_SELLER = '*'

export interface Outbox {
  /** In the transaction of the change: a rollback removes the event, a commit keeps it. */
  append(tx: Transaction, events: readonly NewEvent[]): Promise<void>
}

/** The type of a row with several events, and of an event that stands for such a row because it cannot be parsed. */
const GROUPED = '*'
// A reader of many rows must be able to hold all of their events.
const MAX_EVENTS_PER_ROW = 4

const db = queryBuilder<OutboxTables>()

const insert = prepareInserts<OutboxTables['events']>('events')

/** `onAppended` is called after the commit. */
export function createOutbox(ids: Ids, onAppended?: () => void): Outbox {
  return {
    async append(tx, events) {
      if (events.length === 0) return
      if (onAppended) tx.afterCommit(onAppended)
      await insert(tx, toRows(events, ids))
    },
  }
}

function toRows(events: readonly NewEvent[], ids: Ids): OutboxTables['events'][] {
  const rows: OutboxTables['events'][] = []
  for (let next = 0; next < events.length; ) {
    const together = takeGroup(events, next)
    next += together.length
    const [{ sellerId, occurredAt, type, payload }] = together as [NewEvent]
    const isOne = together.length === 1
    rows.push({
      event_id: ids.next('event'),
      occurred_at: toIsoTime(occurredAt),
      seller_id: sellerId,
      event_type: isOne ? type : GROUPED,
      payload: JSON.stringify(isOne ? payload : together.map((event) => [event.type, event.payload])),
    })
  }
  return rows
}

/** Events of the same seller and time share a row: a row costs much more than its content. */
function takeGroup(events: readonly NewEvent[], start: number): readonly NewEvent[] {
  const first = events[start] as NewEvent
  let end = start + 1
  while (end < events.length && end - start < MAX_EVENTS_PER_ROW) {
    const { sellerId, occurredAt } = events[end] as NewEvent
    if (sellerId !== first.sellerId || occurredAt.getTime() !== first.occurredAt.getTime()) break
    end++
  }
  return events.slice(start, end)
}

const oldestFirst = prepare((params: { limit: number }) =>
  db.selectFrom('events').selectAll().orderBy('event_id').limit(params.limit),
)

/** The events of the oldest rows, in the order in which they happened. */
export async function readEvents(reader: Reader, rowLimit: number): Promise<StoredEvent[]> {
  return (await reader.all(oldestFirst, { limit: rowLimit })).flatMap(fromRow)
}

/** The first digit of the hash of the seller, as in `events_by_shard` and `fan_outs_by_shard`. SQLite has neither. */
export const shardOfSeller = sql<string>`substr(md5(seller_id), 1, 1)`
/** Events of one seller are in one shard, so that workers that claim different shards keep their order. */
export const SHARDS: readonly string[] = [...'0123456789abcdef']

/** A table of all shards, for a query that looks for one row of each. */
export const allShards = sql<{
  shard: string
}>`(values ${sql.join(SHARDS.map((shard) => sql`(${sql.lit(shard)})`))})`.as<'shards'>(sql`shards(shard)`)

const shardsInUse = prepare((_: object) =>
  db
    .selectFrom(allShards)
    .select('shards.shard')
    .where(sql<boolean>`exists (select 1 from events where ${shardOfSeller} = shards.shard)`),
)

/** The shards that have events. On PostgreSQL only. */
export async function findShardsWithEvents(reader: Reader): Promise<string[]> {
  return (await reader.all(shardsInUse, {})).map(({ shard }) => shard)
}

const oldestOfShards = prepare(({ shards, limit }: { shards: string; limit: number }) =>
  db
    .selectFrom(
      sql<OutboxTables['events']>`(
        select found.* from json_array_elements_text(${shards}::json) as claimed(shard)
        cross join lateral (
          select * from events where ${shardOfSeller} = claimed.shard order by event_id limit ${limit}
        ) as found
      )`.as('found'),
    )
    .selectAll()
    .orderBy('event_id'),
)

/** The events of the oldest rows of each of these shards. On PostgreSQL only. */
export async function readShardEvents(
  reader: Reader,
  shards: readonly string[],
  rowsPerShard: number,
): Promise<StoredEvent[]> {
  const rows = await reader.all(oldestOfShards, { shards: JSON.stringify(shards), limit: rowsPerShard })
  return rows.flatMap(fromRow)
}

// Of a damaged row, which no sweep deletes before an operator has seen it.
const UNKNOWN_TIME = new Date('9999-12-31T23:59:59.999Z')

function fromRow(row: OutboxTables['events']): StoredEvent[] {
  const occurredAt = new Date(row.occurred_at)
  const hasTime = !Number.isNaN(occurredAt.getTime())
  const common = { sellerId: row.seller_id, occurredAt: hasTime ? occurredAt : UNKNOWN_TIME }
  if (row.event_type !== GROUPED && hasTime) {
    return [{ ...common, eventId: row.event_id, type: row.event_type, payload: EventPayload.ofText(row.payload) }]
  }
  const several = hasTime ? parseGroup(row.payload) : undefined
  // Not thrown here: the other rows that are read with it must not wait for it.
  if (!several) return [{ ...common, eventId: row.event_id, type: GROUPED, payload: EventPayload.ofText(row.payload) }]
  return several.map(([type, payload], index) => ({
    ...common,
    eventId: `${row.event_id}${ROW_SEPARATOR}${index}`,
    type,
    payload: EventPayload.ofValue(payload),
  }))
}

type GroupedEvent = [type: string, payload: object]

function parseGroup(text: string): GroupedEvent[] | undefined {
  try {
    const group: unknown = JSON.parse(text)
    return Array.isArray(group) && group.length > 0 && group.every(isGroupedEvent) ? group : undefined
  } catch {
    return undefined
  }
}

const isGroupedEvent = (event: unknown): event is GroupedEvent =>
  Array.isArray(event) && typeof event[0] === 'string' && typeof event[1] === 'object' && event[1] !== null

/** Throws if the event stands for a row that cannot be parsed. */
export function requireReadable({ type }: Pick<StoredEvent, 'type'>): void {
  if (type === GROUPED) throw new Error('The row of the outbox cannot be parsed')
}

const countUpTo = prepare((params: { max: number }) =>
  db
    .selectFrom(db.selectFrom('events').select(sql<number>`1`.as('one')).limit(params.max).as('counted'))
    .select(sql<number>`count(*)`.as('count')),
)

/** Counts at most `max` rows, because counting takes time for each row. A row has up to four events. */
export async function countEventRows(reader: Reader, max: number): Promise<number> {
  return (await reader.first(countUpTo, { max }))?.count ?? 0
}

const oldestTime = prepare((_: object) => db.selectFrom('events').select('occurred_at').orderBy('event_id').limit(1))

/** When the oldest event happened that is not fanned out. */
export async function findOldestEventTime(reader: Reader): Promise<Date | undefined> {
  const row = await reader.first(oldestTime, {})
  return row && new Date(row.occurred_at)
}

const ROW_SEPARATOR = '/'
/** The row of the outbox that holds the event. */
export const rowOf = (eventId: string) => eventId.split(ROW_SEPARATOR, 1)[0] as string

const removeRows = prepare((params: { rows: string }, dialect) =>
  db
    .deleteFrom('events')
    .where(isLookedUp(params.rows, dialect, { table: 'events', by: ['event_id'] }))
    .returning('event_id'),
)

/**
 * Deletes events in the transaction that writes their deliveries. Returns the ids of those that still existed: no other
 * relay has fanned them out.
 */
export async function deleteEvents(tx: Transaction, eventIds: readonly string[]): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set()
  const rows = await tx.all(removeRows, { rows: toOrderedList([...new Set(eventIds.map(rowOf))]) })
  const taken = new Set(rows.map((row) => row.event_id))
  return new Set(eventIds.filter((eventId) => taken.has(rowOf(eventId))))
}

/** Deletes the oldest events up to `before`. Returns their number. */
export async function deleteEventsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const oldest = db.selectFrom('events').select(['event_id', 'occurred_at']).orderBy('event_id').limit(limit)
  const old = db.selectFrom(oldest.as('oldest')).select('event_id').where('occurred_at', '<', before.toISOString())
  return tx.run(db.deleteFrom('events').where('event_id', 'in', old))
}
