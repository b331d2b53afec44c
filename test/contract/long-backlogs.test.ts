import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryKey } from '../../src/areas/notifications/delivery/delivery.ts'
import {
  deleteDeliveries,
  deleteSent,
  deleteUnsentDeliveries,
} from '../../src/areas/notifications/delivery/delivery-store.ts'
import { type DueDelivery, findDueDeliveries } from '../../src/areas/notifications/delivery/due-deliveries.ts'
import { RecentPayloads } from '../../src/areas/notifications/delivery/recent-payloads.ts'
import type { Transaction } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { defaultPostgresDeadlines } from '../../src/platform/database/postgres-deadlines.ts'
import { serviceSettings, setParameters } from '../../src/platform/database/postgres-settings.ts'
import type { PreparedQuery } from '../../src/platform/database/query.ts'
import { deleteEvents } from '../../src/platform/outbox/outbox.ts'
import { waitForBlocked } from '../support/blocked-connections.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { insertDestination, insertPendingDeliveries } from '../support/destination-rows.ts'
import { countRowsRead } from '../support/query-plans.ts'

const FEW = 20
const BACKLOG = 10_000
const PAGE = 500
const READ_COMMITTED = { isolation: 'read committed' } as const

const now = new Date('2026-06-01T12:00:00.000Z')
const ofApplication = (destinationId: string) => ({ applicationId: 'app', destinationId })
const destination = ofApplication('back-again')
const others = ofApplication('away')

type Work = (tx: Transaction, page: readonly DeliveryKey[]) => Promise<unknown>

const findPage = (reader: Pick<Transaction, 'all'>) =>
  findDueDeliveries(reader as Transaction, destination, { now, limit: PAGE, recent: new RecentPayloads() })

const deletions: [string, Work][] = [
  ['sent', (tx, page) => deleteSent(tx, destination, page as DueDelivery[])],
  ['dropped', deleteDeliveries],
  ['replaced', deleteUnsentDeliveries],
]

describe('a page of a long backlog on PostgreSQL', () => {
  let url: string
  let database: PostgresDatabase
  let client: Client
  beforeEach(async () => {
    url = await createPostgresDatabase('schema')
    database = new PostgresDatabase({ url, poolSize: 2 })
    await insertDestination(database, { ...others, dueAt: now })
    await insertDestination(database, { ...destination, dueAt: now, deliveries: FEW })
    client = new Client({ connectionString: url })
    await client.connect()
    await client.query(setParameters('set', serviceSettings(defaultPostgresDeadlines)))
    await client.query('vacuum analyze deliveries')
  })
  afterEach(async () => {
    await client.end()
    await database.close()
  })

  const grow = async () => {
    for (const one of [others, destination]) await insertPendingDeliveries(database, { ...one, dueAt: now }, BACKLOG)
  }

  test.each<[string, Work]>([['read', findPage], ...deletions])(
    'is %s without reading the rest, by plans from the time when there was none',
    async (_done, work) => {
      // The plan that PostgreSQL keeps after a few runs. It no longer looks at the values then.
      await client.query('set plan_cache_mode = force_generic_plan')
      const statements = new Map<string, string>()
      await rowsOf(work, statements)
      await grow()
      expect(await rowsOf(work, statements)).toBeLessThan(BACKLOG / 2)
    },
  )

  test('is deleted with a delivery that is being changed meanwhile', async () => {
    const page = await database.read(findPage)
    const operator = new Client({ connectionString: url })
    await operator.connect()
    await operator.query('begin')
    await operator.query("update deliveries set last_error = 'changed' where delivery_id = $1", [page[0]?.deliveryId])
    const deleted = database.transact((tx) => deleteSent(tx, destination, page), READ_COMMITTED)
    await waitForBlocked(client)
    await operator.query('commit')
    await deleted
    expect((await client.query('select from deliveries')).rows).toHaveLength(0)
    await operator.end()
  })

  test.each<[string, Work]>([
    ...deletions,
    [
      'fanned out',
      (tx, page) =>
        deleteEvents(
          tx,
          page.map(({ deliveryId }) => deliveryId),
        ),
    ],
  ])('is deleted by two relays without a deadlock: %s', async (_done, work) => {
    let retries = 0
    for (let round = 0; round < 5; round++) {
      await insertPendingDeliveries(database, { ...destination, dueAt: now }, PAGE)
      await client.query(
        `insert into events select event_id, '2026', 'A1', 'CHANGE', '{}' from deliveries on conflict do nothing`,
      )
      const page = await database.read(findPage)
      const options = { ...READ_COMMITTED, onRetry: () => void retries++ }
      const remove = (some: readonly DeliveryKey[]) => database.transact((tx) => work(tx, some), options)
      await Promise.all([remove(page), remove(page.toReversed())])
    }
    expect(retries).toBe(0)
  })

  /** Counts the deliveries that statements read. Prepares each of them once, and rolls their changes back. */
  async function rowsOf(work: Work, statements: Map<string, string>): Promise<number> {
    const page = await database.read(findPage)
    let read = 0
    const all = async (query: PreparedQuery<object, unknown>, params: object) => {
      const { sql, bind } = query.statement('postgres', params)
      const name = statements.get(sql) ?? `statement_${statements.size}`
      if (!statements.has(sql)) await client.query(`prepare ${name} as ${sql}`)
      statements.set(sql, name)
      const values = bind(params).map((value) => client.escapeLiteral(String(value)))
      const execute = `execute ${name}(${values.join()})`
      read += await countRowsRead(client, 'deliveries', { sql: execute })
      return (await client.query(execute)).rows
    }
    const runEach = async (query: PreparedQuery<object, unknown>, each: readonly object[]) => {
      for (const params of each) await all(query, params)
    }
    await client.query('begin')
    await work({ dialect: 'postgres', all, run: all, runEach } as unknown as Transaction, page)
    await client.query('rollback')
    return read
  }
})
