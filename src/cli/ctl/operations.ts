import { readFileSync } from 'node:fs'
import { packageFile } from '../../platform/package-files.ts'

export interface FieldSchema {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly FieldSchema[]
  items?: FieldSchema
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
  description?: string
  format?: string
}

/** A parameter of the path or the query, or a field of the body. */
export interface OperationField {
  name: string
  in: 'path' | 'query' | 'body'
  required: boolean
  schema: FieldSchema
}

export interface ControlOperation {
  operationId: string
  summary: string
  method: string
  path: string
  fields: OperationField[]
  /** Whether it takes a body, whatever its fields are. */
  takesBody: boolean
  /** Whether the body is a file, in YAML or JSON. */
  takesFile: boolean
  /** The content types of its responses, except errors. */
  produces: string[]
  /** Whether the response is a stream of events. */
  streams: boolean
}

interface DocumentedOperation {
  operationId: string
  summary: string
  parameters?: { name: string; in: 'path' | 'query'; required?: boolean; description?: string; schema: FieldSchema }[]
  requestBody?: { content: Record<string, { schema: FieldSchema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

/** The operations of the control plane, from its OpenAPI document, so that commands need no list of fields of their own. */
export function readControlOperations(): ControlOperation[] {
  const text = readFileSync(packageFile('openapi/control-plane.json'), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, DocumentedOperation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toControlOperation(method.toUpperCase(), path, operation)),
  )
}

function toControlOperation(method: string, path: string, operation: DocumentedOperation): ControlOperation {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const produces = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? Object.keys(content) : [],
  )
  const body = objectOf(requestBody?.content['application/json']?.schema)
  return {
    operationId,
    summary,
    method,
    path,
    takesBody: requestBody !== undefined,
    takesFile: requestBody?.content['application/yaml'] !== undefined,
    produces,
    streams: produces.includes('text/event-stream'),
    fields: [
      ...parameters.map(({ name, in: place, required = false, description, schema }) => ({
        name,
        in: place,
        required,
        schema: { ...schema, ...(description !== undefined && { description }) },
      })),
      ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'body' as const,
        required: body?.required?.includes(name) ?? false,
        schema,
      })),
    ],
  }
}

/** A body that may be absent is an object or null. */
const objectOf = (schema: FieldSchema | undefined): FieldSchema | undefined =>
  schema?.properties ? schema : schema?.anyOf?.find(({ properties }) => properties)
