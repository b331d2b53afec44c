// What XML 1.0 cannot hold in any spelling: most control characters, two non-characters, halves of surrogate pairs.
const INVALID_IN_XML =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const SPECIAL = /[&<>"'\r]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const NEEDS_ESCAPE = /[&<>"'\u0000-\u0008\u000B-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would read a bare one as a line feed.
  '\r': '&#13;',
}

/** Any text as the content of an element or of an attribute. What XML has no way to say is left out. */
export function escapeXml(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text.replace(INVALID_IN_XML, '').replace(SPECIAL, (character) => entities[character] as string)
}

/** An element with text in it, or nothing where there is no value. */
export function element(name: string, value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? `<${name}>${value}</${name}>` : `<${name}>${escapeXml(value)}</${name}>`
}
