import { createHmac, generateKeySync } from 'node:crypto'
import { parseJsonBody } from '../../http/json-body.ts'
import { type SubjectIds, subjectsIn } from '../request-facts.ts'
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

interface Texts {
  path?: string
  query?: string
  request?: string | undefined
  response?: string | undefined
  grant?: string | undefined
}

const texts = new WeakMap<Entry, Texts>()

const GRANT_LENGTH = 12
const grantKey = generateKeySync('hmac', { length: 256 })

export const pathTextOf = (entry: Entry) => remember(entry, 'path', () => maskText(pathOf(entry))) as string

export const queryTextOf = (entry: Entry) =>
  remember(entry, 'query', () => maskText(entry.url.slice(pathOf(entry).length + 1))) as string

export function urlTextOf(entry: Entry): string {
  const query = queryTextOf(entry)
  return pathTextOf(entry) + (query && `?${query}`)
}

/** The body as text without secrets. */
export const requestTextOf = (entry: Entry): string | undefined =>
  remember(entry, 'request', () => {
    const { requestBody, operation } = entry
    const text = requestBody?.toString('utf8')
    if (text === undefined) return undefined
    // Also of a request for a token that went to a wrong path: its code is still valid.
    return operation === 'createToken' || text.includes('grant_type') ? maskCodes(text) : maskText(text)
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
    if (entry.operation !== 'createToken') return undefined
    const token = refreshTokenIn(entry.requestBody) ?? refreshTokenIn(entry.responseBody)
    return token && createHmac('sha256', grantKey).update(token).digest('base64url').slice(0, GRANT_LENGTH)
  })

function refreshTokenIn(body: string | Buffer | undefined): string | undefined {
  const fields = jsonOf(body) ?? Object.fromEntries(new URLSearchParams(body?.toString()))
  const token = typeof fields === 'object' && fields !== null && 'refresh_token' in fields && fields.refresh_token
  return typeof token === 'string' && token !== '' ? token : undefined
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
