export const REASON_HEADER = 'x-souk-reason'

const MAX_VALUE_LENGTH = 1000
const CUT = '...'

/**
 * The text as the value of a header. A reason may hold text of the caller, so all but printable ASCII is percent-encoded,
 * and so is the percent sign: no line break gets into the headers, and `decodeURIComponent` gives the text back.
 */
export function encodeReason(reason: string): string {
  let value = ''
  for (const character of reason.toWellFormed()) {
    const encoded = /^[ -$&-~]$/.test(character) ? character : encodeURIComponent(character)
    if (value.length + encoded.length > MAX_VALUE_LENGTH - CUT.length) return value + CUT
    value += encoded
  }
  return value
}
