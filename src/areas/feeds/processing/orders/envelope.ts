import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { FeedError } from '../../feed-error.ts'

export interface Element {
  name: string
  text: string
  children: Element[]
}

/** An XML document of order messages. */
export interface Envelope {
  messageType: string
  merchantIdentifier: string
  /** Number of `Message` elements. */
  messages: number
  /** Returns undefined if the message is too large. */
  parseMessage(index: number): Element | undefined
  /** In characters. */
  sizeOf(index: number): number
}

export const MAX_MESSAGE_CHARACTERS = 1024 * 1024
const MAX_NESTING_LEVELS = 20
const MAX_MESSAGES = 25_000
// The parser buffers a tag with its attributes, a comment or a text until it ends.
const MAX_PART_CHARACTERS = 1024 * 1024
const CHUNK_CHARACTERS = 64 * 1024
const ENVELOPE = 'AmazonEnvelope'

/**
 * Validates an XML document and finds its messages. Parsed elements take forty times the memory of their text, so only
 * the positions of the messages are kept, and each message is parsed when it is applied.
 *
 * The parser supports only the five predefined entities, and a document type, which could define more, is an error: no
 * entity is expanded and nothing outside the document is read.
 */
export async function parseEnvelope(document: Buffer): Promise<Envelope> {
  if (document.length === 0) throw new FeedError('The document is empty.')
  if (!isUtf8(document)) throw new FeedError('The document is not UTF-8.')
  const text = document.toString('utf8')
  const { rootName, header, messageType, messages } = await findLayout(text)
  if (rootName !== ENVELOPE) throw new FeedError(`The document must be an ${ENVELOPE}.`)
  if (messages.length === 0) throw new FeedError('The document has no messages: there must be at least one.')
  return {
    messageType: textOf(parseElement(text, 'MessageType', messageType)) ?? '',
    merchantIdentifier: textOf(parseElement(text, 'Header', header), 'MerchantIdentifier') ?? '',
    messages: messages.length,
    parseMessage: (index) => parseElement(text, 'Message', messages[index]),
    sizeOf: (index) => sizeOf(messages[index]),
  }
}

/** The content and end tag of an element, from `start` up to `end`. */
interface Span {
  start: number
  end: number
}

const sizeOf = (span: Span | undefined) => (span ? span.end - span.start : 0)

interface Layout {
  rootName: string
  header?: Span
  messageType?: Span
  messages: Span[]
}

async function findLayout(text: string): Promise<Layout> {
  const layout: Layout = { rootName: '', messages: [] }
  let depth = 0
  let partStart = 0
  let start = 0
  const parser = createParser()
  const endPart = () => {
    partStart = parser.position
  }
  for (const event of ['comment', 'cdata', 'processinginstruction'] as const) parser.on(event, endPart)
  parser.on('opentag', ({ name }) => {
    endPart()
    if (depth >= MAX_NESTING_LEVELS)
      throw errorAt(parser, `The document is nested more than ${MAX_NESTING_LEVELS} levels deep.`)
    if (depth === 0) layout.rootName = name
    if (depth === 1) start = parser.position
    depth++
  })
  parser.on('closetag', ({ name }) => {
    endPart()
    depth--
    if (depth !== 1) return
    const span = { start, end: parser.position }
    if (name === 'Header') layout.header ??= span
    else if (name === 'MessageType') layout.messageType ??= span
    else if (name === 'Message') {
      if (layout.messages.length === MAX_MESSAGES) {
        throw new FeedError(`The document has more than ${MAX_MESSAGES} messages.`)
      }
      layout.messages.push(span)
    }
  })
  for (let fed = 0; fed < text.length; ) {
    parser.write(text.slice(fed, fed + CHUNK_CHARACTERS))
    fed += CHUNK_CHARACTERS
    // A document of small elements takes seconds, and the leases of other jobs must be renewed in between.
    await setImmediate()
    if (fed - partStart > MAX_PART_CHARACTERS + CHUNK_CHARACTERS) {
      throw errorAt(parser, `A tag, a comment or a text has more than ${MAX_PART_CHARACTERS} characters.`)
    }
  }
  parser.close()
  return layout
}

function parseElement(text: string, name: string, span: Span | undefined): Element | undefined {
  if (!span || sizeOf(span) > MAX_MESSAGE_CHARACTERS) return undefined
  const document: Element = { name: '', text: '', children: [] }
  const open = [document]
  const parser = createParser()
  parser.on('opentag', ({ name }) => {
    const element: Element = { name, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  const addText = (part: string) => {
    const element = open.at(-1)
    if (element) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  // The span of a self-closing element is empty.
  const content = text.slice(span.start, span.end) || `</${name}>`
  parser.write(`<${name}>${content}`).close()
  return document.children[0]
}

/** Always XML 1.0, so that a message parsed alone follows the rules of its document. */
function createParser(): SaxesParser {
  const parser = new SaxesParser({ defaultXMLVersion: '1.0', forceXMLVersion: true })
  parser.on('error', (error) => {
    throw errorAt(parser, error.message)
  })
  parser.on('doctype', () => {
    throw errorAt(parser, 'A document type is not allowed.')
  })
  return parser
}

const errorAt = ({ line, column }: SaxesParser, reason: string) =>
  new FeedError(`The document is not valid XML at line ${line}, column ${column}. ${reason}`)

/** Returns the trimmed text of the descendant with this path of names. */
export function textOf(element: Element | undefined, ...names: string[]): string | undefined {
  const [name, ...rest] = names
  if (name === undefined) return element?.text.trim()
  return textOf(
    element?.children.find((child) => child.name === name),
    ...rest,
  )
}
