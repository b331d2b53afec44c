import { type Static, Type } from 'typebox'
import { REQUIREMENTS } from '../../marketplace/product-types/index.ts'
import { MarketplaceId, QueryList, Sku } from '../../marketplace/schema.ts'
import { PATCH_OPERATIONS } from './domain/attributes.ts'
import { SEVERITIES } from './domain/issues.ts'
import { STATUSES } from './domain/listing.ts'

/** The data sets of an item. */
export const INCLUDED_DATA = [
  'summaries',
  'attributes',
  'issues',
  'offers',
  'fulfillmentAvailability',
  'procurement',
  'relationships',
  'productTypes',
] as const
export type IncludedData = (typeof INCLUDED_DATA)[number]

const IDENTIFIER_TYPES = ['ASIN', 'EAN', 'FNSKU', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'SKU', 'UPC'] as const

const DateTime = Type.String({ format: 'date-time' })
const Locale = Type.String({
  pattern: '^[a-z]{2}(_[A-Z]{2})?$',
  examples: ['de_DE'],
  description: 'Locale of issue messages: en_US or de_DE',
})
const ProductTypeName = Type.String({ minLength: 1, maxLength: 100 })
const Included = QueryList(Type.Enum(INCLUDED_DATA), { minItems: 1 })

export const SellerParams = Type.Object({ sellerId: Type.String() })
export const ItemParams = Type.Object({ sellerId: Type.String(), sku: Sku })

const MARKETPLACES = { minItems: 1, maxItems: 25 }
export const GetItemQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, MARKETPLACES),
  issueLocale: Type.Optional(Locale),
  includedData: Type.Optional(Included),
})
export type GetItemQuery = Static<typeof GetItemQuery>

const submissionQuery = {
  issueLocale: Type.Optional(Locale),
  includedData: Type.Optional(QueryList(Type.Enum(['identifiers', 'issues']), { minItems: 1 })),
  mode: Type.Optional(Type.Literal('VALIDATION_PREVIEW', { description: 'Validate without writing' })),
}
export const PatchItemQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, MARKETPLACES),
  ...submissionQuery,
})
export const PutItemQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 1 }),
  ...submissionQuery,
})
export type SubmissionQuery = Static<typeof PatchItemQuery>
export const DeleteItemQuery = Type.Object({
  marketplaceIds: QueryList(MarketplaceId, { minItems: 1, maxItems: 1 }),
  issueLocale: Type.Optional(Locale),
})

export const SearchItemsQuery = Type.Object({
  ...GetItemQuery.properties,
  identifiers: Type.Optional(QueryList(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 20 })),
  identifiersType: Type.Optional(Type.Enum(IDENTIFIER_TYPES)),
  variationParentSku: Type.Optional(Sku),
  packageHierarchySku: Type.Optional(Sku),
  createdAfter: Type.Optional(DateTime),
  createdBefore: Type.Optional(DateTime),
  lastUpdatedAfter: Type.Optional(DateTime),
  lastUpdatedBefore: Type.Optional(DateTime),
  withIssueSeverity: Type.Optional(QueryList(Type.Enum(['WARNING', 'ERROR']), { minItems: 1 })),
  withStatus: Type.Optional(QueryList(Type.Enum(STATUSES), { minItems: 1 })),
  withoutStatus: Type.Optional(QueryList(Type.Enum(STATUSES), { minItems: 1 })),
  sortBy: Type.Optional(Type.Enum(['sku', 'createdDate', 'lastUpdatedDate'])),
  sortOrder: Type.Optional(Type.Enum(['ASC', 'DESC'])),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  pageToken: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type SearchItemsQuery = Static<typeof SearchItemsQuery>

export const PutItemBody = Type.Object({
  productType: ProductTypeName,
  requirements: Type.Optional(Type.Enum(REQUIREMENTS)),
  attributes: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1000 }),
})
export type PutItemBody = Static<typeof PutItemBody>

