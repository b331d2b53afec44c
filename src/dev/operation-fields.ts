import type { RouteOptions } from 'fastify'
import { PAGE_TOKENS, SUBJECT_OF_NAME } from './request-facts.ts'
import { SUBJECTS, type Subject } from './subjects.ts'

/** The operation whose requests have no token yet. */
export const TOKEN_OPERATION = 'createToken'

/** What is known about the callers of an operation. */
export type CallerField = 'sellerId' | 'applicationId' | 'clientId'

interface SchemaParts {
  properties?: Record<string, unknown>
  items?: unknown
  anyOf?: unknown[]
  allOf?: unknown[]
}

export interface OperationRoute extends Pick<RouteOptions, 'url'> {
  schema?: RouteOptions['schema'] | undefined
  config?: RouteOptions['config'] | undefined
}

/**
 * Finds fields of operations when they are needed, once for all marketplaces of the process, whose routes are equal:
 * the routes of each of many forks would stay in memory.
 */
export function createFieldIndex<Field>(find: (route: OperationRoute) => readonly Field[]) {
  const byName = new Map<string, () => readonly Field[]>()
  return (name: string, { url, schema, config }: OperationRoute): (() => readonly Field[]) => {
    const known = byName.get(name)
    if (known) return known
    let fields: readonly Field[] | undefined
    // Not the whole route, which holds its handlers.
    const list = () => (fields ??= find({ url, schema, config }))
    byName.set(name, list)
    return list
  }
}

/** Which callers an operation has. */
export function callerFieldsOf({ schema, config }: OperationRoute): CallerField[] {
  if (schema?.operationId === TOKEN_OPERATION) return ['clientId']
  const { access } = config ?? {}
  if (typeof access !== 'object') return []
  return access.seller ? ['sellerId', 'applicationId'] : ['applicationId']
}

/** Which ids the requests of an operation can have, as `subjectsIn` finds them. */
export function requestSubjectsOf({ url, schema = {} }: OperationRoute): Subject[] {
  const { params, querystring, body } = schema
  const inPath = [...url.matchAll(/:(\w+)|\*/g)].map(([all, name]) => name ?? all)
  const found = new Set([...inPath, ...namesIn(params), ...namesIn(querystring), ...namesIn(body)].flatMap(subjectsOf))
  return SUBJECTS.filter((subject) => found.has(subject))
}

/** The same, and those of the things that it creates. */
export function loggedSubjectsOf(route: OperationRoute): Subject[] {
  const responses = Object.entries((route.schema?.response ?? {}) as Record<string, unknown>)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => [...namesIn(response), ...namesIn(partsOf(response).properties?.payload)])
  const found = new Set([...requestSubjectsOf(route), ...responses.flatMap(subjectsOf)])
  return SUBJECTS.filter((subject) => found.has(subject))
}

export const hasPages = ({ schema = {} }: OperationRoute): boolean =>
  namesIn(schema.querystring).some((name) => PAGE_TOKENS.includes(name))

/** The fields of a schema, and those of the requests of a batch. */
function namesIn(schema: unknown): string[] {
  const { properties = {}, anyOf = [], allOf = [] } = partsOf(schema)
  const batch = partsOf(properties.requests).items
  return [...Object.keys(properties), ...(batch ? namesIn(batch) : []), ...[...anyOf, ...allOf].flatMap(namesIn)]
}

const partsOf = (schema: unknown): SchemaParts =>
  typeof schema === 'object' && schema !== null ? (schema as SchemaParts) : {}

/** A path of a batch and identifiers of a search are SKUs or ASINs, and the rest of a path is a document. */
function subjectsOf(name: string): Subject[] {
  if (name === 'identifiers' || name === 'uri') return ['sku', 'asin']
  if (name === '*') return ['documentId']
  const subject = SUBJECT_OF_NAME[name.toLowerCase()]
  return subject ? [subject] : []
}
