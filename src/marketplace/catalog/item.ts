import { type Static, Type } from 'typebox'
import { CONDITION_TYPES } from '../offers/conditions.ts'
import { Asin, MarketplaceId, Name, SellerId, strict } from '../schema.ts'
import { IDENTIFIER_TYPES } from './identifiers.ts'

export const ITEM_CLASSIFICATIONS = ['BASE_PRODUCT', 'OTHER', 'PRODUCT_BUNDLE', 'VARIATION_PARENT'] as const
export const IMAGE_VARIANTS = 'MAIN PT01 PT02 PT03 PT04 PT05 PT06 PT07 PT08 SWCH'.split(' ')
export const RELATIONSHIP_TYPES = ['VARIATION', 'PACKAGE_HIERARCHY'] as const
export const RESTRICTION_REASONS = ['APPROVAL_REQUIRED', 'NOT_ELIGIBLE'] as const

const text = Type.Optional(Name)
const flag = Type.Optional(Type.Boolean())
const Url = Type.String({ pattern: '^https?://\\S{1,2000}$', description: 'URL' })
const Asins = Type.Optional(Type.Array(Asin, { maxItems: 2000 }))
const SellerIds = Type.Array(SellerId, { maxItems: 10_000 })

const Classification = Type.Object(
  { classificationId: Type.String({ pattern: '^[\\w-]{1,100}$' }), displayName: Name },
  strict,
)

const measure = Type.Optional(Type.Object({ unit: Name, value: Type.Number({ minimum: 0 }) }, strict))
const Dimensions = Type.Object({ height: measure, length: measure, weight: measure, width: measure }, strict)

const rank = { title: Name, link: Type.Optional(Url), rank: Type.Integer({ minimum: 1 }) }
const SalesRanks = Type.Object(
  {
    classificationRanks: Type.Optional(
      Type.Array(Type.Object({ classificationId: Name, ...rank }, strict), { maxItems: 20 }),
    ),
    displayGroupRanks: Type.Optional(
      Type.Array(Type.Object({ websiteDisplayGroup: Name, ...rank }, strict), { maxItems: 20 }),
    ),
  },
  strict,
)

const Relationship = Type.Object(
  {
    type: Type.Enum(RELATIONSHIP_TYPES),
    parentAsins: Asins,
    childAsins: Asins,
    variationTheme: Type.Optional(
      Type.Object({ theme: Name, attributes: Type.Optional(Type.Array(Name, { maxItems: 20 })) }, strict),
    ),
  },
  strict,
)

export const Restriction = Type.Object(
  {
    reason: Type.Enum(RESTRICTION_REASONS),
    conditionTypes: Type.Optional(
      Type.Array(Type.Enum(CONDITION_TYPES), { minItems: 1, description: 'Default: all conditions' }),
    ),
    sellerIds: Type.Optional({ ...SellerIds, description: 'Restricted sellers. Default: all sellers' }),
    exemptSellerIds: Type.Optional({ ...SellerIds, description: 'Exempt (approved) sellers' }),
    approvalUrl: Type.Optional({
      ...Url,
      description: 'URL to request approval. Default: a page on the marketplace domain',
    }),
  },
  { ...strict, description: 'A selling restriction' },
)
export type Restriction = Static<typeof Restriction>

export const CatalogItem = Type.Object(
  {
    marketplaceId: MarketplaceId,
    asin: Asin,
    productType: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$', examples: ['SHOES'] }),
    itemName: Name,
    brand: text,
    manufacturer: text,
    modelNumber: text,
    partNumber: text,
    color: text,
    size: text,
    style: text,
    itemClassification: Type.Optional(Type.Enum(ITEM_CLASSIFICATIONS, { description: 'Default: BASE_PRODUCT' })),
    packageQuantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    // The format accepts existing dates, and the pattern excludes times.
    releaseDate: Type.Optional(Type.String({ format: 'date-time', pattern: '^[0-9-]{10}$', examples: ['2026-01-31'] })),
    adultProduct: flag,
    autographed: flag,
    memorabilia: flag,
    tradeInEligible: flag,
    websiteDisplayGroup: text,
    websiteDisplayGroupName: text,
    browseClassification: Type.Optional(
      Type.Object(
        {
          ...Classification.properties,
          ancestors: Type.Optional(
            Type.Array(Classification, { maxItems: 20, description: 'Ancestors, nearest first' }),
          ),
        },
        strict,
      ),
    ),
    identifiers: Type.Optional(
      Type.Array(
        Type.Object(
          { type: Type.Enum(IDENTIFIER_TYPES), value: Type.String({ pattern: '^[0-9]{8,14}$|^[0-9]{9}X$' }) },
          strict,
        ),
        { maxItems: 50 },
      ),
    ),
    images: Type.Optional(
      Type.Array(
        Type.Object(
          {
            variant: Type.Enum(IMAGE_VARIANTS),
            link: Url,
            height: Type.Integer({ minimum: 1 }),
            width: Type.Integer({ minimum: 1 }),
          },
          strict,
        ),
        { maxItems: 50 },
      ),
    ),
    dimensions: Type.Optional(
      Type.Object({ item: Type.Optional(Dimensions), package: Type.Optional(Dimensions) }, strict),
    ),
    salesRanks: Type.Optional(SalesRanks),
    relationships: Type.Optional(Type.Array(Relationship, { maxItems: 10 })),
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'By name, as defined by the product type' }),
    ),
    restrictions: Type.Optional(Type.Array(Restriction, { maxItems: 20 })),
  },
  { ...strict, description: 'A catalog item in one marketplace' },
)
export type CatalogItem = Static<typeof CatalogItem>
export type CatalogKey = Pick<CatalogItem, 'marketplaceId' | 'asin'>

/** Limits the size of responses, which contain up to 20 items. */
export const MAX_ATTRIBUTE_BYTES = 64 * 1024
