import { digest } from '../platform/auth/digest.ts'

/** What checks need of the bodies of a call. The bodies themselves, of all runs together, could fill the memory. */
export interface BodyFacts {
  /** A digest of the body of the request. */
  content: string
  /** The paths for which a restricted data token was requested. */
  restrictedPaths: readonly string[]
  /** What an access token was requested for, besides the refresh token, which the log masks. */
  tokenScope: string
  /** Of a list that has another page. */
  nextToken: string | undefined
  /** The states in the response, by the names of their fields. */
  states: readonly (readonly [field: string, state: string])[]
}

export const factsOf = (requestBody: unknown, responseBody: unknown): BodyFacts => ({
  content: digest(JSON.stringify(requestBody) ?? ''),
  restrictedPaths: restrictedPathsOf(requestBody),
  tokenScope: JSON.stringify(GRANT_FIELDS.map((name) => fieldOf(requestBody, name))).slice(0, MAX_SCOPE_LENGTH),
  nextToken: nextTokenOf(responseBody),
  states: statesOf(responseBody),
})

const GRANT_FIELDS = ['grant_type', 'client_id', 'scope']
const MAX_SCOPE_LENGTH = 1_000
const STATE_FIELDS = ['processingStatus', 'OrderStatus', 'fulfillmentStatus', 'status']
const STATE = /^[A-Za-z_]{2,40}$/
const MAX_STATES = 100
const MAX_DEPTH = 4
const MAX_ENTRIES = 200

function restrictedPathsOf(body: unknown): string[] {
  const resources = fieldOf(body, 'restrictedResources')
  return Array.isArray(resources)
    ? resources.slice(0, MAX_ENTRIES).map((resource) => String(fieldOf(resource, 'path')))
    : []
}

/** The operations spell it differently and have it in different places. */
function nextTokenOf(body: unknown): string | undefined {
  for (const part of [body, fieldOf(body, 'payload'), fieldOf(body, 'pagination')]) {
    for (const name of ['nextToken', 'NextToken']) {
      const token = fieldOf(part, name)
      if (typeof token === 'string' && token !== '') return token
    }
  }
  return undefined
}

function statesOf(body: unknown): BodyFacts['states'] {
  const found = new Map<string, readonly [string, string]>()
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const name of STATE_FIELDS) {
      const state = fieldOf(value, name)
      if (typeof state !== 'string' || !STATE.test(state) || found.size >= MAX_STATES) continue
      found.set(`${name} ${state}`, [name, state])
    }
    for (const part of Object.values(value).slice(0, MAX_ENTRIES)) visit(part, depth + 1)
  }
  visit(body, 0)
  return [...found.values()]
}

/** The value of a field of a body, or undefined if the body has no such field. */
const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
