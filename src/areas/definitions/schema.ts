import { type Static, Type } from 'typebox'
import { PARENTAGE_LEVELS, REQUIREMENTS } from '../../marketplace/product-types/index.ts'
import { MarketplaceId, QueryList, SellerId } from '../../marketplace/schema.ts'

const Locale = Type.String({
  pattern: '^(DEFAULT|[a-z]{2}(_[A-Z]{2})?)$',
  examples: ['de_DE'],
  description: "Default: the marketplace's locale. Falls back to the closest available locale",
})
const RequirementsName = Type.Enum(REQUIREMENTS, {
  default: 'LISTING',
  description: 'The product with its sale terms, or one of the two',
})
const RequirementsEnforced = Type.Enum(['ENFORCED', 'NOT_ENFORCED'], {
  default: 'ENFORCED',
  description: 'Whether the schema enforces required attributes',
})
const ParentageLevelName = Type.Enum(PARENTAGE_LEVELS, {
  description: 'Restricts the schema to one parentage level',
})
const ProductTypeName = Type.String({ minLength: 1, maxLength: 100 })

export const SearchQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 25 }),
  keywords: Type.Optional(QueryList(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 20 })),
  itemName: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Product title to match' })),
  locale: Type.Optional(Locale),
  searchLocale: Type.Optional(Locale),
})
export type SearchQuery = Static<typeof SearchQuery>

export const ProductTypeList = Type.Object({
  productTypes: Type.Array(
    Type.Object({ name: Type.String(), displayName: Type.String(), marketplaceIds: Type.Array(Type.String()) }),
  ),
  productTypeVersion: Type.String({ description: 'Changes with any of the product types' }),
})
export type ProductTypeList = Static<typeof ProductTypeList>

export const ProductTypeParams = Type.Object({ productType: ProductTypeName })

export const DefinitionQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 1 }),
  sellerId: Type.Optional(SellerId),
  productTypeVersion: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'LATEST, RELEASE_CANDIDATE or the id of a version' }),
  ),
  requirements: Type.Optional(RequirementsName),
  requirementsEnforced: Type.Optional(RequirementsEnforced),
  locale: Type.Optional(Locale),
  parentageLevel: Type.Optional(ParentageLevelName),
})
export type DefinitionQuery = Static<typeof DefinitionQuery>

const SchemaLink = Type.Object({
  link: Type.Object({ resource: Type.String(), verb: Type.Literal('GET') }),
  checksum: Type.String({ description: 'Base64-encoded MD5 checksum' }),
})
const PropertyGroup = Type.Object({
  title: Type.String(),
  description: Type.String(),
  propertyNames: Type.Array(Type.String()),
})

export const Definition = Type.Object({
  metaSchema: SchemaLink,
  schema: SchemaLink,
  requirements: RequirementsName,
  requirementsEnforced: RequirementsEnforced,
  propertyGroups: Type.Record(Type.String(), PropertyGroup),
  locale: Type.String({ description: 'Locale of the texts' }),
  marketplaceIds: Type.Array(Type.String()),
  productType: Type.String(),
  displayName: Type.String(),
  productTypeVersion: Type.Object({
    version: Type.String(),
    latest: Type.Boolean(),
    releaseCandidate: Type.Boolean(),
  }),
})
export type Definition = Static<typeof Definition>

export const SchemaParams = Type.Object({ productType: ProductTypeName, version: Type.String() })
export type SchemaParams = Static<typeof SchemaParams>

export const SchemaQuery = Type.Object({
  requirements: RequirementsName,
  requirementsEnforced: RequirementsEnforced,
  locale: Locale,
  parentageLevel: Type.Optional(ParentageLevelName),
})
export type SchemaQuery = Static<typeof SchemaQuery>

export const JsonSchema = Type.Object({}, { description: 'A JSON Schema 2019-09 document' })
