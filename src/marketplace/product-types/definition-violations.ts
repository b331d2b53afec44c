import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { describeReason } from '../../platform/violation-reason.ts'
import type { FieldSchema, ProductTypeDefinition } from './definition.ts'
import { vocabulary } from './meta-schema.ts'
import { toFieldPath } from './violations.ts'

export interface DefinitionViolation {
  /** Path in the definition: `attributes.color.schema.items`. */
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
 * The keywords allowed in the schema of an attribute. Unsafe keywords are excluded: `$ref` can point to URLs or form
 * cycles, and a `pattern` can block the service for hours.
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
          // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
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

/** Returns the first violation in a definition, or undefined. */
export function findDefinitionViolation(definition: ProductTypeDefinition): DefinitionViolation | undefined {
  if (JSON.stringify(definition).length > MAX_DEFINITION_CHARACTERS) {
    return { path: '', reason: `has more than ${MAX_DEFINITION_CHARACTERS} characters` }
  }
  for (const [name, { schema }] of Object.entries(definition.attributes)) {
    const violation = findSchemaViolation(schema)
    if (violation) return { path: `attributes.${name}.schema${violation.path}`, reason: violation.reason }
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
  const path = toFieldPath(error?.instancePath ?? '')
  if (error?.propertyName !== undefined) {
    return {
      path: `${path}.${error.propertyName}`,
      reason: 'is not a valid name: use lower-case letters, digits and underscores',
    }
  }
  if (error?.keyword === 'additionalProperties') {
    const reason = 'is not a keyword that the schema of an attribute may have'
    return { path: `${path}.${error.params.additionalProperty}`, reason }
  }
  const missing = error?.keyword === 'required' ? `.${error.params.missingProperty}` : ''
  return { path: `${path}${missing}`, reason: describeReason(error) }
}

function findRequiredViolation({ attributes, required = {} }: ProductTypeDefinition): DefinitionViolation | undefined {
  for (const [set, names] of Object.entries(required)) {
    for (const [index, name] of names.entries()) {
      const path = `required.${set}[${index}]`
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      if (!attribute) return { path, reason: 'is not an attribute of the type' }
      const isOffer = attribute.group === 'offer'
      if (isOffer && set !== 'offer')
        return { path, reason: 'belongs to the terms of sale, so it has to be in required.offer' }
      if (!isOffer && set === 'offer') return { path, reason: 'does not belong to the terms of sale' }
    }
  }
  return undefined
}
