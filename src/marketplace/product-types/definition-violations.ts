import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FieldSchema, ProductTypeDefinition } from './definition.ts'
import { vocabulary } from './meta-schema.ts'
import { toFieldPath } from './violations.ts'

export interface DefinitionViolation {
  /** Where in the definition: `attributes.color.schema.items`. */
  path: string
  reason: string
}

const MAX_DEFINITION_CHARACTERS = 500_000
const MAX_SCHEMA_LEVELS = 10

const TYPES = ['array', 'object', 'string', 'number', 'integer', 'boolean', 'null']
const count = { type: 'integer', minimum: 0 }
const text = { type: 'string', maxLength: 2000 }
const field = { $ref: '#/definitions/field' }

/**
 * All that the schema of an attribute may say. It leaves out what could harm others or never end: `$ref` leads to
 * addresses and around in circles, and a `pattern` can hold up the service for hours.
 */
const attributeSchemaRules = {
  definitions: {
    field: {
      type: 'object',
      properties: {
        title: text,
        description: text,
        type: {
          if: { type: 'array' },
          // biome-ignore lint/suspicious/noThenProperty: this is JSON Schema's word
          then: { items: { enum: TYPES }, minItems: 1, uniqueItems: true },
          else: { enum: TYPES },
        },
        enum: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] }, minItems: 1, maxItems: 5000 },
        minimum: { type: 'number' },
        maximum: { type: 'number' },
        exclusiveMinimum: { type: 'number' },
        exclusiveMaximum: { type: 'number' },
        minLength: count,
        maxLength: count,
        format: { enum: ['date', 'date-time'] },
        items: field,
        minItems: count,
        maxItems: count,
        properties: {
          type: 'object',
          propertyNames: { pattern: '^(?!constructor$)[a-z][a-z0-9_]{0,99}$' },
          additionalProperties: field,
        },
        required: { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 1000 },
        additionalProperties: { type: 'boolean' },
        ...vocabulary,
      },
      required: ['type'],
      additionalProperties: false,
    },
  },
  allOf: [field],
  properties: {
    type: { const: 'array' },
    items: { properties: { type: { const: 'object' } } },
  },
  required: ['items'],
}

let rules: ValidateFunction | undefined

/** The first thing in a definition that keeps it from working. */
export function findDefinitionViolation(definition: ProductTypeDefinition): DefinitionViolation | undefined {
  if (JSON.stringify(definition).length > MAX_DEFINITION_CHARACTERS) {
    return { path: '', reason: `has more than ${MAX_DEFINITION_CHARACTERS} characters` }
  }
  for (const [name, { schema }] of Object.entries(definition.attributes)) {
    const fault = findSchemaViolation(schema)
    if (fault) return { path: `attributes.${name}.schema${fault.path}`, reason: fault.reason }
  }
  return findRequiredViolation(definition)
}

function findSchemaViolation(schema: unknown): DefinitionViolation | undefined {
  rules ??= new Ajv({ strict: false }).compile(attributeSchemaRules)
  if (!rules(schema)) return toDefinitionViolation(rules.errors?.[0])
  if (depthOf(schema as FieldSchema) > MAX_SCHEMA_LEVELS) {
    return { path: '', reason: `is nested more than ${MAX_SCHEMA_LEVELS} levels deep` }
  }
  return undefined
}

const depthOf = ({ items, properties = {} }: FieldSchema): number =>
  1 + Math.max(0, ...[...(items ? [items] : []), ...Object.values(properties)].map(depthOf))

function toDefinitionViolation(error: ErrorObject | undefined): DefinitionViolation {
  const place = toFieldPath(error?.instancePath ?? '')
  if (error?.propertyName !== undefined) {
    return { path: `${place}.${error.propertyName}`, reason: 'is not a name of small letters, digits and underscores' }
  }
  if (error?.keyword === 'additionalProperties') {
    const reason = 'is not a keyword that the schema of an attribute may have'
    return { path: `${place}.${error.params.additionalProperty}`, reason }
  }
  if (error?.keyword === 'required') return { path: `${place}.${error.params.missingProperty}`, reason: 'is required' }
  if (error?.keyword === 'enum')
    return { path: place, reason: `must be one of ${error.params.allowedValues.join(', ')}` }
  if (error?.keyword === 'const') return { path: place, reason: `must be ${error.params.allowedValue}` }
  return { path: place, reason: error?.message ?? 'is not valid' }
}

function findRequiredViolation({ attributes, required = {} }: ProductTypeDefinition): DefinitionViolation | undefined {
  for (const [set, names] of Object.entries(required)) {
    for (const [index, name] of names.entries()) {
      const place = `required.${set}[${index}]`
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      if (!attribute) return { path: place, reason: 'names no attribute of the type' }
      const isOffer = attribute.group === 'offer'
      if (isOffer && set !== 'offer')
        return { path: place, reason: 'belongs to the terms of sale: required.offer names those' }
      if (!isOffer && set === 'offer') return { path: place, reason: 'does not belong to the terms of sale' }
    }
  }
  return undefined
}
