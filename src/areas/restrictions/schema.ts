import { type Static, Type } from 'typebox'
import { RESTRICTION_REASONS } from '../../marketplace/catalog/index.ts'
import { CONDITION_TYPES } from '../../marketplace/offers/conditions.ts'
import { Asin, MarketplaceId, QueryList } from '../../marketplace/schema.ts'

export const REASON_CODES = [...RESTRICTION_REASONS, 'ASIN_NOT_FOUND'] as const
export type ReasonCode = (typeof REASON_CODES)[number]

export const RestrictionsQuery = Type.Object({
  asin: Asin,
  sellerId: Type.String({ minLength: 1, description: 'The seller of the access token' }),
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 50 }),
  conditionType: Type.Optional(Type.Enum(CONDITION_TYPES)),
  reasonLocale: Type.Optional(
    Type.String({ maxLength: 100, description: 'en_US or de_DE. Default: the locale of the first marketplace' }),
  ),
  productType: Type.Optional(Type.String({ maxLength: 100, description: 'Ignored' })),
})
export type RestrictionsQuery = Static<typeof RestrictionsQuery>

const Link = Type.Object({
  resource: Type.String(),
  verb: Type.Literal('GET'),
  title: Type.String(),
  type: Type.String(),
})

export const Reason = Type.Object({
  message: Type.String(),
  reasonCode: Type.Enum(REASON_CODES),
  links: Type.Optional(Type.Array(Link)),
})
export type Reason = Static<typeof Reason>

export const ListingRestriction = Type.Object({
  marketplaceId: Type.String(),
  conditionType: Type.Optional(Type.Enum(CONDITION_TYPES)),
  reasons: Type.Array(Reason),
})
export type ListingRestriction = Static<typeof ListingRestriction>

export const RestrictionList = Type.Object({ restrictions: Type.Array(ListingRestriction) })
export type RestrictionList = Static<typeof RestrictionList>
