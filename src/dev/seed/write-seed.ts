import { setImmediate } from 'node:timers/promises'
import { upsertApplications } from '../../marketplace/accounts/applications.ts'
import { addAuthorizations, addRefreshTokens } from '../../marketplace/accounts/authorizations.ts'
import { upsertMarketplaces } from '../../marketplace/accounts/marketplaces.ts'
import { upsertSellers } from '../../marketplace/accounts/sellers.ts'
import { writePriceHistories } from '../../marketplace/market/index.ts'
import { upsertProductTypes } from '../../marketplace/product-types/index.ts'
import { upsertFeedback } from '../../marketplace/trade/feedback.ts'
import { addTaken } from '../../marketplace/trade/order-stock.ts'
import { upsertOrders } from '../../marketplace/trade/orders.ts'
import { upsertReturns } from '../../marketplace/trade/returns.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { chunks, MAX_TUPLES } from '../../platform/database/tuples.ts'
import type { SeedPorts } from './ports.ts'
import type { CompleteSeed } from './read-seed.ts'

const LISTS = [
  'catalogItems',
  'offers',
  'listings',
  'priceHistories',
  'orders',
  'stockTaken',
  'returns',
  'feedback',
  'solicitations',
] as const satisfies (keyof CompleteSeed)[]

export const countRows = (seed: CompleteSeed): number => LISTS.reduce((sum, name) => sum + seed[name].length, 0)

/** Writes a seed into an empty database. Sends no notifications: this is how the marketplace begins. */
export async function writeSeed(
  tx: Transaction,
  seed: Omit<CompleteSeed, 'clock'>,
  ports: SeedPorts,
  now: Date,
  report: (done: number) => void = () => {},
): Promise<void> {
  let done = 0
  const inParts = async <Row>(rows: readonly Row[], write: (some: readonly Row[]) => Promise<void>) => {
    for (const some of chunks(rows, MAX_TUPLES)) {
      await write(some)
      done += some.length
      report(done)
      // SQLite does not yield by itself, and readers of the progress would get none.
      await setImmediate()
    }
  }
  await upsertMarketplaces(tx, seed.marketplaces)
  await upsertProductTypes(tx, seed.productTypes, now)
  for (const some of chunks(seed.sellers, MAX_TUPLES)) await upsertSellers(tx, some)
  await upsertApplications(tx, seed.applications)
  await ports.applications.planWarnings(tx, seed.applications, now)
  await addAuthorizations(tx, seed.authorizations, now)
  await addRefreshTokens(
    tx,
    seed.authorizations.flatMap(({ sellerId, applicationId, tokenDigests }) =>
      tokenDigests.map((tokenDigest) => ({ sellerId, applicationId, tokenDigest })),
    ),
  )
  await inParts(seed.catalogItems, (some) => ports.catalog.upsert(tx, some, now))
  await inParts(seed.offers, (some) => ports.offers.upsertCompetitors(tx, some, now))
  await inParts(seed.listings, (some) => ports.listings.write(tx, some, now))
  await inParts(seed.priceHistories, (some) => writePriceHistories(tx, some))
  await inParts(seed.orders, (some) => upsertOrders(tx, some, now, []))
  await inParts(seed.stockTaken, (some) => addTaken(tx, some))
  await inParts(seed.returns, (some) => upsertReturns(tx, some))
  await inParts(seed.feedback, (some) => upsertFeedback(tx, some))
  await inParts(seed.solicitations, (some) => ports.solicitations.write(tx, some))
  await ports.notifications.write(tx, seed.destinations, seed.subscriptions)
}