export const PatchItemBody = Type.Object({
  productType: ProductTypeName,
  patches: Type.Array(
    Type.Object({
      op: Type.Enum(PATCH_OPERATIONS),
      path: Type.String({ maxLength: 300, description: '/attributes/ followed by the name of one attribute' }),
      value: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
    }),
    { minItems: 1, maxItems: 500 },
  ),
})
export type PatchItemBody = Static<typeof PatchItemBody>

const Issue = Type.Object({
  code: Type.String(),
  message: Type.String(),
  severity: Type.Enum(SEVERITIES),
  attributeNames: Type.Optional(Type.Array(Type.String())),
  categories: Type.Array(Type.String()),
  enforcements: Type.Optional(
    Type.Object({
      actions: Type.Array(Type.Object({ action: Type.String() })),
      exemption: Type.Object({ status: Type.String() }),
    }),
  ),
  marketplaceIds: Type.Optional(Type.Array(Type.String())),
})

export const SubmissionResponse = Type.Object({
  sku: Type.String(),
  status: Type.Enum(['ACCEPTED', 'INVALID', 'VALID']),
  submissionId: Type.String(),
  issues: Type.Optional(Type.Array(Issue)),
  identifiers: Type.Optional(
    Type.Array(Type.Object({ marketplaceId: Type.String(), asin: Type.Optional(Type.String()) })),
  ),
})
export type SubmissionResponse = Static<typeof SubmissionResponse>

export const Money = Type.Object({ currencyCode: Type.String(), amount: Type.String() })
const Summary = Type.Object({
  marketplaceId: Type.String(),
  asin: Type.Optional(Type.String()),
  productType: Type.String(),
  conditionType: Type.Optional(Type.String()),
  status: Type.Array(Type.Enum(STATUSES)),
  fnSku: Type.Optional(Type.String()),
  itemName: Type.Optional(Type.String()),
  createdDate: DateTime,
  lastUpdatedDate: DateTime,
  mainImage: Type.Optional(Type.Object({ link: Type.String(), height: Type.Integer(), width: Type.Integer() })),
})
const Relationship = Type.Object({
  type: Type.Enum(['VARIATION', 'PACKAGE_HIERARCHY']),
  childSkus: Type.Optional(Type.Array(Type.String())),
  parentSkus: Type.Optional(Type.Array(Type.String())),
  variationTheme: Type.Optional(Type.Object({ theme: Type.String(), attributes: Type.Array(Type.String()) })),
})

export const Item = Type.Object({
  sku: Type.String(),
  summaries: Type.Optional(Type.Array(Summary)),
  attributes: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Unknown()))),
  issues: Type.Optional(Type.Array(Issue)),
  offers: Type.Optional(
    Type.Array(
      Type.Object({
        marketplaceId: Type.String(),
        offerType: Type.Enum(['B2C', 'B2B']),
        price: Money,
        audience: Type.Object({ value: Type.String(), displayName: Type.String() }),
      }),
    ),
  ),
  fulfillmentAvailability: Type.Optional(
    Type.Array(Type.Object({ fulfillmentChannelCode: Type.String(), quantity: Type.Optional(Type.Integer()) })),
  ),
  procurement: Type.Optional(Type.Array(Type.Unknown())),
  relationships: Type.Optional(
    Type.Array(Type.Object({ marketplaceId: Type.String(), relationships: Type.Array(Relationship) })),
  ),
  productTypes: Type.Optional(Type.Array(Type.Object({ marketplaceId: Type.String(), productType: Type.String() }))),
})
export type Item = Static<typeof Item>

export const ItemSearchResults = Type.Object({
  numberOfResults: Type.Integer({ description: 'At most 1000' }),
  pagination: Type.Optional(
    Type.Object({ nextToken: Type.Optional(Type.String()), previousToken: Type.Optional(Type.String()) }),
  ),
  items: Type.Array(Item),
})
export type ItemSearchResults = Static<typeof ItemSearchResults>
