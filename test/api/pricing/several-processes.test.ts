import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { invalidateSummaries } from '../../../src/areas/pricing/index.ts'
import { computeSummaries } from '../../../src/areas/pricing/summary/compute.ts'
import { createOfferWriter } from '../../../src/marketplace/offers/offers.ts'
import type { Database, Transaction } from '../../../src/platform/database/port.ts'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { testDialect } from '../../support/databases.ts'
import { startWatchedListings } from '../../support/listings.ts'
import { buildCompetitorOffer, type MarketClient, marketClient, US } from '../../support/market.ts'
import type { TestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'

const offers = createOfferWriter(invalidateSummaries)

describe('a summary', () => {
  let souk: TestSouk
  let market: MarketClient
  /** A separate connection, as in another process. */
  let elsewhere: Database
  beforeAll(async () => {
    const started = await startWatchedListings()
    ;({ souk } = started)
    elsewhere = started.database
    market = marketClient(souk, started.token)
  })

  const priceElsewhere = (asin: string, priceMinor: number) =>
    elsewhere.transact((tx) =>
      offers.upsertCompetitors(tx, [buildCompetitorOffer('AELSEWHERE', { asin, priceMinor })], souk.clock.now()),
    )
  const lowestOf = async (asin: string) =>
    (await market.summary(asin)).lowestPricedOffers[0].offers[0].listingPrice.amount

  test('is current after a change by another process', async () => {
    const asin = 'B0OTHERP01'
    await market.addProducts(asin)
    for (const price of [10, 9, 8, 11]) {
      await priceElsewhere(asin, price * 100)
      // A read may see the state of the previous event-loop tick.
      await new Promise((resolve) => setImmediate(resolve))
      expect(await lowestOf(asin)).toBe(price)
    }
  })

  // SQLite has one writer at a time, so no change can interleave.
  describe.runIf(testDialect === 'postgres').each(['serializable', 'read committed'] as const)(
    'beside a %s transaction that changes an offer',
    (isolation) => {
      const asin = isolation === 'serializable' ? 'B0RACING01' : 'B0RACING02'
      const change = (tx: Transaction, priceMinor: number) =>
        offers.upsertCompetitors(tx, [buildCompetitorOffer('AELSEWHERE', { asin, priceMinor })], souk.clock.now())

      test('is computed from the committed offers, and not stored', async () => {
        await market.addProducts(asin)
        await priceElsewhere(asin, 1000)
        await elsewhere.transact(
          async (tx) => {
            await change(tx, 500)
            expect(await lowestOf(asin)).toBe(10)
          },
          { isolation },
        )
        expect(await lowestOf(asin)).toBe(5)
      })

      test('that began before the summary was stored is outdated by it', async () => {
        await priceElsewhere(asin, 900)
        await elsewhere.transact(
          async (tx) => {
            await tx.all(waitingForLocks)
            // Stored by a transaction that begins and ends within this one.
            expect(await lowestOf(asin)).toBe(9)
            await change(tx, 400)
          },
          { isolation },
        )
        expect(await lowestOf(asin)).toBe(4)
      })

      test('that has to wait until the summary is stored is outdated by it', async () => {
        await priceElsewhere(asin, 800)
        let changed: Promise<void> | undefined
        await elsewhere.transact(
          async (tx) => {
            const key = { marketplaceId: US, asin }
            await computeSummaries(tx, [key], souk.clock.now())
            changed ??= elsewhere.transact((other) => change(other, 300), { isolation })
            await waitFor(
              () => tx.all(waitingForLocks),
              (rows) => rows.length > 0,
            )
          },
          { isolation: 'read committed' },
        )
        await changed
        expect(await lowestOf(asin)).toBe(3)
      })
    },
  )
})

const waitingForLocks = queryBuilder<{ pg_locks: { granted: boolean; locktype: string; database: number } }>()
  .selectFrom('pg_locks')
  .select('locktype')
  .where('granted', '=', false)
  .where('locktype', '=', 'advisory')
  .where('database', '=', sql<number>`(select oid from pg_database where datname = current_database())`)
