import { digest } from '../../platform/auth/digest.ts'
import { signingSecret } from '../../platform/auth/signing-keys.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { SeedPorts } from '../seed/ports.ts'
import type { SeedCredentials } from '../seed/public.ts'
import { writeSeed } from '../seed/write-seed.ts'
import { demoCatalog } from './catalog.ts'
import { applicationWith, type DemoCredentials, publicCredentials } from './credentials.ts'
import type { Demo } from './demo.ts'
import { demoFeedback } from './feedback.ts'
import { application, demoSeller, otherSeller, signingMasterSecret, US } from './identities.ts'
import { demoListings } from './listings.ts'
import { publicMarketplaces } from './marketplaces.ts'
import { demoOffers } from './offers.ts'
import { asins, demoOrders, orderIds, skus } from './orders.ts'
import { demoPriceHistories } from './price-histories.ts'
import { demoReturns } from './returns.ts'

export { newCredentials, publicCredentials } from './credentials.ts'
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

/** The same as the applications of a seed. */
export const demoApplications = ({
  clientSecret,
  refreshToken,
  otherRefreshToken,
}: DemoCredentials): SeedCredentials[] => [
  {
    applicationId: application.applicationId,
    clientId: application.clientId,
    clientSecret,
    authorizations: [
      { sellerId: demoSeller.sellerId, refreshToken },
      { sellerId: otherSeller.sellerId, refreshToken: otherRefreshToken },
    ],
  },
]

export const demo: Demo = demoWith(publicCredentials)

/** Writes the demo marketplace, with dates around `now`. */
export async function loadDemo(
  tx: Transaction,
  now: Date,
  ports: SeedPorts,
  credentials: DemoCredentials,
): Promise<void> {
  const { applicationId } = application
  const sellers = [demoSeller, otherSeller]
  const returned = demoReturns(now)
  const orders = [...demoOrders(now), ...returned.map(({ order }) => order)]
  const authorize = (sellerId: string, refreshToken: string) => ({
    sellerId,
    applicationId,
    authorizedAt: now.toISOString(),
    tokenDigests: [digest(refreshToken)],
  })
  await writeSeed(
    tx,
    {
      marketplaces: publicMarketplaces,
      productTypes: [],
      sellers,
      applications: [applicationWith(credentials)],
      authorizations: [
        authorize(demoSeller.sellerId, credentials.refreshToken),
        authorize(otherSeller.sellerId, credentials.otherRefreshToken),
      ],
      catalogItems: demoCatalog,
      listings: demoListings(now),
      offers: demoOffers,
      priceHistories: demoPriceHistories(now),
      orders,
      stockTaken: [],
      returns: returned.map((one) => one.return),
      feedback: demoFeedback(orders),
      solicitations: orderIds.alreadySolicited.map((orderId) => ({
        sellerId: demoSeller.sellerId,
        orderId,
        sentThrough: 'api',
        sentAt: now,
      })),
      destinations: [],
      subscriptions: [],
    },
    ports,
    now,
  )
}
