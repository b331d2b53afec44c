import { createHmac, generateKeySync } from 'node:crypto'
import { parseJsonBody } from '../../http/json-body.ts'
import { TOKEN_OPERATION } from '../operation-fields.ts'
import { type SubjectIds, subjectsIn } from '../request-facts.ts'
import { decodeText } from './decode-text.ts'
import type { Entry } from './entry.ts'
import { maskCodes, maskText } from './mask.ts'

const subjects = new WeakMap<Entry, SubjectIds>()

export const pathOf = ({ url }: Entry): string => url.split('?', 1)[0] as string

export const sellerOf = ({ caller }: Entry) => (caller?.kind === 'seller' ? caller.sellerId : undefined)

/** The ids in the path, the query and both bodies. A finished entry does not change, so they are found once. */
export function subjectsOf(entry: Entry): SubjectIds {
  const known = subjects.get(entry)
  if (known) return known
  const found = subjectsIn(entry.params, entry.query, jsonOf(entry.requestBody), responseFields(entry))
  if (entry.outcome !== 'running') subjects.set(entry, found)
  return found
}

/** A response that only names what was created, such as `{ "reportId": "..." }`. A list is not what a request is about. */
function responseFields({ responseBody, status = 0 }: Entry): unknown {
  if (status < 200 || status > 299 || typeof responseBody !== 'string' || responseBody.length > 1_000) return undefined
  const value = jsonOf(responseBody)
  return typeof value === 'object' && value !== null && 'payload' in value ? value.payload : value
}

/** Undefined for anything but valid JSON. */
export function jsonOf(body: string | Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined
  try {
    return parseJsonBody(typeof body === 'string' ? Buffer.from(body) : body)
  } catch {
    return undefined
  }
}

/** The fields of a body: of JSON, or of a form, which requests for tokens may have. */
export function sentFields(body: Buffer | undefined): unknown {
  const json = jsonOf(body)
  if (json !== undefined || body === undefined || !FORM_START.test(body.toString('latin1'))) return json
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')))
}

interface Texts {
  path?: string
  query?: string
  request?: string | undefined
  response?: string | undefined
  grant?: string | undefined
}

const texts = new WeakMap<Entry, Texts>()

const FORM_START = /^[\w.-]{1,100}=/
const GRANT_LENGTH = 12
const grantKey = generateKeySync('hmac', { length: 256 })

export const pathTextOf = (entry: Entry) => remember(entry, 'path', () => maskText(pathOf(entry))) as string

export const queryTextOf = (entry: Entry) =>
  remember(entry, 'query', () => maskText(entry.url.slice(pathOf(entry).length + 1))) as string

export function urlTextOf(entry: Entry): string {
  const query = queryTextOf(entry)
  return pathTextOf(entry) + (query && `?${query}`)
}

/** A text that may hold what the client sent, without secrets. */
export function maskSent({ operation, requestBody }: Entry, text: string): string {
  // Also of a request for a token that went to a wrong path: its code is still valid.
  const hasCode = operation === TOKEN_OPERATION || requestBody?.includes('grant_type')
  return hasCode ? maskCodes(text) : maskText(text)
}

/** The body as text without secrets. */
export const requestTextOf = (entry: Entry): string | undefined =>
  remember(entry, 'request', () => {
    const { requestBody } = entry
    return requestBody && maskSent(entry, decodeText(requestBody))
  })

export const responseTextOf = (entry: Entry): string | undefined =>
  remember(entry, 'response', () => {
    const { responseBody, operation, status = 0 } = entry
    const text = typeof responseBody === 'string' ? responseBody : responseBody?.toString('utf8')
    if (text === undefined) return undefined
    // An error has a code, too, that is no secret.
    return operation === 'createAuthorizationCode' && status < 300 ? maskCodes(text) : maskText(text)
  })

/**
 * What stands for the refresh token that a request for a token has or gets: the same for the same token, and of no use
 * elsewhere.
 */
export const grantOf = (entry: Entry): string | undefined =>
  remember(entry, 'grant', () => {
    if (entry.operation !== TOKEN_OPERATION) return undefined
    const token = textIn(entry.requestBody, 'refresh_token') ?? textIn(entry.responseBody, 'refresh_token')
    return token && createHmac('sha256', grantKey).update(token).digest('base64url').slice(0, GRANT_LENGTH)
  })

/** Two requests for tokens of the same source could have shared one: of a grant, or of an application for itself. */
export function tokenSourceOf(entry: Entry): string {
  const { requestBody, requestHeaders } = entry
  const application = textIn(requestBody, 'client_id') ?? requestHeaders.authorization
  return grantOf(entry) ?? [application, textIn(requestBody, 'scope')].join(' ')
}

/** A field of JSON or of a form. */
function textIn(body: string | Buffer | undefined, name: string): string | undefined {
  const fields = jsonOf(body) ?? Object.fromEntries(new URLSearchParams(body?.toString()))
  const text = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>)[name] : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** A finished entry does not change, and every list, search and verification reads its texts. */
function remember(entry: Entry, name: keyof Texts, make: () => string | undefined): string | undefined {
  if (entry.outcome === 'running') return make()
  const known = texts.get(entry) ?? {}
  if (!(name in known)) {
    known[name] = make() as string
    texts.set(entry, known)
  }
  return known[name]
}
