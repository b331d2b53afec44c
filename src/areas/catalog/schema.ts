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

const Included = Type.Optional(QueryList(Type.Enum(INCLUDED_DATA), { minItems: 1 }))
const Locale = Type.Optional(Type.String({ maxLength: 100, description: 'Ignored: items have one language' }))
const Keywords = QueryList(Type.String(), { minItems: 1, maxItems: 20 })
const FilterValues = Type.Optional(QueryList(Type.String(), { minItems: 1, maxItems: 50 }))

export const ItemParams = Type.Object({ asin: Type.String() })
export const GetItemQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 50 }),
  includedData: Included,
  locale: Locale,
})
export type GetItemQuery = Static<typeof GetItemQuery>

export const SearchItemsQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 1 }),
  identifiers: Type.Optional(Keywords),
  identifiersType: Type.Optional(Type.Enum(['ASIN', 'SKU', ...IDENTIFIER_TYPES])),
  sellerId: Type.Optional(Type.String({ description: 'Seller of the SKUs; required when identifiersType is SKU' })),
  keywords: Type.Optional(Keywords),
  keywordsLocale: Locale,
  brandNames: FilterValues,
  classificationIds: FilterValues,
  includedData: Included,
  locale: Locale,
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  pageToken: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type SearchItemsQuery = Static<typeof SearchItemsQuery>

const Text = Type.Optional(Type.String())
const Texts = Type.Optional(Type.Array(Type.String()))
const Flag = Type.Optional(Type.Boolean())
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

const Measure = Type.Optional(Type.Object({ unit: Text, value: Type.Optional(Type.Number()) }))
const Dimensions = Type.Optional(Type.Object({ height: Measure, length: Measure, weight: Measure, width: Measure }))
const Identifier = Type.Object({ identifierType: Type.String(), identifier: Type.String() })
const Image = Type.Object({
  variant: Type.Enum(IMAGE_VARIANTS),
  link: Type.String(),
  height: Type.Integer(),
  width: Type.Integer(),
})
const Relationship = Type.Object({
  type: Type.Enum(RELATIONSHIP_TYPES),
  childAsins: Texts,
  parentAsins: Texts,
  variationTheme: Type.Optional(Type.Object({ theme: Text, attributes: Texts })),
})
const rankFields = { title: Type.String(), link: Text, rank: Type.Integer() }
const ClassificationRank = Type.Object({ classificationId: Type.String(), ...rankFields })
const DisplayGroupRank = Type.Object({ websiteDisplayGroup: Type.String(), ...rankFields })

const summaryFields = {
  itemName: Text,
  brand: Text,
  manufacturer: Text,
  modelNumber: Text,
  partNumber: Text,
  color: Text,
  size: Text,
  style: Text,
  itemClassification: Type.Optional(Type.Enum(ITEM_CLASSIFICATIONS)),
  packageQuantity: Type.Optional(Type.Integer()),
  releaseDate: Text,
  adultProduct: Flag,
  autographed: Flag,
  memorabilia: Flag,
  tradeInEligible: Flag,
  websiteDisplayGroup: Text,
  websiteDisplayGroupName: Text,
  browseClassification: Type.Optional(Classification),
}

export const Item = Type.Object({
  asin: Type.String(),
  attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  classifications: byMarketplace({ classifications: Type.Array(Classification) }),
  dimensions: byMarketplace({ item: Dimensions, package: Dimensions }),
  identifiers: byMarketplace({ identifiers: Type.Array(Identifier) }),
  images: byMarketplace({ images: Type.Array(Image) }),
  productTypes: byMarketplace({ productType: Type.String() }),
  relationships: byMarketplace({ relationships: Type.Array(Relationship) }),
  salesRanks: byMarketplace({
    classificationRanks: Type.Optional(Type.Array(ClassificationRank)),
    displayGroupRanks: Type.Optional(Type.Array(DisplayGroupRank)),
  }),
  summaries: byMarketplace(summaryFields),
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

export const ItemSearchResults = Type.Object({
  numberOfResults: NumberOfResults,
  pagination: Type.Object({ nextToken: Text, previousToken: Text }),
  refinements: Type.Optional(Refinements),
  items: Type.Array(Item),
})
export type ItemSearchResults = Static<typeof ItemSearchResults>
