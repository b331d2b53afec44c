import type { ModelRequest } from './generate.ts'
import { type ModelOperation, type Parameter, resolve, type Schema } from './model.ts'

/** A request with one error, ready to be sent. */
export interface InvalidRequest {
  name: string
  request: ModelRequest
  /** Replaces the body as text. */
  text?: string
  contentType?: string
}

/** Requests that differ from a valid one in one point that the model forbids. */
export function listInvalidRequests(operation: ModelOperation, valid: ModelRequest): InvalidRequest[] {
  return [
    ...operation.parameters.flatMap((parameter) => invalidParameters(parameter, valid)),
    ...(operation.body ? invalidBodies(operation, operation.body.schema, valid) : []),
  ]
}

function invalidParameters(parameter: Parameter, valid: ModelRequest): InvalidRequest[] {
  const { name, in: place, isRequired } = parameter
  const { [name]: _, ...others } = valid[place]
  const missing =
    place !== 'path' && isRequired ? [{ name: `${name} missing`, request: { ...valid, [place]: others } }] : []
  return [
    ...missing,
    ...invalidValues(parameter).map(({ what, value }) => ({
      name: `${name} ${what}`,
      request: { ...valid, [place]: { ...valid[place], [name]: value } },
    })),
  ]
}

interface InvalidValue {
  what: string
  value: unknown
}

/** For text, where only its content can be wrong. */
function invalidValues(schema: Schema): InvalidValue[] {
  const { type, format, items = {}, minimum, maximum, maxItems } = schema
  if (schema.enum) return [{ what: 'not in the enumeration', value: 'NOT_IN_THE_MODEL' }]
  if (type === 'array') {
    const tooMany = Array.from({ length: (maxItems ?? 0) + 1 }, (_, index) => `${items.enum?.[0] ?? `X${index}`}`)
    return [
      ...(items.enum ? [{ what: 'with a value not in the enumeration', value: ['NOT_IN_THE_MODEL'] }] : []),
      ...(maxItems === undefined ? [] : [{ what: `with ${tooMany.length} values`, value: tooMany }]),
      ...(schema.minItems ? [{ what: 'empty', value: [] }] : []),
    ]
  }
  if (type === 'integer' || type === 'number') {
    return [
      { what: 'not a number', value: 'many' },
      ...(type === 'integer' ? [{ what: 'not an integer', value: '1.5' }] : []),
      ...(minimum === undefined ? [] : [{ what: 'below the minimum', value: minimum - 1 }]),
      ...(maximum === undefined ? [] : [{ what: 'above the maximum', value: maximum + 1 }]),
    ]
  }
  if (type === 'boolean') return [{ what: 'not a boolean', value: 'perhaps' }]
  return format === 'date-time' ? [{ what: 'not a time', value: 'yesterday' }] : []
}

function invalidBodies(operation: ModelOperation, schema: Schema, valid: ModelRequest): InvalidRequest[] {
  const text = JSON.stringify(valid.body)
  const whole: InvalidRequest[] = [
    { name: 'body not JSON', request: valid, text: text.slice(0, -1) },
    { name: 'body a list', request: valid, text: `[${text}]` },
    { name: 'body a string', request: valid, text: '"text"' },
    { name: 'body of another content type', request: valid, text, contentType: 'text/xml' },
    ...(operation.body?.isRequired ? [{ name: 'body missing', request: valid, text: '' }] : []),
  ]
  const parts = invalidParts(schema, valid.body, operation.definitions, 'body')
  return [...whole, ...parts.map(({ what, value }) => ({ name: what, request: { ...valid, body: value } }))]
}

/** Copies of a value with one error each, at any depth that the value has. */
function invalidParts(
  given: Schema,
  value: unknown,
  definitions: Record<string, Schema>,
  place: string,
): InvalidValue[] {
  const schema = resolve(given, definitions)
  if (schema.type === 'array') return invalidLists(schema, value as unknown[], definitions, place)
  if (schema.properties) return invalidObjects(schema, value as Record<string, unknown>, definitions, place)
  return []
}

function invalidLists(schema: Schema, list: unknown[], definitions: Record<string, Schema>, place: string) {
  const { items = {}, minItems, maxItems } = schema
  const [first, ...others] = list
  return [
    ...wrongElements(resolve(items, definitions), `${place}.0`).map(({ what, value }) => ({ what, value: [value] })),
    ...(minItems ? [{ what: `${place} empty`, value: [] }] : []),
    ...(maxItems ? [{ what: `${place} with ${maxItems + 1} values`, value: Array(maxItems + 1).fill(first) }] : []),
    ...invalidParts(items, first, definitions, `${place}.0`).map(({ what, value }) => ({
      what,
      value: [value, ...others],
    })),
  ]
}

function invalidObjects(
  { properties = {}, required = [] }: Schema,
  object: Record<string, unknown>,
  definitions: Record<string, Schema>,
  place: string,
): InvalidValue[] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const at = `${place}.${name}`
    const { [name]: own, ...others } = object
    const missing = required.includes(name) ? [{ what: `${at} missing`, value: others }] : []
    const wrong = [
      ...wrongElements(resolve(given, definitions), at),
      ...(own === undefined ? [] : invalidParts(given, own, definitions, at)),
    ]
    return [...missing, ...wrong.map(({ what, value }) => ({ what, value: { ...object, [name]: value } }))]
  })
}

/** Values of a wrong type or outside of the limits, whatever the valid value is. */
function wrongElements(schema: Schema, place: string): InvalidValue[] {
  const { type, format, minLength, maxLength, minimum, maximum, pattern } = schema
  const of = (what: string, value: unknown) => ({ what: `${place} ${what}`, value })
  if (schema.enum) return [of('not in the enumeration', 'NOT_IN_THE_MODEL'), of('a number', 5)]
  if (type === 'string') {
    return [
      of('a number', 5),
      of('an object', {}),
      ...(format === 'date-time' ? [of('not a time', 'yesterday')] : []),
      ...(minLength ? [of('too short', '')] : []),
      ...(maxLength ? [of('too long', 'x'.repeat(maxLength + 1))] : []),
      ...(pattern ? [of('that does not match the pattern', ' ')] : []),
    ]
  }
  if (type === 'array') return [of('a string', 'text'), of('an object', {})]
  if (type === 'boolean') return [of('a string', 'perhaps')]
  if (type === 'integer' || type === 'number') {
    return [
      of('a string', 'many'),
      ...(minimum === undefined ? [] : [of('below the minimum', minimum - 1)]),
      ...(maximum === undefined ? [] : [of('above the maximum', maximum + 1)]),
    ]
  }
  return type === 'object' || schema.properties ? [of('a string', 'text'), of('a list', [])] : []
}
