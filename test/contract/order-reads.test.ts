import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { upsertMarketplaces } from '../../src/marketplace/accounts/marketplaces.ts'
import { upsertSellers } from '../../src/marketplace/accounts/sellers.ts'
import type { Order } from '../../src/marketplace/trade/order.ts'
import { type OrderFilter, searchOrders } from '../../src/marketplace/trade/order-search.ts'
import {
  findOrder,
  findOrderAndChannel,
  findOrders,
  listOrders,
  updateOrders,
  upsertOrders,
} from '../../src/marketplace/trade/orders.ts'
import {
  findReturn,
  listReturns,
  listReturnsOfOrder,
  type Return,
  upsertReturns,
} from '../../src/marketplace/trade/returns.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database, Reader } from '../../src/platform/database/port.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { buildOrder } from '../support/orders.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const key = { sellerId: 'S', orderId: '900-0000000-0000001' }
const marketplaceId = 'M'
const filter: OrderFilter = {
  by: 'purchased_at',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-12-31T00:00:00.000Z',
  marketplaceIds: [marketplaceId],
}
const search = async (reader: Reader, more: Partial<OrderFilter> = {}) =>
  (await searchOrders(reader, key.sellerId, { ...filter, ...more }, { pageSize: 10, packages: true })).orders[0]
const packages = true

const readers: Record<string, (reader: Reader) => Promise<Order | undefined>> = {
  findOrder: (reader) => findOrder(reader, key),
  'findOrder with packages': (reader) => findOrder(reader, key, { packages }),
  findOrderAndChannel: async (reader) => (await findOrderAndChannel(reader, key))?.order,
  findOrders: async (reader) => (await findOrders(reader, [key], { packages }))[0],
  listOrders: async (reader) => (await listOrders(reader, { limit: 10 }))[0],
  'searchOrders by time': (reader) => search(reader),
  'searchOrders by id': (reader) => search(reader, { orderIds: [key.orderId] }),
}

const returnKey = { sellerId: key.sellerId, rmaId: 'R1' }
const returnReaders: Record<string, (reader: Reader) => Promise<Return | undefined>> = {
  findReturn: (reader) => findReturn(reader, returnKey),
  listReturns: async (reader) => (await listReturns(reader, { limit: 10 }))[0],
  listReturnsOfOrder: async (reader) => (await listReturnsOfOrder(reader, key, 10))[0],
}

/** Another process commits after each statement. */
function withCommits(reader: Reader, commit: () => Promise<void>): Reader {
  const interrupt = async <Result>(statement: () => Promise<Result>) => {
    const result = await statement()
    await commit()
    return result
  }
  return {
    dialect: reader.dialect,
    all: (query: never, params?: never) => interrupt(() => reader.all(query, params as never)),
    first: (query: never, params?: never) => interrupt(() => reader.first(query, params as never)),
  } as Reader
}

describe.each(Object.entries(kindsOnDisk))('on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  const sold = buildOrder(NOW, { ...key, marketplaceId, status: 'Unshipped' })
  beforeAll(async () => {
    ;({ database, discard } = await open({ hasSchema: true }))
    await migrateDatabase(database, new ManualClock(NOW))
    await database.transact(async (tx) => {
      const marketplace = { countryCode: 'CH', currencyCode: 'CHF', languageCode: 'de_CH', domainName: 'many.example' }
      await upsertMarketplaces(tx, [{ ...marketplace, marketplaceId, name: 'Market' }])
      const seller = { businessType: 'INDIVIDUAL', sellingPlan: 'PROFESSIONAL' } as const
      await upsertSellers(tx, [{ sellerId: key.sellerId, ...seller, participations: [] }])
    })
  })
  beforeEach(() => database.transact((tx) => upsertOrders(tx, [{ ...sold, packages: [] }], NOW)))
  afterAll(async () => {
    await database.close()
    discard()
  })

  async function ship() {
    await database.transact(async (tx) => {
      const before = await findOrder(tx, key)
      if (before?.status !== 'Unshipped') return
      const items = before.items.map((item) => ({ ...item, quantityShipped: item.quantity }))
      const shipped = { packageReferenceId: '1', carrierCode: 'DHL', shippedAt: NOW.toISOString(), items: [] }
      await updateOrders(tx, [{ before, after: { ...before, status: 'Shipped', items }, packages: [shipped] }], NOW)
    })
  }

  test.each(Object.keys(readers))(
    '%s reads an order that is shipped meanwhile as it was, or as it is',
    async (name) => {
      const read = (reader: Reader) => readers[name]?.(reader)
      const before = await database.read((reader) => read(withCommits(reader, ship)) as Promise<Order>)
      const { status, items, packages } = before
      expect([status, items[0]?.quantityShipped, packages?.length ?? 0]).toEqual(['Unshipped', 0, 0])
      const after = await database.read((reader) => read(reader) as Promise<Order>)
      expect([after.status, after.items[0]?.quantityShipped]).toEqual(['Shipped', 1])
      if (!['findOrder', 'findOrderAndChannel'].includes(name)) expect(after.packages).toHaveLength(1)
    },
  )

  test.each(Object.keys(returnReaders))('%s reads a return that is replaced meanwhile as it was', async (name) => {
    const build = (status: Return['status'], quantity: number): Return => ({
      ...returnKey,
      orderId: key.orderId,
      requestedAt: NOW.toISOString(),
      status,
      items: [{ orderItemId: '10000000000001', quantity, reasonCode: 'NO_REASON' }],
    })
    const put = (one: Return) => database.transact((tx) => upsertReturns(tx, [one]))
    await put(build('Pending', 1))
    const replace = () => put(build('Approved', 2))
    const read = await database.read((reader) => returnReaders[name]?.(withCommits(reader, replace)) as Promise<Return>)
    expect([read.status, read.items[0]?.quantity]).toEqual(['Pending', 1])
  })
})
