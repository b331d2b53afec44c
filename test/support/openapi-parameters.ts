export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minimum?: number
  items?: Schema
  minItems?: number
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Described {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  security?: Record<string, unknown>[]
}

/** An operation of the OpenAPI document, with the data needed to call it. */
export interface Operation {
  name: string
  method: string
  path: string
  /** Required credentials. */
  access: 'seller' | 'grantless' | 'operator' | 'public'
  /** Format of its errors. */
  kind: 'api' | 'oauth' | 'storage'
  parameters: Parameter[]
  body: Schema | undefined
}

/** A string parameter of a request. */
export interface ParameterLocation {
  name: string
  /** Whether its schema accepts any string. */
  isFree: boolean
  /** The request with this text, and valid samples elsewhere. */
  fill(value: string): { url: string; payload?: unknown }
}

type Samples = Record<string, unknown>

export function readOperations(document: { paths: Record<string, Record<string, Described>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, security = [] }]) => ({
      name: operationId,
      method: method.toUpperCase(),
      path,
      access: accessOf(path, security),
      kind: path === '/auth/o2/token' ? 'oauth' : path.startsWith('/documents/') ? 'storage' : 'api',
      parameters,
      body: requestBody?.content['application/json']?.schema,
    })),
  )
}

function accessOf(path: string, security: Record<string, unknown>[]): Operation['access'] {
  if (security.some((one) => 'operatorKey' in one)) return 'operator'
  if (!security.some((one) => 'accessToken' in one)) return 'public'
  return /\/destinations|testNotification$|^\/applications\//.test(path) ? 'grantless' : 'seller'
}

/** Every string parameter of an operation: in path, query and body. */
export function listLocations(operation: Operation, samples: Samples): ParameterLocation[] {
  const { parameters, body } = operation
  const payload = body && sample(body, '', samples)
  const inAddress = parameters
    .filter(({ in: part, schema }) => part === 'path' || isText(schema) || isText(schema.items ?? {}))
    .map((parameter) => ({
      name: `${parameter.in} ${parameter.name}`,
      isFree: isFree(parameter.schema.items ?? parameter.schema),
      fill: (value: string) => ({
        url: addressOf(operation, samples, { [parameter.name]: value }),
        ...(payload !== undefined && { payload }),
      }),
    }))
  const url = addressOf(operation, samples, {})
  const inBody = body ? textsOf(body) : []
  return [
    ...inAddress,
    ...inBody.map(({ fieldPath, isFree }) => ({
      name: `body ${fieldPath.join('.')}`,
      isFree,
      fill: (value: string) => ({ url, payload: withText(body as Schema, '', fieldPath, value, samples) }),
    })),
  ]
}

function addressOf({ path, parameters }: Operation, samples: Samples, given: Record<string, string>): string {
  const textAt = ({ name, schema }: Parameter) => given[name] ?? String(sample(schema, name, samples))
  const query = parameters
    .filter(({ name, in: part, required }) => part === 'query' && (required || name in given))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(textAt(parameter))}`)
  const filled = parameters
    .filter(({ in: part }) => part === 'path')
    .reduce((filled, one) => filled.replace(`{${one.name}}`, () => encodeURIComponent(textAt(one))), path)
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

const isText = ({ type, anyOf = [] }: Schema): boolean => type === 'string' || anyOf.some(isText)
const isFree = ({ enum: choices, const: only, format, pattern }: Schema) =>
  choices === undefined && only === undefined && format === undefined && pattern === undefined

/** `*` stands for a key that the caller chooses. */
function textsOf(schema: Schema, fieldPath: string[] = []): { fieldPath: string[]; isFree: boolean }[] {
  const [choice] = schema.anyOf ?? []
  if (choice) return textsOf(choice, fieldPath)
  if (schema.type === 'string') return [{ fieldPath, isFree: isFree(schema) }]
  if (schema.type === 'array' && schema.items) return textsOf(schema.items, [...fieldPath, '0'])
  const chosen = Object.values(schema.patternProperties ?? {}).map(() => ({
    fieldPath: [...fieldPath, '*'],
    isFree: true,
  }))
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => textsOf(one, [...fieldPath, name]))
  return [...named, ...chosen]
}

/** A value that satisfies the schema, without optional properties. */
export function sample(schema: Schema, name: string, samples: Samples): unknown {
  const [choice] = schema.anyOf ?? []
  if (choice) return sample(choice, name, samples)
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'array') return [sample(schema.items ?? {}, name.replace(/s$/, ''), samples)]
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((key) => [key, sample(properties[key] ?? {}, key, samples)]))
  }
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (schema.format === 'date-time') return '2026-05-01T00:00:00Z'
  return samples[name] ?? 'sample'
}

/** A sample with the text at the path. */
function withText(
  schema: Schema,
  name: string,
  fieldPath: readonly string[],
  value: string,
  samples: Samples,
): unknown {
  const [choice] = schema.anyOf ?? []
  if (choice) return withText(choice, name, fieldPath, value, samples)
  const [key, ...rest] = fieldPath
  if (key === undefined) return value
  if (key === '*') return { [value]: [{ value }] }
  if (schema.type === 'array') return [withText(schema.items ?? {}, name.replace(/s$/, ''), rest, value, samples)]
  const whole = sample(schema, name, samples) as Record<string, unknown>
  return { ...whole, [key]: withText(schema.properties?.[key] ?? {}, key, rest, value, samples) }
}
