import { type Static, Type } from 'typebox'
import { Business, BusinessType, PrimaryContact, SellingPlan } from '../../marketplace/accounts/sellers.ts'

const MarketplaceParticipation = Type.Object({
  marketplace: Type.Object({
    id: Type.String(),
    countryCode: Type.String(),
    name: Type.String(),
    defaultCurrencyCode: Type.String(),
    defaultLanguageCode: Type.String(),
    domainName: Type.String(),
  }),
  storeName: Type.String(),
  participation: Type.Object({ isParticipating: Type.Boolean(), hasSuspendedListings: Type.Boolean() }),
})
export type MarketplaceParticipation = Static<typeof MarketplaceParticipation>

export const MarketplaceParticipations = Type.Object({ payload: Type.Array(MarketplaceParticipation) })
export type MarketplaceParticipations = Static<typeof MarketplaceParticipations>

export const Account = Type.Object({
  payload: Type.Object({
    businessType: BusinessType,
    sellingPlan: SellingPlan,
    business: Type.Optional(Business),
    primaryContact: Type.Optional(PrimaryContact),
    marketplaceParticipationList: Type.Array(MarketplaceParticipation),
  }),
})
export type Account = Static<typeof Account>
