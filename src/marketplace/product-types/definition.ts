import { type Static, Type } from 'typebox'
import { Name, strict } from '../schema.ts'

export const REQUIREMENTS = ['LISTING', 'LISTING_PRODUCT_ONLY', 'LISTING_OFFER_ONLY'] as const
/** What a seller lists: a product with the terms of its sale, or one of the two. */
export type Requirements = (typeof REQUIREMENTS)[number]

export const PARENTAGE_LEVELS = ['NONE', 'CHILD', 'PARENT'] as const
/** Where a listing stands among variations: a parent holds children together and is not for sale itself. */
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
/** What an attribute is about. Those of `offer` are terms of sale; all others are facts about the product. */
export type Group = (typeof GROUPS)[number]

export type JsonType = 'array' | 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** The part of JSON Schema 2019-09 that a definition may use, and two keywords of the product types' own vocabulary. */
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
  /** The keys by which entries of an array are told apart. */
  selectors?: string[]
  /** How many entries may agree in all selectors. */
  maxUniqueItems?: number
}

/** The value of an attribute: always entries, each an object. */
export type AttributeSchema = FieldSchema & { type: 'array'; items: FieldSchema & { type: 'object' } }

const Locale = Type.String({ pattern: '^[a-z]{2}_[A-Z]{2}$', examples: ['de_DE'] })
const Texts = Type.Record(Locale, Name, { ...strict, minProperties: 1, description: 'By locale' })
const AttributeName = Type.String({ pattern: '^(?!constructor$)[a-z][a-z0-9_]{0,99}$' })
const AttributeNames = Type.Array(AttributeName, { maxItems: 1000 })

const AttributeDefinition = Type.Object(
  {
    titles: Texts,
    group: Type.Enum(GROUPS, { description: 'What is in offer belongs to the terms of sale, all else to the product' }),
    schema: Type.Unsafe<AttributeSchema>(
      Type.Object({}, { description: 'JSON Schema of the value, as far as docs/product-types.md describes it' }),
    ),
  },
  strict,
)
export type AttributeDefinition = Static<typeof AttributeDefinition>

/** A product type as it is written down: by the operator, or in `built-in/`. Everything else is made from this. */
export const ProductTypeDefinition = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$', examples: ['SHOES'] }),
    displayNames: Texts,
    searchTerms: Type.Optional(
      Type.Record(Locale, Type.Array(Name, { maxItems: 100 }), {
        ...strict,
        description: 'Words by which it is found besides its names, by locale',
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
            'The attributes that the product needs, that the terms of sale need, and that a child or a parent of ' +
            'variations needs besides',
        },
      ),
    ),
  },
  strict,
)
export type ProductTypeDefinition = Static<typeof ProductTypeDefinition>
