import { afterEach, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { ManualClock } from '../clock/manual-clock.ts'
import { migrate } from '../database/migrate.ts'
import { SqliteDatabase } from '../database/sqlite-database.ts'
import { SequentialIds } from '../ids/sequential-ids.ts'
import { createOutbox, deleteEvents, type NewEvent, readEvents } from './outbox.ts'

const now = new Date('2026-06-01T12:00:00Z')
const later = new Date('2026-06-01T12:00:01Z')
const event = (sellerId: string, type: string, occurredAt = now): NewEvent => ({
  sellerId,
  type,
  occurredAt,
  payload: { of: type },
})

let database: SqliteDatabase
afterEach(() => database.close())

async function append(events: NewEvent[]) {
  database = new SqliteDatabase(':memory:')
  await migrate(database, migrations, new ManualClock(now))
  await database.transact((tx) => createOutbox(new SequentialIds()).append(tx, events))
  return database.read((reader) => readEvents(reader, 100))
}

test('simultaneous events are read one by one in order, each with a unique id', async () => {
  const events = [
    ...['A', 'B', 'C', 'D', 'E'].map((type) => event('one', type)),
    event('two', 'F'),
    event('two', 'G', later),
  ]
  const read = await append(events)
  expect(read.map(({ eventId: _, payload, ...rest }) => ({ ...rest, payload: payload.value }))).toEqual(events)
  expect(new Set(read.map(({ eventId }) => eventId)).size).toBe(events.length)
})

test('only events of one seller at the same time share rows', async () => {
  const read = await append([event('one', 'A'), event('one', 'B'), event('two', 'C'), event('two', 'D', later)])
  const rows = read.map(({ eventId }) => eventId.split('/')[0])
  expect(rows).toEqual(['event-0001', 'event-0001', 'event-0002', 'event-0003'])
})

test('an event is claimed once, with all events in its row', async () => {
  const read = await append([event('one', 'A'), event('one', 'B'), event('two', 'C')])
  const ids = read.map(({ eventId }) => eventId)
  expect(await database.transact((tx) => deleteEvents(tx, ids.slice(0, 2)))).toEqual(new Set(ids.slice(0, 2)))
  expect(await database.transact((tx) => deleteEvents(tx, ids))).toEqual(new Set(ids.slice(2)))
  expect(await database.read((reader) => readEvents(reader, 100))).toEqual([])
})
