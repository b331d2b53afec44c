import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { SqliteDatabase } from '../../platform/database/sqlite-database.ts'
import { upsertMarketplaces } from './marketplaces.ts'
import { requireParticipation } from './participation.ts'
import { upsertSellers } from './sellers.ts'

const ids = Array.from({ length: 50 }, (_, index) => `M${index}`)
let database: SqliteDatabase

beforeAll(async () => {
  database = new SqliteDatabase(':memory:')
  await migrate(database, migrations, new ManualClock('2026-01-01T00:00:00Z'))
  await database.transact(async (tx) => {
    const common = { name: 'Bazaar', countryCode: 'CH', languageCode: 'de_CH', domainName: 'bazaar.example' }
    await upsertMarketplaces(
      tx,
      ids.map((marketplaceId, index) => ({ ...common, marketplaceId, currencyCode: index === 0 ? 'CHF' : 'EUR' })),
    )
    const participations = ids.slice(0, 49).map((marketplaceId) => ({
      marketplaceId,
      storeName: 'Store',
      isParticipating: true,
      hasSuspendedListings: false,
    }))
    await upsertSellers(tx, [
      { sellerId: 'S1', businessType: 'INDIVIDUAL', sellingPlan: 'PROFESSIONAL', participations },
    ])
  })
})
afterAll(() => database.close())

test('all marketplaces of a request are checked with one query, and returned in the order of the request', async () => {
  let queries = 0
  await database.read(async (reader) => {
    const counted = new Proxy(reader, {
      get: (target, name: 'all' | 'first') => {
        queries++
        return target[name].bind(target)
      },
    })
    const found = await requireParticipation(counted, 'S1', ['M7', 'M0', 'M7', ...ids.slice(0, 40)])
    expect(found.slice(0, 3).map(({ marketplaceId }) => marketplaceId)).toEqual(['M7', 'M0', 'M7'])
    expect(found[1]).toEqual({ marketplaceId: 'M0', currencyCode: 'CHF', languageCode: 'de_CH' })
    expect(found).toHaveLength(43)
  })
  expect(queries).toBe(1)
})

test('one marketplace without the seller refuses the request', async () => {
  await database.read(async (reader) => {
    await expect(requireParticipation(reader, 'S1', ids)).rejects.toMatchObject({
      details: expect.stringContaining('does not participate in marketplace M49'),
    })
    await expect(requireParticipation(reader, 'S1', [...ids, 'NOWHERE'])).rejects.toMatchObject({
      details: 'Marketplace NOWHERE does not exist.',
    })
  })
})
