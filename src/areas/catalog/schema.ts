import { type Static, Type } from 'typebox'
import {
  IDENTIFIER_TYPES,
  IMAGE_VARIANTS,
  ITEM_CLASSIFICATIONS,
  RELATIONSHIP_TYPES,
} from '../../marketplace/catalog/index.ts'
import { MarketplaceId, QueryList } from '../../marketplace/schema.ts'

export const INCLUDED_DATA = [
  'attributes',
  'classifications',
  'dimensions',
  'identifiers',
  'images',
  'productTypes',
  'relationships',
  'salesRanks',
  'summaries',
  'vendorDetails',
] as const
export type IncludedData = (typeof INCLUDED_DATA)[number]

const IncludedData = Type.Optional(QueryList(Type.Enum(INCLUDED_DATA), { minItems: 1 }))
const Locale = Type.Optional(Type.String({ maxLength: 100, description: 'Ignored: items have one language' }))
const keywordList = QueryList(Type.String(), { minItems: 1, maxItems: 20 })
const filterValues = Type.Optional(QueryList(Type.String(), { minItems: 1, maxItems: 50 }))

export const GetItemParams = Type.Object({ asin: Type.String() })
export const GetItemQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 50 }),
  includedData: IncludedData,
  locale: Locale,
})
export type GetItemQuery = Static<typeof GetItemQuery>

export const SearchQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 1 }),
  identifiers: Type.Optional(keywordList),
  identifiersType: Type.Optional(Type.Enum(['ASIN', 'SKU', ...IDENTIFIER_TYPES])),
  sellerId: Type.Optional(Type.String({ description: 'Seller of the SKUs; required when identifiersType is SKU' })),
  keywords: Type.Optional(keywordList),
  keywordsLocale: Locale,
  brandNames: filterValues,
  classificationIds: filterValues,
  includedData: IncludedData,
  locale: Locale,
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  pageToken: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type SearchQuery = Static<typeof SearchQuery>

const text = Type.Optional(Type.String())
const texts = Type.Optional(Type.Array(Type.String()))
const flag = Type.Optional(Type.Boolean())
const byMarketplace = <Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields) =>
  Type.Optional(Type.Array(Type.Object({ marketplaceId: Type.String(), ...fields })))

interface NestedClassification {
  displayName: string
  classificationId: string
  parent?: NestedClassification
}
const Classification = Type.Object({
  displayName: Type.String(),
  classificationId: Type.String(),
  parent: Type.Optional(Type.Unsafe<NestedClassification>({ type: 'object', description: 'Parent classification' })),
})

const measure = Type.Optional(Type.Object({ unit: text, value: Type.Optional(Type.Number()) }))
const Dimensions = Type.Optional(Type.Object({ height: measure, length: measure, weight: measure, width: measure }))
const rank = { title: Type.String(), link: text, rank: Type.Integer() }

export const Item = Type.Object({
  asin: Type.String(),
  attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  classifications: byMarketplace({ classifications: Type.Array(Classification) }),
  dimensions: byMarketplace({ item: Dimensions, package: Dimensions }),
  identifiers: byMarketplace({
    identifiers: Type.Array(Type.Object({ identifierType: Type.String(), identifier: Type.String() })),
  }),
  images: byMarketplace({
    images: Type.Array(
      Type.Object({
        variant: Type.Enum(IMAGE_VARIANTS),
        link: Type.String(),
        height: Type.Integer(),
        width: Type.Integer(),
      }),
    ),
  }),
  productTypes: byMarketplace({ productType: Type.String() }),
  relationships: byMarketplace({
    relationships: Type.Array(
      Type.Object({
        type: Type.Enum(RELATIONSHIP_TYPES),
        childAsins: texts,
        parentAsins: texts,
        variationTheme: Type.Optional(Type.Object({ theme: text, attributes: texts })),
      }),
    ),
  }),
  salesRanks: byMarketplace({
    classificationRanks: Type.Optional(Type.Array(Type.Object({ classificationId: Type.String(), ...rank }))),
    displayGroupRanks: Type.Optional(Type.Array(Type.Object({ websiteDisplayGroup: Type.String(), ...rank }))),
  }),
  summaries: byMarketplace({
    itemName: text,
    brand: text,
    manufacturer: text,
    modelNumber: text,
    partNumber: text,
    color: text,
    size: text,
    style: text,
    itemClassification: Type.Optional(Type.Enum(ITEM_CLASSIFICATIONS)),
    packageQuantity: Type.Optional(Type.Integer()),
    releaseDate: text,
    adultProduct: flag,
    autographed: flag,
    memorabilia: flag,
    tradeInEligible: flag,
    websiteDisplayGroup: text,
    websiteDisplayGroupName: text,
    browseClassification: Type.Optional(Classification),
  }),
  vendorDetails: byMarketplace({}),
})
export type Item = Static<typeof Item>

const NumberOfResults = Type.Integer({ minimum: 0 })

export const Refinements = Type.Object({
  brands: Type.Array(Type.Object({ numberOfResults: NumberOfResults, brandName: Type.String() })),
  classifications: Type.Array(
    Type.Object({ numberOfResults: NumberOfResults, displayName: Type.String(), classificationId: Type.String() }),
  ),
})
export type Refinements = Static<typeof Refinements>

export const SearchResult = Type.Object({
  numberOfResults: NumberOfResults,
  pagination: Type.Object({ nextToken: text, previousToken: text }),
  refinements: Type.Optional(Refinements),
  items: Type.Array(Item),
})
export type SearchResult = Static<typeof SearchResult>
