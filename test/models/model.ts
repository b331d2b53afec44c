import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A schema of Swagger 2.0. Parameters other than bodies have the same keywords themselves. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  pattern?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  allOf?: readonly Schema[]
}

export interface Parameter extends Schema {
  name: string
  in: 'path' | 'query' | 'header'
  isRequired: boolean
}

/** A request and response that the live service's static sandbox documents. */
export interface Example {
  /** Unique within its operation: `200`, `200 #2`. */
  name: string
  status: number
  /** The body is under the name `body`. */
  parameters: Record<string, unknown>
  response: unknown
}

export interface ModelOperation {
  /** The file of the model, without its extension. */
  model: string
  name: string
  method: string
  path: string
  parameters: readonly Parameter[]
  body: { schema: Schema; isRequired: boolean } | undefined
  /** By status; undefined for a response without a body. */
  responses: ReadonlyMap<number, Schema | undefined>
  examples: readonly Example[]
  /** The documented usage plan. */
  quota: { perSecond: number; burst: number } | undefined
  definitions: Record<string, Schema>
}

interface RawParameter extends Schema {
  name: string
  in: string
  required?: never
  schema?: Schema
}

interface RawExample {
  request?: { parameters?: Record<string, { value?: unknown }> }
  response?: unknown
}

interface RawOperation {
  operationId: string
  description?: string
  parameters?: RawParameter[]
  responses: Record<string, { schema?: Schema; 'x-amzn-api-sandbox'?: { static?: RawExample[] } }>
}

interface RawModel {
  swagger?: string
  paths?: Record<string, Record<string, unknown>>
  definitions?: Record<string, Schema>
}

/** The models are not part of the project; they may lie next to a checkout. */
export const modelsBesideCheckout = fileURLToPath(new URL('../../../shared/models/', import.meta.url))

const METHODS = ['get', 'put', 'post', 'patch', 'delete']
const USAGE_PLAN = /\|\s*([\d.]+)\s*\|\s*([\d.]+)\s*\|/

/** All operations of the Swagger 2.0 models in a folder and its subfolders. */
export function readModels(folder: string): ModelOperation[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
  return files.flatMap((file) => {
    const model: RawModel = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return model.swagger === '2.0' ? readOperations(basename(file, '.json'), model) : []
  })
}

function readOperations(file: string, { paths = {}, definitions = {} }: RawModel): ModelOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, raw]) => {
        const operation = raw as RawOperation
        const parameters = operation.parameters ?? []
        const body = parameters.find((parameter) => parameter.in === 'body')
        const [, perSecond, burst] = USAGE_PLAN.exec(operation.description ?? '') ?? []
        return {
          model: file,
          name: operation.operationId,
          method: method.toUpperCase(),
          path,
          parameters: parameters.filter((parameter) => parameter.in !== 'body').map(readParameter),
          body: body?.schema && { schema: body.schema, isRequired: Boolean(body.required) },
          responses: new Map(
            Object.entries(operation.responses).map(([status, { schema }]) => [Number(status), schema]),
          ),
          examples: readExamples(operation, body?.name),
          quota: perSecond ? { perSecond: Number(perSecond), burst: Number(burst) } : undefined,
          definitions,
        }
      }),
  )
}

function readParameter({ required, in: place, ...rest }: RawParameter): Parameter {
  return { ...rest, in: place as Parameter['in'], isRequired: Boolean(required) }
}

function readExamples({ responses }: RawOperation, bodyName: string | undefined): Example[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    (response['x-amzn-api-sandbox']?.static ?? []).map(({ request, response: body }, index) => {
      const given = Object.entries(request?.parameters ?? {}).filter(([, { value }]) => value !== undefined)
      return {
        name: index === 0 ? status : `${status} #${index + 1}`,
        status: Number(status),
        parameters: Object.fromEntries(given.map(([name, { value }]) => [name === bodyName ? 'body' : name, value])),
        response: body,
      }
    }),
  )
}

/** Follows a reference, and merges the parts of an `allOf`. */
export function resolve(schema: Schema, definitions: Record<string, Schema>): Schema {
  if (schema.$ref) return resolve(definitions[schema.$ref.replace('#/definitions/', '')] ?? {}, definitions)
  if (!schema.allOf) return schema
  const parts = schema.allOf.map((part) => resolve(part, definitions))
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part.properties), schema.properties),
    required: [...parts.flatMap((part) => part.required ?? []), ...(schema.required ?? [])],
  }
}

/** `/a/{x}/b` and `/a/{y}/b` are the same path. */
export const normalizePath = (path: string) => path.replace(/\{[^}]*\}/g, '{}')

/** The name, with the model if several have an operation of this name, as two versions have `getOrder`. */
export function labelOf({ name, model }: ModelOperation, all: readonly ModelOperation[]): string {
  return all.filter((one) => one.name === name).length > 1 ? `${name} (${model})` : name
}
