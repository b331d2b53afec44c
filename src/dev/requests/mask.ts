import type { OutgoingHttpHeaders } from 'node:http'
import { maskSecret, maskTokens, REDACTED } from '../../platform/logging/mask-tokens.ts'
import { SECRET_WORDS } from '../../platform/logging/secret-names.ts'
import { maskJsonMembers } from './mask-json-excerpts.ts'
import { holdsObjects, type JsonMask, maskJsonValues } from './mask-json-values.ts'
import { maskParts } from './mask-parts.ts'
import { maskAttributes, maskElements } from './mask-xml.ts'

const SECRET_WORD = new RegExp(`${SECRET_WORDS}|^(?:set-)?cookie2?$`, 'i')
const TOKEN_NAME = /tokens?$/i
// Page tokens are no secrets, and a test wants to see them.
const PAGE_TOKEN_NAME = /^(?:next|page|pagination|previous)/i
// Resources of the operator API that hold objects, the secrets of which have names of their own.
const HOLDER_NAME = /^(?:authorizations|secretQueues)$/
// A name of no secret that contains such a word, such as x-amzn-ratelimit-limit, does not match.
const SAFE_HEADERS = new Set(['x-amz-content-sha256', 'x-amz-signedheaders'])
const SCHEME = /^[A-Za-z0-9-]{1,30} (?=\S)/

// Most texts have neither such a word nor an encoded or escaped character, which could be a part of one.
const MAY_HAVE_SECRET = new RegExp(
  String.raw`${SECRET_WORDS}|cookie|token|(?<![a-z])code|At[cnz]|oa2-cs|\\u|%[0-7][0-9a-f]`,
  'i',
)

