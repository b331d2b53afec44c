import { DATA_ELEMENTS, type RestrictedResource } from '../../platform/auth/caller.ts'
import { invalidInput, invalidParameter } from '../../platform/errors/api-error.ts'
import { withFields } from '../../platform/errors/explanation.ts'
import { rankSimilar } from '../../platform/similar-words.ts'
import type { RestrictedDataTokenRequest } from './schema.ts'

interface RestrictedOperation {
  path: string
  /** The caller states which personal data it needs. */
  needsDataElements?: true
}

/**
 * The operations that return personal data of buyers, all of them GET. A restricted data token is valid for these
 * only.
 */
export const RESTRICTED_OPERATIONS: readonly RestrictedOperation[] = [
  { path: '/reports/2021-06-30/documents/{reportDocumentId}' },
  { path: '/orders/v0/orders', needsDataElements: true },
  { path: '/orders/v0/orders/{orderId}', needsDataElements: true },
  { path: '/orders/v0/orders/{orderId}/orderItems', needsDataElements: true },
  { path: '/orders/v0/orders/{orderId}/orderItems/buyerInfo' },
  { path: '/orders/v0/orders/{orderId}/address' },
  { path: '/orders/v0/orders/{orderId}/buyerInfo' },
  { path: '/orders/v0/orders/{orderId}/regulatedInfo' },
]

type RequestedResource = RestrictedDataTokenRequest['restrictedResources'][number]

/** Throws unless the resource is one of a restricted operation. */
export function parseResource(
  { method, path, dataElements = [] }: RequestedResource,
  index: number,
): RestrictedResource {
  const fieldPath = `restrictedResources[${index}]`
  for (const operation of method === 'GET' ? RESTRICTED_OPERATIONS : []) {
    const parameters = matchPath(operation.path, path)
    if (!parameters) continue
    if (operation.needsDataElements && dataElements.length === 0) {
      const place = `${fieldPath}.dataElements`
      const explain = withFields({ [place]: DATA_ELEMENTS })
      throw invalidParameter(place, `must list the personal data that ${path} returns`, explain)
    }
    return {
      method,
      path: operation.path,
      ...(Object.keys(parameters).length > 0 && { parameters }),
      // Clients send the same elements for all resources, so those that have no effect are ignored.
      ...(operation.needsDataElements && { dataElements: [...new Set(dataElements)] }),
    }
  }
  const known = RESTRICTED_OPERATIONS.map((operation) => `GET ${operation.path}`).join(', ')
  throw invalidInput(
    `${fieldPath}.path`,
    `${method} ${path} is not a restricted operation. Restricted operations: ${known}.`,
    () => ({
      facts: { method, path },
      change: { fields: { [`${fieldPath}.method`]: 'GET', [`${fieldPath}.path`]: nearestPath(path) } },
    }),
  )
}

const nearestPath = (path: string) =>
  rankSimilar(
    path,
    RESTRICTED_OPERATIONS.map((operation) => operation.path),
  )[0]?.candidate

/** Returns the path parameters of an operation, or undefined if the path does not match. */
function matchPath(operationPath: string, path: string): Record<string, string> | undefined {
  const expected = operationPath.split('/')
  const given = path.split('/')
  if (given.length !== expected.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of expected.entries()) {
    const value = given[index] as string
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
    if (name === undefined) {
      if (value !== segment) return undefined
    } else if (!/^\{[^{}]+\}$/.test(value)) {
      const decoded = decodeSegment(value)
      if (decoded === undefined) return undefined
      parameters[name] = decoded
    }
  }
  return parameters
}

/** Decodes a path segment as the router does. Returns undefined if it is not one segment. */
function decodeSegment(segment: string): string | undefined {
  if (segment === '' || segment === '.' || segment === '..' || /[?#{}]/.test(segment)) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
