import type { AttributeDefinition, FieldSchema, Group } from '../definition.ts'

// Small words of which the built-in attributes are made.

type Fields = Record<string, FieldSchema>

export const text = (maxLength = 500): FieldSchema => ({ type: 'string', minLength: 1, maxLength })
export const choice = (...values: string[]): FieldSchema => ({ type: 'string', enum: values })
export const boolean = (): FieldSchema => ({ type: 'boolean' })
export const date = (): FieldSchema => ({ type: 'string', format: 'date' })
export const dateTime = (): FieldSchema => ({ type: 'string', format: 'date-time' })
export const number = (maximum = 1_000_000): FieldSchema => ({ type: 'number', minimum: 0, maximum })
export const integer = (minimum: number, maximum: number): FieldSchema => ({ type: 'integer', minimum, maximum })
/** What some write as a number and others as words. */
export const textOrNumber = (): FieldSchema => ({ type: ['string', 'number'], maxLength: 500 })

export const object = (required: Fields, optional: Fields = {}): FieldSchema & { type: 'object' } => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
})

/** A list inside of an entry. */
export const nonEmptyList = (items: FieldSchema, maxItems = 10): FieldSchema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems,
})

/** Such as `material: [{ value: 'leather' }]`. */
export const values = (field: FieldSchema): FieldSchema =>
  nonEmptyList(object({ value: field }, { language_tag: locale }))

const locale: FieldSchema = { type: 'string', maxLength: 20 }
const marketplaceId: FieldSchema = { type: 'string', maxLength: 20 }
// Far more marketplaces and languages than anyone sells in, and few enough to look at every entry.
const MAX_COMBINATIONS = 50
const MAX_ENTRIES = 500

type Titles = [english: string, german: string]

interface AttributeOptions {
  /** What tells entries apart besides the marketplace. */
  selectors?: string[]
  /** How many entries there may be that these do not tell apart. */
  most?: number
}

/** An attribute whose entries have these fields, and say of which marketplace they are if they need to. */
export function attribute(
  group: Group,
  [english, german]: Titles,
  { properties, ...entry }: FieldSchema & { type: 'object' },
  { selectors = [], most = 1 }: AttributeOptions = {},
): AttributeDefinition {
  return {
    titles: { en_US: english, de_DE: german },
    group,
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: Math.min(most * MAX_COMBINATIONS, MAX_ENTRIES),
      selectors: ['marketplace_id', ...selectors],
      maxUniqueItems: most,
      items: { ...entry, properties: { ...properties, marketplace_id: marketplaceId } },
    },
  }
}

/** An attribute of one field, the same in every language. */
export const simple = (group: Group, titles: Titles, value: FieldSchema, options: AttributeOptions = {}) =>
  attribute(group, titles, object({ value }), options)

/** An attribute that is written in words, so each language has its own. */
export function localizedText(
  group: Group,
  titles: Titles,
  { maxLength, most }: { maxLength?: number; most?: number } = {},
) {
  const entry = object({ value: text(maxLength) }, { language_tag: locale })
  return attribute(group, titles, entry, { selectors: ['language_tag'], ...(most && { most }) })
}

/** A field that is written in words beside others. */
export const localized = (required: Fields, optional: Fields = {}) =>
  object(required, { ...optional, language_tag: locale })