const JSON_START = /^\s*[[{"]/
// Texts of JSON within texts of JSON, and texts that only begin like JSON: each takes as long as thousands of characters.
const MAX_JSON_LEVELS = 8
const MAX_FAILED_PARSES = 100

// Clients choose these texts, so names have a length: without one, each place where a match could begin would read the
// rest of the text.
/** Of a form or a query, which may be encoded into a field of another. */
const FORM_FIELD =
  /(?:^|[?&;#{,=\s]|\\u0026|%(?:25)?(?:3f|26|23))((?:[\w.[\]-]|%(?!(?:25)?(?:3[df]|26))[0-9a-f]{2}){1,100})(?:=|%(?:25)?3d)/gi
/** What begins with a name of any kind, and not as a URL, XML, JSON or a sentence do. */
const FORM_START = /^\s*[^\s"'<>{}/:?\\=]{0,200}=/
const FORM_VALUE = /[^&\r\n]+/y
/** Of a URL in another text. */
const QUERY_VALUE = /[^&\s"<>\\]+/y
const ATTRIBUTE_NAME = /^\s[\w.-]+=$/
/** Of YAML or headers. Sentences have more words, and a message may begin with the name of a field. */
const LINE =
  /^([ \t-]{0,20}([\w.-]{1,100})[ \t]{0,5}:[ \t]{0,5}(?:(?:Bearer|Basic)[ \t]{1,5})?)(\S+)(?=[ \t]{0,5}\r?$)/gim
const BRACKET = /[[\]]/
const ESCAPED = /\\{1,15}u([0-9a-f]{4})/gi
const ENCODED = /%(?:25)?([0-7][0-9a-f])/gi
/** The value of a field, which may be encoded twice. The percent sign itself stays encoded. */
const ENCODED_JSON = /(?:%(?:25)?(?:20|0[9ad])|\+){0,20}%(?:25)?(?:7b|5b|22)/iy
const ENCODED_CHARACTER = /%(?:25)?(?!25)([0-7][0-9a-f])/gi
const NOT_IN_QUERY = /[^\w.~%!*'()-]/gu

type IsSecret = (name: string) => boolean

const isCode: IsSecret = (name) => name === 'code' || name === 'spapi_oauth_code'

const isSecret: IsSecret = (name) => SECRET_WORD.test(name) || (TOKEN_NAME.test(name) && !PAGE_TOKEN_NAME.test(name))

/** A text without tokens, secrets and signatures: a URL, or a body in JSON, as a form, of parts, or as XML. */
export const maskText = (text: string): string => maskNamed(text, isSecret)

/** A body whose `code` is an authorization code and thus a secret, unlike that of an error. */
export const maskCodes = (text: string): string => maskNamed(text, isSecretOrCode)

const isSecretOrCode: IsSecret = (name) => isCode(name) || isSecret(name)

function maskNamed(text: string, isSecretName: IsSecret): string {
  let failedParses = 0
  const isHidden: IsSecret = (name) => isSecretName(decodeName(name))
  const isSecretMember: JsonMask['isSecretMember'] = (name, json, start) =>
    isHidden(name) && !(HOLDER_NAME.test(name) && holdsObjects(json, start))
  const maskLevel = (one: string, level: number): string => {
    if (!MAY_HAVE_SECRET.test(one)) return one
    if (level < MAX_JSON_LEVELS && failedParses < MAX_FAILED_PARSES && JSON_START.test(one)) {
      const maskString = (value: string) => maskLevel(value, level + 1)
      if (isJson(one)) return maskJsonValues(one, { isSecretMember, maskString, mask: REDACTED })
      failedParses++
    }
    return maskPlain(one, {
      isHidden,
      isSecretMember,
      maskJson: level < MAX_JSON_LEVELS ? (value) => maskLevel(value, level + 1) : undefined,
    })
  }
  return maskLevel(text, 0)
}

interface PlainMask extends Pick<JsonMask, 'isSecretMember'> {
  isHidden: IsSecret
  /** Undefined in a text that is within too many others. */
  maskJson: ((value: string) => string) | undefined
}

/** A text that is not JSON as a whole. */
function maskPlain(text: string, { isHidden, isSecretMember, maskJson }: PlainMask): string {
  let masked = text
  if (text.includes(':')) {
    masked = maskJsonMembers(masked, { isSecretMember, mask: REDACTED })
    masked = masked.replace(LINE, (all, start, name, secret) => (isHidden(name) ? start + maskSecret(secret) : all))
  }
  if (text.includes('=') || text.includes('%')) {
    masked = maskFormFields(masked, maskJson)
    masked = maskAttributes(masked, isHidden, maskSecret)
  }
  if (text.includes('<') || text.includes('&lt;')) masked = maskElements(masked, isHidden, maskSecret)
  if (text.includes(':')) masked = maskParts(masked, isSecretOrCodeName, REDACTED)
  return maskTokens(masked)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// Errors with a code are JSON, so the code of a form or a query is an authorization code. A part of a name may be in
// brackets: `credentials[secret]`.
const isSecretOrCodeName: IsSecret = (name) => decodeName(name).split(BRACKET).some(isSecretOrCode)

/** The value of another field may have fields, too. */
function maskFormFields(text: string, maskJson: PlainMask['maskJson']): string {
  const isForm = FORM_START.test(text)
  const value = isForm ? FORM_VALUE : QUERY_VALUE
  let masked = ''
  let from = 0
  FORM_FIELD.lastIndex = 0
  for (let field = FORM_FIELD.exec(text); field; field = FORM_FIELD.exec(text)) {
    const start = FORM_FIELD.lastIndex
    const isHidden = isSecretOrCodeName(field[1] as string)
    // An attribute ends with its quote, not with a space.
    if (!isForm && text[start] === "'" && ATTRIBUTE_NAME.test(field[0])) continue
    // The value may be a field, too.
    if (!isHidden && text[start - 1] === '=') FORM_FIELD.lastIndex = start - 1
    ENCODED_JSON.lastIndex = start
    if (!isHidden && !(maskJson && ENCODED_JSON.test(text))) continue
    value.lastIndex = start
    const [sent] = value.exec(text) ?? []
    if (sent === undefined) continue
    const shown = isHidden || !maskJson ? maskSecret(sent) : maskEncodedJson(sent, maskJson)
    // Afterwards, because texts within texts use the same expression. Fields in this one have been looked for: to look
    // again would take the time of all levels for each of them.
    FORM_FIELD.lastIndex = start + sent.length
    if (shown === sent) continue
    masked += text.slice(from, start) + shown
    from = start + sent.length
  }
  return masked + text.slice(from)
}

/** Stays encoded, but once only. */
function maskEncodedJson(value: string, maskJson: (value: string) => string): string {
  const decoded = value.replaceAll('+', ' ').replace(ENCODED_CHARACTER, characterOf)
  const shown = maskJson(decoded)
  return shown === decoded ? value : shown.replace(NOT_IN_QUERY, encodeURIComponent)
}

/** A name may have escaped or encoded characters, also encoded twice. */
function decodeName(name: string): string {
  const unescaped = name.includes('\\') ? name.replace(ESCAPED, characterOf) : name
  return unescaped.includes('%') ? unescaped.replace(ENCODED, characterOf) : unescaped
}

const characterOf = (_all: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))

export function maskHeaders(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const isHidden = isSecret(name) && !SAFE_HEADERS.has(name.toLowerCase())
        return [name, isHidden ? maskHeader(name, String(value)) : maskText(String(value))]
      }),
  )
}

/** The kind of a token and the scheme of an authorization stay. */
function maskHeader(name: string, value: string): string {
  const [scheme = ''] = (/authorization$/i.test(name) && SCHEME.exec(value)) || []
  return /cookie$/i.test(name) ? REDACTED : scheme + maskSecret(value.slice(scheme.length))
}
