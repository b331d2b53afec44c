/** Identifiers of the vocabulary that clients know. They are not URLs of documents. */
const PUBLIC_NAMES = 'https://schemas.amazon.com/selling-partners/definitions/product-types'
export const META_SCHEMA_ID = `${PUBLIC_NAMES}/meta-schema/v1`
const VOCABULARY_ID = `${PUBLIC_NAMES}/vocabulary/v1`

const DRAFT = 'https://json-schema.org/draft/2019-09'
const STANDARD_VOCABULARIES = ['core', 'applicator', 'validation', 'meta-data', 'format', 'content']

/** Schemas of the keywords of the product types' own vocabulary. */
export const vocabulary = {
  selectors: {
    description: 'The keys that distinguish array entries',
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 100 },
    maxItems: 20,
  },
  maxUniqueItems: {
    description: 'The maximum number of array entries with equal selectors',
    type: 'integer',
    minimum: 1,
  },
} as const

/** The meta-schema: JSON Schema 2019-09 and the vocabulary. */
export const metaSchema = {
  $schema: `${DRAFT}/schema`,
  $id: META_SCHEMA_ID,
  $vocabulary: {
    ...Object.fromEntries(STANDARD_VOCABULARIES.map((name) => [`${DRAFT}/vocab/${name}`, name !== 'format'])),
    [VOCABULARY_ID]: false,
  },
  $recursiveAnchor: true,
  title: 'Schema of a product type',
  allOf: STANDARD_VOCABULARIES.map((name) => ({ $ref: `${DRAFT}/meta/${name}` })),
  properties: vocabulary,
}
