import type { OutgoingHttpHeaders } from 'node:http'
import { maskJsonMembers } from './mask-json.ts'

export const REDACTED = '[redacted]'

const SECRET_WORD = /signature|credential|secret|password|authorization|api-?key|operatorKey|^(?:set-)?cookie$/i
const TOKEN_NAME = /token$/i
// Page tokens are no secrets, and a test wants to see them.
const PAGE_TOKEN_NAME = /^(?:next|page|pagination|previous)/i
// A name of no secret that contains such a word, such as x-amzn-ratelimit-limit, does not match.
const SAFE_HEADERS = new Set(['x-amz-content-sha256', 'x-amz-signedheaders'])

// Clients choose these texts, so names and kinds have a length: without one, each place where a match could begin would
// read the rest of the text.
const FORM_FIELD = /((?:^|[?&]|\\u0026)([\w.-]{1,100})=)[^&\s"'<>\\]*/g
// A token is known by how it begins: Atza|, Atzr|, Atz.sprdt|. Its kind stays visible, because using the wrong one is common.
const TOKEN = /(Atz[\w.]{0,20}(?:\||%7c))[^&\s"'\\,<>]*/gi

type IsSecret = (name: string) => boolean

const isCode: IsSecret = (name) => name === 'code' || name === 'spapi_oauth_code'

const isSecret: IsSecret = (name) => SECRET_WORD.test(name) || (TOKEN_NAME.test(name) && !PAGE_TOKEN_NAME.test(name))

/** A text without tokens, secrets and signatures: a URL, or a body in JSON, as a form or as XML. */
export const maskText = (text: string): string => maskNamed(text, isSecret)

/** A body whose `code` is an authorization code and thus a secret, unlike that of an error. */
export const maskCodes = (text: string): string => maskNamed(text, (name) => isCode(name) || isSecret(name))

function maskNamed(text: string, isSecretName: IsSecret): string {
  return (
    maskJsonMembers(text, isSecretName, REDACTED)
      // Errors with a code are JSON, so the code of a form or a query is an authorization code.
      .replace(FORM_FIELD, (all, before: string, name: string) =>
        isSecret(name) || isCode(name) ? before + REDACTED : all,
      )
      .replace(TOKEN, `$1${REDACTED}`)
  )
}

export function maskHeaders(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const isHidden = isSecret(name) && !SAFE_HEADERS.has(name.toLowerCase())
        return [name, isHidden ? maskSecret(String(value)) : maskText(String(value))]
      }),
  )
}

/** The kind of a token and the scheme of an authorization stay. */
function maskSecret(value: string): string {
  const masked = value.replace(TOKEN, `$1${REDACTED}`)
  if (masked !== value) return masked
  const [, scheme = ''] = /^([A-Za-z0-9-]+ )\S/.exec(value) ?? []
  return scheme + REDACTED
}
