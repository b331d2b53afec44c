import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteDeliveries, deleteSent } from '../../src/areas/notifications/delivery/delivery-store.ts'
import { type DueDelivery, findDueDeliveries } from '../../src/areas/notifications/delivery/due-deliveries.ts'
import { RecentPayloads } from '../../src/areas/notifications/delivery/recent-payloads.ts'
import type { Transaction } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import type { PreparedQuery } from '../../src/platform/database/query.ts'
import { waitForBlocked } from '../support/blocked-connections.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { insertDestination } from '../support/destination-rows.ts'
import { countRowsRead } from '../support/query-plans.ts'

const BACKLOG = 20_000
const PAGE = 500

const now = new Date('2026-06-01T12:00:00.000Z')
const destination = { applicationId: 'app', destinationId: 'away' }

describe('a page of a long backlog on PostgreSQL', () => {
  let url: string
  let database: PostgresDatabase
  let client: Client
  let page: DueDelivery[]
  beforeEach(async () => {
    url = await createPostgresDatabase('schema')
    database = new PostgresDatabase({ url, poolSize: 2 })
    await insertDestination(database, { applicationId: 'app', destinationId: 'near', dueAt: now, deliveries: 10 })
    // The backlog has grown since: the queue of a working destination is almost empty.
    await database.transactSchema((tx) => tx.execute('analyze deliveries'))
    await insertDestination(database, { ...destination, dueAt: now, deliveries: BACKLOG })
    page = await database.read(findPage)
    client = new Client({ connectionString: url })
    await client.connect()
    // What PostgreSQL chooses after a few runs of a prepared statement. It no longer looks at the values then.
    await client.query('set plan_cache_mode = force_generic_plan')
  })
  afterEach(async () => {
    await client.end()
    await database.close()
  })

  test('is read without the rest', async () => {
    expect(await rowsOf((tx) => findPage(tx))).toBeLessThan(BACKLOG / 10)
  })

  test('is deleted without reading the rest', async () => {
    expect(await rowsOf((tx) => deleteSent(tx, destination, page))).toBeLessThan(BACKLOG / 10)
    expect(await countLeft()).toBe(BACKLOG - PAGE)
  })

  test('is dropped without reading the rest', async () => {
    const keys = page.map(({ deliveryId }) => ({ ...destination, deliveryId }))
    expect(await rowsOf((tx) => deleteDeliveries(tx, keys))).toBeLessThan(BACKLOG / 10)
    expect(await countLeft()).toBe(BACKLOG - PAGE)
  })

  test('is deleted with a delivery that is being changed meanwhile', async () => {
    const operator = new Client({ connectionString: url })
    await operator.connect()
    await operator.query('begin')
    await operator.query("update deliveries set last_error = 'changed' where delivery_id = $1", [page[0]?.deliveryId])
    const deleted = database.transact((tx) => deleteSent(tx, destination, page), { isolation: 'read committed' })
    await waitForBlocked(client)
    await operator.query('commit')
    await deleted
    expect(await countLeft()).toBe(BACKLOG - PAGE)
    await operator.end()
  })

  const findPage = (reader: Pick<Transaction, 'all'>) =>
    findDueDeliveries(reader as Transaction, destination, { now, limit: PAGE, recent: new RecentPayloads() })

  async function countLeft(): Promise<number> {
    const { rows } = await client.query("select from deliveries where destination_id = 'away'")
    return rows.length
  }

  /** Counts the deliveries that statements read. */
  async function rowsOf(work: (tx: Transaction) => Promise<unknown>): Promise<number> {
    let read = 0
    const all = async (query: PreparedQuery<object, unknown>, params: object) => {
      const { sql, bind } = query.statement('postgres', params)
      const values = bind(params).map((value) => client.escapeLiteral(String(value)))
      await client.query(`prepare observed as ${sql}`)
      const execute = `execute observed(${values.join()})`
      read += await countRowsRead(client, 'deliveries', { sql: execute })
      const { rows } = await client.query(execute)
      await client.query('deallocate observed')
      return rows
    }
    const runEach = async (query: PreparedQuery<object, unknown>, each: readonly object[]) => {
      for (const params of each) await all(query, params)
    }
    await work({ dialect: 'postgres', all, run: all, runEach } as unknown as Transaction)
    return read
  }
})
