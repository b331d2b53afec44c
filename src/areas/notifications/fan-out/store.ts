import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import { EventPayload } from '../../../platform/outbox/event-payload.ts'
import { allShards, type StoredEvent, shardOfSeller } from '../../../platform/outbox/outbox.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import type { NotificationTables } from '../tables.ts'
import { lanesToQueueIn, lockLanes } from './lanes.ts'

export const FAN_OUT_STATES = ['PENDING', 'QUEUED', 'DEAD'] as const
export type FanOutState = (typeof FAN_OUT_STATES)[number]

/** An event that is fanned out in several steps, or has failed. */
export interface FanOut extends StoredEvent {
  state: FanOutState
  /** Events of one lane are fanned out in order. */
  lane?: string
  dueAt: Date
  attempts: number
  lastError?: string
  /** JSON: the start of the next step. */
  progress?: string
}

const db = queryBuilder<NotificationTables>()
type Row = NotificationTables['fan_outs']
const PAGE_KEY = ['due_at', 'event_id'] as const

const insert = prepare((row: Row) => db.insertInto('fan_outs').values({ ...row }))

const firstDue = prepare((params: { now: string; limit: number }) =>
  db
    .selectFrom('fan_outs')
    .selectAll()
    .where('state', '=', 'PENDING')
    .where('due_at', '<=', params.now)
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(params.limit),
)

const earliest = prepare((_: object) =>
  db.selectFrom('fan_outs').select('due_at').where('state', '=', 'PENDING').orderBy('due_at').limit(1),
)

const anyLane = prepare((_: object) => db.selectFrom('fan_outs').select('lane').where('lane', 'is not', null).limit(1))

const advance = prepare((params: { eventId: string; progress: string; dueAt: string }) =>
  db
    .updateTable('fan_outs')
    .set({ progress: params.progress, due_at: params.dueAt, attempts: 0, last_error: null })
    .where('event_id', '=', params.eventId)
    .where('state', '=', 'PENDING'),
)

const remove = prepare((params: { eventId: string }) =>
  db.deleteFrom('fan_outs').where('event_id', '=', params.eventId),
)

/** Starts the next event of a lane, unless one is being fanned out. */
const promote = prepare((params: { lane: string }) =>
  db
    .updateTable('fan_outs')
    .set({ state: 'PENDING' })
    .where((eb) =>
      eb.not(
        eb.exists(
          db
            .selectFrom('fan_outs as current')
            .select('current.event_id')
            .where('current.lane', '=', params.lane)
            .where('current.state', '=', 'PENDING'),
        ),
      ),
    )
    .where(
      'event_id',
      'in',
      db
        .selectFrom('fan_outs')
        .select('event_id')
        .where('lane', '=', params.lane)
        .where('state', '=', 'QUEUED')
        .orderBy('event_id')
        .limit(1),
    ),
)

/** The lanes in which events are to wait must be locked. */
export async function insertFanOuts(tx: Transaction, fanOuts: readonly FanOut[]): Promise<void> {
  if (fanOuts.length === 0) return
  await tx.runEach(insert, fanOuts.map(toRow))
  // The event for which they were to wait may have ended since the plan was made.
  await tx.runEach(
    promote,
    lanesToQueueIn(fanOuts).map((lane) => ({ lane })),
  )
}

const isDueIn = (shard: ReturnType<typeof sql.ref>, now: string) =>
  sql<boolean>`state = 'PENDING' and ${shardOfSeller} = ${shard} and due_at <= ${now}`

const firstDueOfShards = prepare(({ now, limit, shards }: { now: string; limit: number; shards: string }) =>
  db
    .selectFrom(
      sql<Row>`(
        select found.* from json_array_elements_text(${shards}::json) as claimed(shard)
        cross join lateral (
          select * from fan_outs where ${isDueIn(sql.ref('claimed.shard'), now)} order by due_at, event_id limit ${limit}
        ) as found
      )`.as('found'),
    )
    .selectAll()
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(limit),
)

/** Finds events that are due, those of some shards if they are given. */
export async function findDueFanOuts(
  reader: Reader,
  now: Date,
  limit: number,
  shards?: readonly string[],
): Promise<FanOut[]> {
  const params = { now: now.toISOString(), limit }
  const rows = shards
    ? await reader.all(firstDueOfShards, { ...params, shards: JSON.stringify(shards) })
    : await reader.all(firstDue, params)
  return rows.map(fromRow)
}

const dueShards = prepare(({ now }: { now: string }) =>
  db
    .selectFrom(allShards)
    .select('shards.shard')
    .where(sql<boolean>`exists (select 1 from fan_outs where ${isDueIn(sql.ref('shards.shard'), now)})`),
)

/** The shards of events that are due. On PostgreSQL only. */
export async function findShardsWithFanOuts(reader: Reader, now: Date): Promise<string[]> {
  return (await reader.all(dueShards, { now: now.toISOString() })).map(({ shard }) => shard)
}

export async function nextFanOutDueAt(reader: Reader): Promise<Date | undefined> {
  const row = await reader.first(earliest, {})
  return row && new Date(row.due_at)
}

const waiting = prepare((params: { after: string; limit: number }) =>
  db
    .selectFrom('fan_outs')
    .select(['event_id', 'event_type', 'due_at'])
    .where('state', '=', 'PENDING')
    .where('due_at', '>', params.after)
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(params.limit),
)

