import { upsertApplications } from '../../marketplace/accounts/applications.ts'
import { addAuthorizations, addRefreshTokens } from '../../marketplace/accounts/authorizations.ts'
import { upsertMarketplaces } from '../../marketplace/accounts/marketplaces.ts'
import { upsertSellers } from '../../marketplace/accounts/sellers.ts'
import type { CatalogWriter } from '../../marketplace/catalog/index.ts'
import { writePriceHistories } from '../../marketplace/market/index.ts'
import type { OfferWriter } from '../../marketplace/offers/offers.ts'
import { upsertFeedback } from '../../marketplace/trade/feedback.ts'
import { upsertOrders } from '../../marketplace/trade/orders.ts'
import { upsertReturns } from '../../marketplace/trade/returns.ts'
import { digest } from '../../platform/auth/digest.ts'
import { signingSecret } from '../../platform/auth/signing-keys.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { demoCatalog } from './catalog.ts'
import type { Demo } from './demo.ts'
import { demoFeedback } from './feedback.ts'
import {
  application,
  demoSeller,
  operatorKey,
  otherSeller,
  refreshTokens,
  signingMasterSecret,
  US,
} from './identities.ts'
import { type DemoListing, demoListings } from './listings.ts'
import { publicMarketplaces } from './marketplaces.ts'
import { demoOffers } from './offers.ts'
import { asins, demoOrders, orderIds, skus } from './orders.ts'
import { demoPriceHistories } from './price-histories.ts'
import { demoReturns } from './returns.ts'

export { operatorKey, signingMasterSecret }

export const demo: Demo = {
  clientId: application.clientId,
  clientSecret: application.clientSecret,
  refreshToken: refreshTokens.A1SOUKDEMOSELL,
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
  otherSeller: { sellerId: otherSeller.sellerId, refreshToken: refreshTokens.A2SOUKOTHERSEL },
  operatorKey,
  signingKey: {
    accessKeyId: application.signingKeyId,
    secretAccessKey: signingSecret(signingMasterSecret, application.signingKeyId),
  },
}

/** Writes that belong to other parts of the service. */
export interface DemoPorts {
  catalog: CatalogWriter
  offers: OfferWriter
  recordSolicitation(tx: Transaction, sellerId: string, orderId: string, sentAt: Date): Promise<void>
  seedListings(tx: Transaction, listings: readonly DemoListing[], now: Date): Promise<void>
}

/** Writes the demo marketplace, with dates around `now`. */
export async function loadDemo(tx: Transaction, now: Date, ports: DemoPorts): Promise<void> {
  const { applicationId, name, clientId, clientSecret, signingKeyId } = application
  const roles = [...application.roles]
  const clientSecretDigest = digest(clientSecret)
  const sellers = [demoSeller, otherSeller]
  const authorizations = sellers.map(({ sellerId }) => ({ sellerId, applicationId }))
  await upsertMarketplaces(tx, publicMarketplaces)
  await upsertSellers(tx, sellers)
  await upsertApplications(tx, [{ applicationId, name, clientId, clientSecretDigest, signingKeyId, roles }])
  await addAuthorizations(tx, authorizations, now)
  await addRefreshTokens(
    tx,
    authorizations.map((authorization) => ({
      ...authorization,
      tokenDigest: digest(refreshTokens[authorization.sellerId as keyof typeof refreshTokens]),
    })),
  )
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
