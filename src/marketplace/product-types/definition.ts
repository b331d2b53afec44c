import { type Static, Type } from 'typebox'
import { Name, strict } from '../schema.ts'

export const REQUIREMENTS = ['LISTING', 'LISTING_PRODUCT_ONLY', 'LISTING_OFFER_ONLY'] as const
/** The parts of a listing: the product, its terms of sale or both. */
export type Requirements = (typeof REQUIREMENTS)[number]

export const PARENTAGE_LEVELS = ['NONE', 'CHILD', 'PARENT'] as const
/** The role of a listing among variations. A parent groups its children and is not for sale. */
export type ParentageLevel = (typeof PARENTAGE_LEVELS)[number]

export const GROUPS = [
  'product_identity',
  'variations',
  'offer',
  'images',
  'product_details',
  'shipping',
  'safety_and_compliance',
] as const
/** Attributes of `offer` are terms of sale. All others describe the product. */
export type Group = (typeof GROUPS)[number]

export type JsonType = 'array' | 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** The supported subset of JSON Schema 2019-09, and two keywords of our own vocabulary. */
export interface FieldSchema {
  type: JsonType | JsonType[]
  title?: string
  description?: string
  enum?: (string | number | boolean | null)[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  format?: 'date' | 'date-time'
  items?: FieldSchema
  minItems?: number
  maxItems?: number
  properties?: Record<string, FieldSchema>
  required?: string[]
  additionalProperties?: boolean
  /** The keys that distinguish entries of an array. */
  selectors?: string[]
  /** Maximum number of entries with equal selectors. */
  maxUniqueItems?: number
}

/** An attribute value is always an array of objects. */
export type AttributeSchema = FieldSchema & { type: 'array'; items: FieldSchema & { type: 'object' } }

const Locale = Type.String({ pattern: '^[a-z]{2}_[A-Z]{2}$', examples: ['de_DE'] })
const Texts = Type.Record(Locale, Name, { ...strict, minProperties: 1, description: 'By locale' })
const AttributeName = Type.String({ pattern: '^(?!constructor$)[a-z][a-z0-9_]{0,99}$' })
const AttributeNames = Type.Array(AttributeName, { maxItems: 1000 })

const AttributeDefinition = Type.Object(
  {
    titles: Texts,
    group: Type.Enum(GROUPS, { description: 'Attributes in offer are terms of sale. All others describe the product' }),
    schema: Type.Unsafe<AttributeSchema>(
      Type.Object(
        {},
        { description: 'JSON Schema of the value. [Product types](/docs/product-types) lists the supported keywords' },
      ),
    ),
  },
  strict,
)
export type AttributeDefinition = Static<typeof AttributeDefinition>

/** A product type as written by the operator or in `built-in/`. Everything else derives from it. */
export const ProductTypeDefinition = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$', examples: ['SHOES'] }),
    displayNames: Texts,
    searchTerms: Type.Optional(
      Type.Record(Locale, Type.Array(Name, { maxItems: 100 }), {
        ...strict,
        description: 'Search keywords besides the names, by locale',
      }),
    ),
    attributes: Type.Record(AttributeName, AttributeDefinition, { ...strict, minProperties: 1, maxProperties: 1000 }),
    required: Type.Optional(
      Type.Object(
        {
          product: Type.Optional(AttributeNames),
          offer: Type.Optional(AttributeNames),
          child: Type.Optional(AttributeNames),
          parent: Type.Optional(AttributeNames),
        },
        {
          ...strict,
          description:
            'Required attributes of the product and of the terms of sale, and additional ones of variation children ' +
            'and parents',
        },
      ),
    ),
  },
  strict,
)
export type ProductTypeDefinition = Static<typeof ProductTypeDefinition>
