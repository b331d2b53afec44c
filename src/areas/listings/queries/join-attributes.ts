import { endOfString } from '../../../platform/json-size.ts'

/**
 * Joins the stored attributes of several listings: each attribute has the entries of all of them. Takes JSON objects of
 * lists, as `JSON.stringify` writes them. Parsing them would take many times their memory, and seconds for large ones.
 */
export function joinAttributesJson(texts: readonly string[]): string {
  const entries = new Map<string, string[]>()
  for (const text of texts) {
    for (const [name, own] of listsOf(text)) {
      const known = entries.get(name)
      if (known) known.push(own)
      else entries.set(name, [own])
    }
  }
  const members = [...entries].map(([name, lists]) => `${name}:[${lists.filter((list) => list !== '').join(',')}]`)
  return `{${members.join(',')}}`
}

/** The members of an object of lists: a name with its quotes, and what is between the brackets. */
function* listsOf(text: string): Generator<[name: string, entries: string]> {
  for (let start = 1; text[start] === '"'; ) {
    const nameEnd = endOfString(text, start) + 1
    if (nameEnd === 0) return
    const open = nameEnd + ':'.length
    const close = endOfList(text, open)
    yield [text.slice(start, nameEnd), text.slice(open + 1, close)]
    start = close + '],'.length
  }
}

function endOfList(text: string, start: number): number {
  let level = 0
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      index = endOfString(text, index)
      if (index === -1) break
    } else if (character === '[') level++
    else if (character === ']' && --level === 0) return index
  }
  return text.length
}
