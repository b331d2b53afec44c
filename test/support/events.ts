import type { Database } from '../../src/platform/database/port.ts'
import { readEvents } from '../../src/platform/outbox/outbox.ts'

const MAX_ROWS = 100_000

/** The events of the outbox, oldest first. */
export async function eventsIn(database: Database) {
  // In a transaction, because plain reads may see an older snapshot.
  const events = await database.transact((tx) => readEvents(tx, MAX_ROWS))
  return events.map((event) => ({ ...event, payload: JSON.parse(event.payload.text) }))
}
