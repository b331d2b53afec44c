import { expect, test } from 'vitest'
import { upsertMarketplaces } from '../../marketplace/accounts/marketplaces.ts'
import { upsertSellers } from '../../marketplace/accounts/sellers.ts'
import type { Order } from '../../marketplace/trade/order.ts'
import { createOrderWriter } from '../../marketplace/trade/order-writer.ts'
import { findOrders } from '../../marketplace/trade/orders.ts'
import { migrations } from '../../migrations/index.ts'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SqliteDatabase } from '../../platform/database/sqlite-database.ts'
import { placeOrders } from './buyers.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const STOCK = 2

const buildOrder = (number: number, quantity: number): Order => ({
  sellerId: 'S1',
  orderId: `600-0000000-000000${number}`,
  marketplaceId: 'M1',
  status: 'Unshipped',
  fulfillmentChannel: 'MFN',
  purchasedAt: NOW.toISOString(),
  currencyCode: 'CHF',
  items: [{ orderItemId: '1', sku: 'SKU', asin: 'B000000001', title: 'Shoe', quantity, priceMinor: 100 }],
})

test('an order of more than is left is not placed, and the others of the same step are', async () => {
  const database = new SqliteDatabase(':memory:')
  await migrate(database, migrations, new ManualClock(NOW))
  const writer = createOrderWriter({
    moveStock: async (_tx, movements) => ({
      shortages: movements.flatMap(({ pieces }, index) => (pieces > STOCK ? [{ index, left: STOCK }] : [])),
      stockIds: movements.map(() => undefined),
    }),
    onOrdersChanged: async () => {},
  })
  const orders = [buildOrder(1, 1), buildOrder(2, STOCK + 1), buildOrder(3, STOCK)]
  const placed = await database.transact(async (tx) => {
    const names = { name: 'Bazaar', countryCode: 'CH', languageCode: 'de_CH', domainName: 'bazaar.example' }
    await upsertMarketplaces(tx, [{ ...names, marketplaceId: 'M1', currencyCode: 'CHF' }])
    await upsertSellers(tx, [
      { sellerId: 'S1', businessType: 'INDIVIDUAL', sellingPlan: 'PROFESSIONAL', participations: [] },
    ])
    return placeOrders(tx, writer, orders, NOW)
  })
  const stored = await database.read((reader) => findOrders(reader, orders))
  const idsOf = (some: readonly Order[]) => some.map(({ orderId }) => orderId).sort()
  expect(idsOf(placed)).toEqual(['600-0000000-0000001', '600-0000000-0000003'])
  expect(idsOf(stored)).toEqual(idsOf(placed))
  await database.close()
})
