import { maskTokens, REDACTED } from '../platform/logging/mask-tokens.ts'
import { SECRET_WORDS } from '../platform/logging/secret-names.ts'

// A page token is one, too: that of a list of orders holds its whole query, with the buyer's address.
const SECRET_NAME = new RegExp(`${SECRET_WORDS}|token|^(?:code|spapi_oauth_code|state|key)$|e-?mail|phone|^buyer`, 'i')

/** The query of an address as it may be logged: without signatures, tokens, secrets and what says who a buyer is. */
export function redactQuery(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return ''
  return url
    .slice(start + 1)
    .split('&')
    .map(redactParameter)
    .join('&')
}

function redactParameter(parameter: string): string {
  const [name = ''] = parameter.split('=', 1)
  return SECRET_NAME.test(decode(name)) && name !== parameter
    ? `${maskTokens(name)}=${REDACTED}`
    : maskTokens(parameter)
}

/** A name may be encoded to hide what it is. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
