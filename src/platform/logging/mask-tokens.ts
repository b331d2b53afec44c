export const REDACTED = '[redacted]'

// The kinds that exist, and only where a word begins: a SKU may be BATCH|42. A word begins after an encoded or escaped
// character, too. The bar may be encoded, also twice, which is a usual mistake, or escaped. Clients choose these texts,
// so all repetitions have a limit: without one, each place where a match could begin would read the rest of the text.
const WORD_START = String.raw`^|[^A-Za-z0-9]|%(?:25){0,3}[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[bfnrt]|Bearer`
const KIND = String.raw`t(?:c|[nz][ar]|z\.[a-z]{1,10})(?:\||%(?:25){0,3}7[cC]|\\{1,15}u007[cC]|&#124;)`
// The start of the word is checked behind the first letter: checking it at each character would take longer than all
// the rest.
const TOKEN = new RegExp(String.raw`(A(?<=(?:${WORD_START})A)${KIND})[^&\s"'\\,<>]*`, 'g')
const CLIENT_SECRET = /(amzn1\.oa2-cs\.v\d{1,3}\.)[\w~+-]+/gi

/**
 * A text without the tokens and client secrets in it, which are known by how they begin: Atza|, Atzr|, Atz.sprdt|,
 * amzn1.oa2-cs.v1. Their kind stays visible, because using the wrong one is common.
 */
export const maskTokens = (text: string): string =>
  text.replace(TOKEN, `$1${REDACTED}`).replace(CLIENT_SECRET, `$1${REDACTED}`)

const SECRET_START = new RegExp(`^(?:A${KIND})?`)

/** A secret of which only the kind of a token stays. */
export const maskSecret = (secret: string): string => (SECRET_START.exec(secret)?.[0] ?? '') + REDACTED
