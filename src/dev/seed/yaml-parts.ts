import { MAX_VIOLATIONS } from '../../platform/errors/api-error.ts'
import { MAX_ITEMS } from './schema.ts'
import { pause } from './steps.ts'

/** A piece of YAML that can be read by itself. */
export interface YamlPart {
  text: string
  /** Lines before it. */
  line: number
  /** The field that it belongs to. Undefined for a text that is not split. */
  name: string | undefined
  /** Whether it has items of the list of that name, without the name. Other parts are maps with that one field. */
  isList: boolean
  /** The position of its first item in the list. */
  firstIndex: number
}

/** Smaller texts are read whole, so that they can have anchors. The document of a larger one may not fit into memory. */
export const MAX_PART_CHARACTERS = 1024 * 1024
const PART_CHARACTERS = 256 * 1024
/** More than a seed has and a list of violations shows. */
const MAX_FIELDS = 1_000

const SECTION = /^([A-Za-z]\w*):\s*(#.*)?$/
const FIELD = /^([A-Za-z]\w*):/
const IGNORED = /^\s*(#.*)?$/
const DIRECTIVE = /^%YAML\s/
const DOCUMENT_START = /^---\s*(#.*)?$/

/** Splits a large text between the items of its lists. Returns fields that occur twice, which the parts do not show. */
export async function splitYaml(
  text: string,
): Promise<{ parts: YamlPart[]; repeated: { name: string; line: number }[] }> {
  if (text.length <= MAX_PART_CHARACTERS) return { parts: [wholePart(text, 0)], repeated: [] }
  const parts: YamlPart[] = []
  const repeated: { name: string; line: number }[] = []
  const names = new Set<string>()
  let open: OpenPart | undefined
  let line = 0
  let isStarted = false
  const close = () => {
    if (open) parts.push(toPart(text, open))
    open = undefined
  }
  // The rest of a text with too much of something need not be read: what was read is refused for it.
  const isTooMuch = () =>
    repeated.length > MAX_VIOLATIONS || names.size > MAX_FIELDS || (open !== undefined && itemsOf(open) > MAX_ITEMS)
  for (let start = 0; start < text.length && !isTooMuch(); line++) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline + 1
    const content = text.slice(start, end).replace(/\r?\n$/, '')
    const [, name] = FIELD.exec(content) ?? []
    if (name !== undefined) {
      close()
      if (names.has(name)) repeated.push({ name, line: line + 1 })
      names.add(name)
      const isSection = SECTION.test(content)
      open = {
        start,
        end,
        line,
        name,
        itemsAt: isSection ? end : undefined,
        indent: undefined,
        firstIndex: 0,
        items: 0,
      }
    } else if (open) {
      addLine(content, start, end)
    } else if (DOCUMENT_START.test(content) && !isStarted) {
      isStarted = true
    } else if (!IGNORED.test(content) && !(DIRECTIVE.test(content) && !isStarted)) {
      return { parts: [wholePart(text.slice(start), line)], repeated: [] }
    }
    if (Math.floor(end / MAX_PART_CHARACTERS) > Math.floor(start / MAX_PART_CHARACTERS)) await pause()
    start = end
  }
  close()
  return { parts, repeated }

  function addLine(content: string, start: number, end: number): void {
    if (!open) return
    const [, indent] = /^( *)- /.exec(content) ?? []
    if (open.itemsAt !== undefined && open.indent === undefined && !IGNORED.test(content)) {
      // A section whose first line is no item is not a list.
      if (indent === undefined) open.itemsAt = undefined
      else Object.assign(open, { indent: indent.length, start, line })
    }
    const isItem = indent !== undefined && indent.length === open.indent
    if (isItem && start - open.start >= PART_CHARACTERS) {
      const { name, indent: depth } = open
      parts.push(toPart(text, open))
      open = { start, end, line, name, itemsAt: start, indent: depth, firstIndex: itemsOf(open), items: 0 }
    }
    if (isItem) open.items++
    open.end = end
  }
}

interface OpenPart {
  start: number
  end: number
  line: number
  name: string
  /** Where the items of a list begin. Undefined for other fields. */
  itemsAt: number | undefined
  /** Of the items. Undefined before the first. */
  indent: number | undefined
  firstIndex: number
  items: number
}

const itemsOf = ({ firstIndex, items }: OpenPart) => firstIndex + items

const wholePart = (text: string, line: number): YamlPart => ({
  text,
  line,
  name: undefined,
  isList: false,
  firstIndex: 0,
})

const toPart = (text: string, { start, end, line, name, indent, firstIndex }: OpenPart): YamlPart => ({
  text: text.slice(start, end),
  line,
  name,
  isList: indent !== undefined,
  firstIndex,
})
