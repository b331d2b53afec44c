import type { AttributeDefinition, FieldSchema, Group } from '../definition.ts'

// Builders for the schemas of built-in attributes.

type Fields = Record<string, FieldSchema>

export const text = (maxLength = 500): FieldSchema => ({ type: 'string', minLength: 1, maxLength })
export const choice = (...values: string[]): FieldSchema => ({ type: 'string', enum: values })
export const boolean = (): FieldSchema => ({ type: 'boolean' })
export const date = (): FieldSchema => ({ type: 'string', format: 'date' })
export const dateTime = (): FieldSchema => ({ type: 'string', format: 'date-time' })
export const number = (maximum = 1_000_000): FieldSchema => ({ type: 'number', minimum: 0, maximum })
export const integer = (minimum: number, maximum: number): FieldSchema => ({ type: 'integer', minimum, maximum })
/** Clients send either a number or text. */
export const textOrNumber = (): FieldSchema => ({ type: ['string', 'number'], maxLength: 500 })

export const object = (required: Fields, optional: Fields = {}): FieldSchema & { type: 'object' } => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
})

export const nonEmptyList = (items: FieldSchema, maxItems = 10): FieldSchema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems,
})

/** Builds `material: [{ value: 'leather' }]`. */
export const values = (field: FieldSchema): FieldSchema =>
  nonEmptyList(object({ value: field }, { language_tag: locale }))

const locale: FieldSchema = { type: 'string', maxLength: 20 }
const marketplaceId: FieldSchema = { type: 'string', maxLength: 20 }
// More entries than marketplaces and languages exist, and few enough to check each of them.
const MAX_COMBINATIONS = 50
const MAX_ENTRIES = 500

type Titles = [english: string, german: string]

interface AttributeOptions {
  /** Keys that distinguish entries, besides the marketplace. */
  selectors?: string[]
  /** Maximum number of entries with equal selectors. */
  maxUnique?: number
}

/** Builds an attribute whose entries have these fields and an optional marketplace. */
export function attribute(
  group: Group,
  [english, german]: Titles,
  { properties, ...entry }: FieldSchema & { type: 'object' },
  { selectors = [], maxUnique = 1 }: AttributeOptions = {},
): AttributeDefinition {
  return {
    titles: { en_US: english, de_DE: german },
    group,
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: Math.min(maxUnique * MAX_COMBINATIONS, MAX_ENTRIES),
      selectors: ['marketplace_id', ...selectors],
      maxUniqueItems: maxUnique,
      items: { ...entry, properties: { ...properties, marketplace_id: marketplaceId } },
    },
  }
}

/** Builds an attribute with one field that has no language. */
export const simple = (group: Group, titles: Titles, value: FieldSchema, options: AttributeOptions = {}) =>
  attribute(group, titles, object({ value }), options)

/** Builds an attribute with a text for each language. */
export function localizedText(
  group: Group,
  titles: Titles,
  { maxLength, maxUnique }: { maxLength?: number; maxUnique?: number } = {},
) {
  const entry = object({ value: text(maxLength) }, { language_tag: locale })
  return attribute(group, titles, entry, { selectors: ['language_tag'], ...(maxUnique && { maxUnique }) })
}

/** Builds a localized text as one of several fields. */
export const localized = (required: Fields, optional: Fields = {}) =>
  object(required, { ...optional, language_tag: locale })
