import type { Database } from '../../src/platform/database/port.ts'
import { readEvents } from '../../src/platform/outbox/outbox.ts'

const MORE_THAN_ANY_TEST_CAUSES = 100_000

/** All that has happened and was told to nobody yet, in its order. */
export async function eventsIn(database: Database) {
  // In a transaction: plain reads may look at what was there a moment ago, which is too long ago for a test.
  const events = await database.transact((tx) => readEvents(tx, MORE_THAN_ANY_TEST_CAUSES))
  return events.map((event) => ({ ...event, payload: JSON.parse(event.payload) }))
}
