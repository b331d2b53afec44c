import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteBundles, readBundles } from '../../src/areas/notifications/delivery/bundle-store.ts'
import { claimDestinations, findFailing } from '../../src/areas/notifications/delivery/destination-lease-store.ts'
import { RecentPayloads } from '../../src/areas/notifications/delivery/recent-payloads.ts'
import { writeWindows } from '../../src/areas/notifications/fan-out/window-store.ts'
import type { Transaction } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { defaultPostgresDeadlines } from '../../src/platform/database/postgres-deadlines.ts'
import { serviceSettings, setParameters } from '../../src/platform/database/postgres-settings.ts'
import type { PreparedQuery } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { countRowsRead } from '../support/query-plans.ts'
import { addApplications, addSubscribedSellers } from '../support/subscribers.ts'

const BACKLOG = 5_000
const now = new Date('2026-06-01T12:00:00.000Z')
const destination = { applicationId: 'app', destinationId: 'destination of app' }
const window = { applicationId: 'app', subscriptionId: 'CHANGE of AMANY000000', aggregationKey: 'product' }
const numbers = Array.from({ length: 50 }, (_, index) => index + 1)
const bundles = numbers.map((bundle_number) => ({
  application_id: destination.applicationId,
  destination_id: destination.destinationId,
  bundle_number,
  due_at: now.toISOString(),
  size: 1,
}))

const fill = `
  insert into destinations select 'app', n::text, 'many', 'sqs', n::text, null, '2026' from generate_series(1, ${BACKLOG}) n;
  insert into delivery_turns select 'app', n::text, '2026', null, 1, null from generate_series(1, ${BACKLOG}) n;
  insert into delivery_bundles (application_id, destination_id, due_at, size, deliveries)
    select 'app', 'destination of app', '2026', 1, '[]' from generate_series(1, ${BACKLOG});
  insert into aggregation_windows select 'app', 'CHANGE of AMANY000000', n::text, '2026', null
    from generate_series(1, ${BACKLOG}) n`

type Work = (tx: Transaction) => Promise<unknown>

describe('long queues on PostgreSQL, with plans from the time when they were short,', () => {
  let database: PostgresDatabase
  let client: Client
  beforeEach(async () => {
    const url = await createPostgresDatabase('schema')
    database = new PostgresDatabase({ url, poolSize: 2 })
    await addApplications(database, ['app'])
    const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:queue' } as const
    await addSubscribedSellers(database, 'app', { type: 'CHANGE', count: 1, createdAt: now, target })
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(setParameters('set', serviceSettings(defaultPostgresDeadlines)))
    await client.query('vacuum analyze delivery_turns, delivery_bundles, aggregation_windows')
    // The plan that PostgreSQL keeps after a few runs. It no longer looks at the values then.
    await client.query('set plan_cache_mode = force_generic_plan')
  })
  afterEach(async () => {
    await client.end()
    await database.close()
  })

  test.each<[string, string, Work]>([
    ['failing destinations are found', 'delivery_turns', (tx) => findFailing(tx, [destination])],
    [
      'failing destinations are claimed',
      'delivery_turns',
      (tx) => claimDestinations(tx, { now, lease: 'lease', leaseEnds: now, limit: 32, except: [], isFailing: true }),
    ],
    [
      'aggregation windows are locked',
      'aggregation_windows',
      (tx) =>
        writeWindows(tx, 'postgres', [{ ...window, endsAt: now, heldDeliveryId: undefined, replaces: undefined }]),
    ],
    [
      'bundles of a destination are read',
      'delivery_bundles',
      (tx) => readBundles(tx, destination, bundles, new RecentPayloads()),
    ],
    ['bundles of a destination are deleted', 'delivery_bundles', (tx) => deleteBundles(tx, destination, numbers)],
  ])('%s without reading the rest', async (_done, table, work) => {
    const prepared = new Map<string, string>()
    await countRows(table, work, prepared)
    await database.transactSchema((tx) => tx.execute(fill))
    expect(await countRows(table, work, prepared)).toBeLessThan(BACKLOG / 10)
  })

  /** Prepares each statement once. Leaves out those that write rows: their values are binary. */
  async function countRows(table: string, work: Work, prepared: Map<string, string>): Promise<number> {
    let read = 0
    const all = async (query: PreparedQuery<object, unknown>, params: object) => {
      const { sql, bind } = query.statement('postgres', params)
      const values = bind(params)
      if (values.some((value) => value instanceof Buffer)) return []
      const name = prepared.get(sql) ?? `statement_${prepared.size}`
      if (!prepared.has(sql)) await client.query(`prepare ${name} as ${sql}`)
      prepared.set(sql, name)
      const execute = `execute ${name}(${values.map((value) => client.escapeLiteral(String(value))).join()})`
      await client.query('begin')
      read += await countRowsRead(client, table, { sql: execute })
      await client.query('rollback')
      return []
    }
    await work({ dialect: 'postgres', all, run: all } as unknown as Transaction)
    return read
  }
})
