import type { JoinedMarketplace } from '../../marketplace/accounts/participation.ts'
import type { MarketplaceParticipation } from './schema.ts'

export const renderParticipation = ({
  marketplace,
  storeName,
  isParticipating,
  hasSuspendedListings,
}: JoinedMarketplace): MarketplaceParticipation => ({
  marketplace: {
    id: marketplace.marketplaceId,
    countryCode: marketplace.countryCode,
    name: marketplace.name,
    defaultCurrencyCode: marketplace.currencyCode,
    defaultLanguageCode: marketplace.languageCode,
    domainName: marketplace.domainName,
  },
  storeName,
  participation: { isParticipating, hasSuspendedListings },
})
