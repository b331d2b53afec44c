/** Names by which every client of the interface knows the vocabulary. They are names only: nothing is at them. */
const PUBLIC_NAMES = 'https://schemas.amazon.com/selling-partners/definitions/product-types'
export const META_SCHEMA_ID = `${PUBLIC_NAMES}/meta-schema/v1`
const VOCABULARY_ID = `${PUBLIC_NAMES}/vocabulary/v1`

const DRAFT = 'https://json-schema.org/draft/2019-09'
const STANDARD_VOCABULARIES = ['core', 'applicator', 'validation', 'meta-data', 'format', 'content']

/** What the keywords of the product types' own vocabulary may say. */
export const vocabulary = {
  selectors: {
    description: 'The keys by which the entries of an array are told apart',
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 100 },
    maxItems: 20,
  },
  maxUniqueItems: {
    description: 'How many entries of an array may agree in all selectors',
    type: 'integer',
    minimum: 1,
  },
} as const

/** The schema of the schemas: JSON Schema 2019-09 and the vocabulary. */
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
