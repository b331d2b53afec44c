import type { ParseOptions } from './rows.ts'
import { createPauses } from './slices.ts'

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  /** Of an element without children. */
  text: string
}

const ELEMENTS_PER_STEP = 500
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Reads an XML document step by step and hands over the elements that are records, with all they contain. The parser of
 * the browser would block the page until the whole document is read. It is for documents that Souk wrote, so it does not
 * validate.
 */
export async function readXmlRecords(
  text: string,
  isRecord: (path: readonly string[]) => boolean,
  onRecord: (record: XmlElement) => void,
  { signal, onProgress }: ParseOptions = {},
): Promise<void> {
  const pause = createPauses(signal)
  const path: string[] = []
  /** The elements that are open inside of a record; the first is the record. */
  const open: XmlElement[] = []
  let position = 0
  for (let count = 1; ; count++) {
    const start = text.indexOf('<', position)
    if (start === -1) return
    const current = open.at(-1)
    if (current && start > position) current.text += decode(text.slice(position, start))
    const end = endOfMarkup(text, start)
    const inner = text.slice(start + 1, end)
    position = end + 1
    if (inner.startsWith('![CDATA[')) {
      if (current) current.text += inner.slice('![CDATA['.length, -2)
    } else if (inner[0] === '/') {
      close()
    } else if (inner[0] !== '?' && inner[0] !== '!') {
      openElement(inner.replace(/\/$/, ''))
      if (inner.endsWith('/')) close()
    }
    if (count % ELEMENTS_PER_STEP !== 0) continue
    const pausing = pause()
    if (!pausing) continue
    onProgress?.(position / text.length)
    await pausing
  }

  function openElement(inner: string): void {
    const [name = ''] = inner.split(/\s/, 1)
    path.push(name)
    if (open.length === 0 && !isRecord(path)) return
    const element: XmlElement = { name, attributes: attributesOf(inner), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  }

  function close(): void {
    path.pop()
    const closed = open.pop()
    if (!closed) return
    closed.text = closed.children.length > 0 ? '' : closed.text.trim()
    if (open.length === 0) onRecord(closed)
  }
}

function endOfMarkup(text: string, start: number): number {
  const terminator = text.startsWith('<![CDATA[', start) ? ']]>' : text.startsWith('<!--', start) ? '-->' : '>'
  const end = text.indexOf(terminator, start)
  return end === -1 ? text.length : end + terminator.length - 1
}

function attributesOf(inner: string): Record<string, string> {
  if (!inner.includes('=')) return {}
  return Object.fromEntries(
    [...inner.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', double, single]) => [
      name,
      decode(double ?? single ?? ''),
    ]),
  )
}

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
