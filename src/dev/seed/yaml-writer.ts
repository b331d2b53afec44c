/** Writes plain values as YAML that every version of YAML reads alike. */

// Anything else is quoted. YAML 1.1 reads these words as something other than text, and all other plain text begins with
// a letter and has no character that means something.
const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i

// JSON leaves them as they are, but YAML takes some for the end of a line and has no place for others.
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g

export const yamlText = (text: string): string => {
  if (text.length <= 100 && PLAIN.test(text) && !WORDS.test(text)) return text
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const yamlKey = (name: string) => (name.includes(' ') ? JSON.stringify(name) : yamlText(name))

/** The lines of a value that stands at an indent, without the indent of the first one. */
export function yamlLines(value: unknown, indent: string): string {
  if (typeof value === 'string') return yamlText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return value.map((item) => `- ${yamlLines(item, `${indent}  `)}`).join(`\n${indent}`)
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (members.length === 0) return '{}'
  return members.map(([name, member]) => `${yamlKey(name)}:${yamlMember(member, indent)}`).join(`\n${indent}`)
}

function yamlMember(value: unknown, indent: string): string {
  const isNested = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isNested) return ` ${yamlLines(value, indent)}`
  const inner = `${indent}  `
  return `\n${inner}${yamlLines(value, inner)}`
}
