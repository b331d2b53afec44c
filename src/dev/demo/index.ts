import { addAuthorizations } from '../../marketplace/accounts/authorizations.ts'
import { upsertMarketplaces } from '../../marketplace/accounts/marketplaces.ts'
import { upsertSellers } from '../../marketplace/accounts/sellers.ts'
import type { CatalogWriter } from '../../marketplace/catalog/index.ts'
import { writePriceHistories } from '../../marketplace/market/index.ts'
import type { OfferWriter } from '../../marketplace/offers/offers.ts'
import { upsertFeedback } from '../../marketplace/trade/feedback.ts'
import { upsertOrders } from '../../marketplace/trade/orders.ts'
import { upsertReturns } from '../../marketplace/trade/returns.ts'
import { signingSecret } from '../../platform/auth/signing-keys.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { demoCatalog } from './catalog.ts'
import { type DemoCredentials, publicCredentials, writeApplication, writeGrants } from './credentials.ts'
import type { Demo } from './demo.ts'
import { demoFeedback } from './feedback.ts'
import { application, demoSeller, otherSeller, signingMasterSecret, US } from './identities.ts'
import { type DemoListing, demoListings } from './listings.ts'
import { publicMarketplaces } from './marketplaces.ts'
import { demoOffers } from './offers.ts'
import { asins, demoOrders, orderIds, skus } from './orders.ts'
import { demoPriceHistories } from './price-histories.ts'
import { demoReturns } from './returns.ts'

export { newCredentials, publicCredentials, writeCredentials } from './credentials.ts'
export type { DemoCredentials }
export { signingMasterSecret }

/** The demo marketplace with these credentials. */
export const demoWith = (credentials: DemoCredentials): Demo => ({
  clientId: application.clientId,
  clientSecret: credentials.clientSecret,
  refreshToken: credentials.refreshToken,
  applicationId: application.applicationId,
  sellerId: demoSeller.sellerId,
  marketplaceId: US,
  productType: 'SHOES',
  skus,
  asins,
  orders: {
    eligible: orderIds.eligible,
    notDelivered: orderIds.notDelivered[0] as string,
    tooEarly: orderIds.tooEarly[0] as string,
    tooLate: orderIds.tooLate[0] as string,
    optedOut: orderIds.optedOut[0] as string,
    alreadySolicited: orderIds.alreadySolicited[0] as string,
  },
  otherSeller: { sellerId: otherSeller.sellerId, refreshToken: credentials.otherRefreshToken },
  operatorKey: credentials.operatorKey,
  signingKey: {
    accessKeyId: application.signingKeyId,
    secretAccessKey: signingSecret(signingMasterSecret, application.signingKeyId),
  },
})

export const demo: Demo = demoWith(publicCredentials)

/** Writes that belong to other parts of the service. */
export interface DemoPorts {
  catalog: CatalogWriter
  offers: OfferWriter
  recordSolicitation(tx: Transaction, sellerId: string, orderId: string, sentAt: Date): Promise<void>
  seedListings(tx: Transaction, listings: readonly DemoListing[], now: Date): Promise<void>
}

/** Writes the demo marketplace, with dates around `now`. */
export async function loadDemo(
  tx: Transaction,
  now: Date,
  ports: DemoPorts,
  credentials: DemoCredentials,
): Promise<void> {
  const { applicationId } = application
  const sellers = [demoSeller, otherSeller]
  await upsertMarketplaces(tx, publicMarketplaces)
  await upsertSellers(tx, sellers)
  await writeApplication(tx, credentials)
  await addAuthorizations(
    tx,
    sellers.map(({ sellerId }) => ({ sellerId, applicationId })),
    now,
  )
  await writeGrants(tx, credentials)
  await ports.catalog.upsert(tx, demoCatalog, now)
  await ports.offers.upsertCompetitors(tx, demoOffers, now)
  await writePriceHistories(tx, demoPriceHistories(now))
  await ports.seedListings(tx, demoListings(now), now)
  const returned = demoReturns(now)
  const orders = [...demoOrders(now), ...returned.map(({ order }) => order)]
  await upsertOrders(tx, orders, now)
  await upsertReturns(
    tx,
    returned.map((one) => one.return),
  )
  await upsertFeedback(tx, demoFeedback(orders))
  for (const orderId of orderIds.alreadySolicited) {
    await ports.recordSolicitation(tx, demoSeller.sellerId, orderId, now)
  }
}
