import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors/api-error.ts'
import { neverPasses } from '../platform/errors/explanation.ts'
import { pathOf } from './authentication.ts'
import { findNearestPath, segmentsOf } from './nearest-path.ts'
import { CONTROL_PLANE, CONTROL_PLANE_DOCUMENT } from './openapi.ts'
import type { Plan } from './registration.ts'
import { namedPath } from './route.ts'
import { findUnserved } from './unserved-operations.ts'

const MAX_QUOTED_PATH_LENGTH = 200
const CONTROL_PLANE_LINK = `See ${CONTROL_PLANE_DOCUMENT} for the operations of the control plane.`
const COVERAGE_LINK = 'See /docs/coverage for the supported operations.'

/** Returns the handler of requests without a route, which suggests the right one. */
export function createNotFound({ routes, docsVersion }: Pick<Plan, 'routes' | 'docsVersion'>) {
  const hint = docsVersion === undefined ? '' : COVERAGE_LINK
  let index: ReturnType<typeof indexRoutes> | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    index ??= indexRoutes(routes)
    const { known, paths } = index
    const path = pathOf(request)
    const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (isForQueue(request)) throw notAQueue()
    if (allowed.length === 0) throw notFound(request.method, path, paths, hint)
    reply.header('allow', allowed.join(', '))
    throw wrongMethod(path, request.method, allowed)
  }
}

// Apart from the handler: the log keeps the explanation, which must not keep the request and its connection.
const wrongMethod = (path: string, method: string, allowed: readonly string[]) =>
  new ApiError('MethodNotAllowed', `${path} takes ${allowed.join(' or ')}, not ${method}.`, '', {
    explain: () => ({
      rule: 'A path takes the methods of its operations.',
      facts: { path, method, allowed },
      change: { method: allowed[0] as string },
    }),
  })

function indexRoutes(routes: Plan['routes']) {
  const known: { pattern: RegExp; method: string }[] = []
  const paths = new Map<string, readonly string[]>()
  for (const { url, method, schema, config } of routes) {
    if (config?.fallback) continue
    const pattern = patternOf(url)
    for (const one of [method].flat()) known.push({ pattern, method: one })
    if (!schema?.operationId || schema.hide) continue
    const path = namedPath(url, schema).replace(/:(\w+)/g, '{$1}')
    paths.set(path, segmentsOf(path))
  }
  return { known, paths }
}

function notFound(method: string, path: string, known: ReadonlyMap<string, readonly string[]>, hint: string): ApiError {
  const unserved = findUnserved(method, path)
  if (unserved) {
    const { api, name } = unserved
    const what = name ? `the operation ${name} of the ${api} API` : `the ${api} API`
    return new ApiError('NotFound', `Souk does not implement ${what}.`, hint, {
      explain: () => ({
        rule: 'Souk implements a part of the API.',
        facts: { api, operation: name ?? null },
        noNearest: 'Souk serves no operation like it: use another one, or the live service.',
      }),
    })
  }
  const nearest = findNearestPath(path, known)
  const document = path.startsWith(CONTROL_PLANE) && known.has(CONTROL_PLANE_DOCUMENT)
  const details = nearest ? `Did you mean ${nearest}?` : document ? CONTROL_PLANE_LINK : ''
  const quoted = path.length > MAX_QUOTED_PATH_LENGTH ? `${path.slice(0, MAX_QUOTED_PATH_LENGTH)}...` : path
  return new ApiError('NotFound', `No operation at ${quoted}.`, details, {
    reason: details || hint,
    explain: () => ({
      rule: 'The path must be that of an operation.',
      facts: { path: quoted, nearestOperation: nearest ?? null },
      ...(nearest
        ? { change: { path: fillIn(nearest, path) } }
        : { noNearest: 'No operation has a path like it: /docs/coverage lists those that exist.' }),
    }),
  })
}

/** The nearest path with the values that the given one has in the places of its parameters. */
function fillIn(nearest: string, path: string): string {
  const given = segmentsOf(path)
  const wanted = segmentsOf(nearest)
  // Where a segment is missing, the one in the place of a parameter may be that which follows it.
  const isValue = (index: number) => given[index] !== undefined && given[index] !== wanted[index + 1]
  return `/${wanted.map((segment, index) => (segment.startsWith('{') && isValue(index) ? given[index] : segment)).join('/')}`
}

/** A client of SQS names its operation in a header. */
const isForQueue = ({ headers }: FastifyRequest) => String(headers['x-amz-target'] ?? '').startsWith('AmazonSQS.')

const notAQueue = () =>
  new ApiError(
    'NotFound',
    'This is the Selling Partner API, not a queue service.',
    'The local queue of souk dev listens on another port; souk dev prints it at start.',
    { explain: neverPasses('Send it to the port of the local queue, which souk dev prints at start.') },
  )

function patternOf(url: string): RegExp {
  const text = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${text.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}