/** Events that are due later, earliest first. */
export async function findWaitingFanOuts(reader: Reader, after: Date, limit: number) {
  const rows = await reader.all(waiting, { after: after.toISOString(), limit })
  return rows.map((row) => ({ eventId: row.event_id, eventType: row.event_type, dueAt: new Date(row.due_at) }))
}

/** Finds lanes with an event that later ones must wait for. */
export async function findBusyLanes(reader: Reader, lanes: readonly string[]): Promise<Set<string>> {
  // Almost always there is none.
  if (lanes.length === 0 || !(await reader.first(anyLane, {}))) return new Set()
  const rows = await reader.all(
    db
      .selectFrom('fan_outs')
      .select('lane')
      .distinct()
      .where('lane', 'in', [...new Set(lanes)]),
  )
  return new Set(rows.map(({ lane }) => lane as string))
}

/** Stores the start of the next step, which is due after those of other events. Returns false if the event is missing. */
export async function advanceFanOut(tx: Transaction, eventId: string, progress: string, dueAt: Date): Promise<boolean> {
  return (await tx.run(advance, { eventId, progress, dueAt: dueAt.toISOString() })) === 1
}

/** Deletes an event and starts the next one of its lane. Returns false if the event is missing. */
export async function removeFanOut(
  tx: Transaction,
  { eventId, lane }: Pick<FanOut, 'eventId' | 'lane'>,
): Promise<boolean> {
  if (lane !== undefined) await lockLanes(tx, [lane])
  const isRemoved = (await tx.run(remove, { eventId })) === 1
  if (isRemoved && lane !== undefined) await tx.run(promote, { lane })
  return isRemoved
}

/** Records a failure. The event leaves its lane, so that later ones continue. */
export async function failFanOut(
  tx: Transaction,
  { eventId, lane }: Pick<FanOut, 'eventId' | 'lane'>,
  failure: { state: FanOutState; attempts: number; dueAt: Date; error: string },
): Promise<void> {
  if (lane !== undefined) await lockLanes(tx, [lane])
  await tx.run(
    db
      .updateTable('fan_outs')
      .set({
        state: failure.state,
        lane: null,
        due_at: failure.dueAt.toISOString(),
        attempts: failure.attempts,
        last_error: failure.error,
      })
      .where('event_id', '=', eventId),
  )
  if (lane !== undefined) await tx.run(promote, { lane })
}

export async function findFanOut(reader: Reader, eventId: string): Promise<FanOut | undefined> {
  const row = await reader.first(db.selectFrom('fan_outs').selectAll().where('event_id', '=', eventId))
  return row && fromRow(row)
}

export async function listFanOuts(
  reader: Reader,
  { state, after, limit }: PageRequest & { state: FanOutState },
): Promise<FanOut[]> {
  let query = db
    .selectFrom('fan_outs')
    .selectAll()
    .where('state', '=', state)
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(limit)
  if (after) query = query.where(isAfter(PAGE_KEY, after))
  return (await reader.all(query)).map(fromRow)
}

/** The key in a page token. */
export const pageKeyOf = ({ dueAt, eventId }: FanOut): string[] => [dueAt.toISOString(), eventId]

/** Makes the next step due now and clears the failures. */
export async function resetFanOut(tx: Transaction, eventId: string, now: Date): Promise<void> {
  await tx.run(
    db
      .updateTable('fan_outs')
      .set({ state: 'PENDING', attempts: 0, last_error: null, due_at: now.toISOString() })
      .where('event_id', '=', eventId)
      .where('state', '!=', 'QUEUED'),
  )
}

export async function deleteFanOutsBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = await tx.all(
    db
      .selectFrom('fan_outs')
      // Payloads are large.
      .select(['event_id', 'lane'])
      .where('occurred_at', '<', before.toISOString())
      .orderBy('occurred_at')
      .limit(limit),
  )
  await lockLanes(
    tx,
    old.flatMap(({ lane }) => lane ?? []),
  )
  for (const { event_id, lane } of old) await removeFanOut(tx, { eventId: event_id, ...(lane !== null && { lane }) })
  return old.length
}

const toRow = (fanOut: FanOut): Row => ({
  event_id: fanOut.eventId,
  seller_id: fanOut.sellerId,
  event_type: fanOut.type,
  occurred_at: fanOut.occurredAt.toISOString(),
  state: fanOut.state,
  lane: fanOut.lane ?? null,
  due_at: fanOut.dueAt.toISOString(),
  attempts: fanOut.attempts,
  last_error: fanOut.lastError ?? null,
  progress: fanOut.progress ?? null,
  payload: fanOut.payload.text,
})

const fromRow = (row: Row): FanOut => ({
  eventId: row.event_id,
  sellerId: row.seller_id,
  type: row.event_type,
  occurredAt: new Date(row.occurred_at),
  state: row.state as FanOutState,
  ...(row.lane !== null && { lane: row.lane }),
  dueAt: new Date(row.due_at),
  attempts: row.attempts,
  ...(row.last_error !== null && { lastError: row.last_error }),
  ...(row.progress !== null && { progress: row.progress }),
  payload: EventPayload.ofText(row.payload),
})
