import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { createFanOut } from '../src/areas/notifications/fan-out/fan-out.ts'
import { migrateDatabase } from '../src/composition/migrations.ts'
import { SystemClock } from '../src/platform/clock/system-clock.ts'
import type { Database } from '../src/platform/database/port.ts'
import { SqliteDatabase } from '../src/platform/database/sqlite-database.ts'
import { upsertMany } from '../src/platform/database/upsert.ts'
import { RandomIds } from '../src/platform/ids/random-ids.ts'
import { createLogger } from '../src/platform/logging/logger.ts'
import type { NewEvent } from '../src/platform/outbox/outbox.ts'
import { append, expanders } from '../test/support/relay.ts'
import {
  AGGREGATION,
  addSharedProducts,
  addSubscribedSellers,
  productTypesChange,
} from '../test/support/subscribers.ts'
import { logProgress } from './support/progress.ts'
import { atLeast, type Figure, type Round } from './support/table.ts'

const SUBSCRIBERS = 100_000
const OFFERS = 1_000
const AGGREGATING = 20
const OFFER_ROUNDS = 3
const APPLICATION = 'the-application'
const MARKETPLACE = 'ATVPDKIKX0DER'
/** Of the longest step. */
const DELIVERIES_PER_STEP = 250
const QUEUE = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:bench' } as const

/** How fast events become notifications of very many, against inserting the same rows and nothing else. */
export async function measureFanOut(folder: string): Promise<Figure[]> {
  const wide = [await measure(join(folder, 'wide.db'), addWideEvent)]
  const aggregated: Round[] = []
  for (let round = 1; round <= OFFER_ROUNDS; round++) {
    aggregated.push(await measure(join(folder, `aggregated-${round}.db`), addAggregatedEvents))
  }
  const what = 'over inserting the same rows'
  // A busy machine had 0.06 and 0.08: reading who subscribes, and of offers the whole market, is most of the work.
  return [
    atLeast(0.05, `one event for ${SUBSCRIBERS} subscribers, ${what}`, 'notifications/s', wide),
    atLeast(0.05, `${OFFERS} offers for ${AGGREGATING} who aggregate, ${what}`, 'notifications/s', aggregated),
  ]
}

async function addWideEvent(database: Database): Promise<NewEvent[]> {
  const type = 'PRODUCT_TYPE_DEFINITIONS_CHANGE'
  const subscribers = { type, count: SUBSCRIBERS, createdAt: new Date(), target: QUEUE }
  await addSubscribedSellers(database, APPLICATION, subscribers)
  return [productTypesChange('one')]
}

async function addAggregatedEvents(database: Database): Promise<NewEvent[]> {
  const type = 'ANY_OFFER_CHANGED'
  const subscribers = { type, count: AGGREGATING, createdAt: new Date(), target: QUEUE, directive: AGGREGATION }
  await addSubscribedSellers(database, APPLICATION, subscribers)
  return addSharedProducts(database, { products: OFFERS, sellers: AGGREGATING })
}

async function measure(file: string, fill: (database: Database) => Promise<NewEvent[]>): Promise<Round> {
  const database = new SqliteDatabase(file)
  await migrateDatabase(database, new SystemClock())
  await database.transact(async (tx) => {
    const place = { name: 'Amazon.com', country_code: 'US', domain_name: 'www.amazon.com' }
    const words = { currency_code: 'USD', language_code: 'en_US' }
    await upsertMany(tx, 'marketplaces', ['marketplace_id'], [{ marketplace_id: MARKETPLACE, ...place, ...words }])
    const application = { application_id: APPLICATION, name: 'An application', client_id: 'a', signing_key_id: 'k' }
    await upsertMany(tx, 'applications', ['application_id'], [{ ...application, client_secret_digest: '' }])
  })
  await append(database, await fill(database))
  const logger = await createLogger({ level: 'warn', pretty: false })
  const dependencies = { database, clock: new SystemClock(), ids: new RandomIds(), logger, leaseSeconds: 30, expanders }
  const startedAt = performance.now()
  // Above zero when there is nothing left.
  const fanOut = createFanOut(dependencies)
  while ((await fanOut(new AbortController().signal, async () => {})) <= 0);
  const seconds = (performance.now() - startedAt) / 1000
  await database.close()
  const { rows, baselineSeconds } = insertAgain(file)
  const round = { ours: rows / seconds, baseline: rows / baselineSeconds }
  logProgress(`${rows} notifications: ${round.ours.toFixed(0)} and ${round.baseline.toFixed(0)} /s`)
  return round
}

/** Removes the notifications and what was noted with them, and inserts them again, in steps as long as the longest. */
function insertAgain(file: string) {
  const sqlite = new Sqlite(file)
  sqlite.pragma('journal_mode = wal')
  sqlite.pragma('synchronous = full')
  const tables = ['deliveries', 'aggregation_windows'].map((table) => {
    const rows = sqlite.prepare(`select * from ${table}`).all() as Record<string, unknown>[]
    sqlite.exec(`delete from ${table}`)
    const columns = Object.keys(rows[0] ?? {})
    return { table, columns, rows: rows.map((row) => Object.values(row)) }
  })
  const startedAt = performance.now()
  for (const { table, columns, rows } of tables) {
    if (rows.length === 0) continue
    const values = columns.map(() => '?').join(', ')
    const insert = sqlite.prepare(`insert into ${table} (${columns.join(', ')}) values (${values})`)
    const insertSome = sqlite.transaction((some: unknown[][]) => {
      for (const row of some) insert.run(row)
    })
    for (let start = 0; start < rows.length; start += DELIVERIES_PER_STEP) {
      insertSome(rows.slice(start, start + DELIVERIES_PER_STEP))
    }
  }
  const baselineSeconds = (performance.now() - startedAt) / 1000
  sqlite.close()
  return { rows: tables[0]?.rows.length ?? 0, baselineSeconds }
}
