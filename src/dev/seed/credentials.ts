import type { Seller } from '../../marketplace/accounts/sellers.ts'
import type { SeedCredentials } from './public.ts'
import type { CompleteSeed } from './read-seed.ts'

/** What clients need to use a marketplace. */
export function credentialsOf({ applications, authorizations }: CompleteSeed): SeedCredentials[] {
  const byApplication = Map.groupBy(authorizations, ({ applicationId }) => applicationId)
  return applications.map(({ applicationId, clientId, clientSecret }) => ({
    applicationId,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    authorizations: (byApplication.get(applicationId) ?? []).map(({ sellerId, refreshToken }) => ({
      sellerId,
      ...(refreshToken !== undefined && { refreshToken }),
    })),
  }))
}

/** Whom acts without ids are about: the only seller, in the first of their marketplaces. */
export function onlySellerOf(sellers: readonly Seller[]): { sellerId: string; marketplaceId: string } | undefined {
  const [seller, ...others] = sellers
  const [participation] = seller?.participations ?? []
  if (!seller || !participation || others.length > 0) return undefined
  return { sellerId: seller.sellerId, marketplaceId: participation.marketplaceId }
}
