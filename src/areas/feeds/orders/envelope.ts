import { isUtf8 } from 'node:buffer'
import { SaxesParser } from 'saxes'
import { FeedFault } from '../fault.ts'

/** An element with text or with other elements in it. */
export interface Element {
  name: string
  text: string
  children: Element[]
}

export interface Envelope {
  messageType: string
  merchantIdentifier: string
  /** The `Message` elements. */
  messages: Element[]
}

const DEEPEST_NESTING = 20
const MOST_MESSAGES = 25_000

/**
 * Takes an XML document apart. The parser knows the five entities of XML itself and no other, and a document type, which
 * could define more, is refused: nothing is ever expanded, and nothing outside of the document is ever read.
 */
export function readEnvelope(document: Buffer): Envelope {
  if (document.length === 0) throw new FeedFault('The document is empty.')
  if (!isUtf8(document)) throw new FeedFault('The document is not UTF-8.')
  const root = parse(document.toString('utf8'))
  if (root.name !== 'AmazonEnvelope') throw new FeedFault('The document must be an AmazonEnvelope.')
  const messages = root.children.filter(({ name }) => name === 'Message')
  if (messages.length === 0) throw new FeedFault('The document has no messages: there must be at least one.')
  return {
    messageType: textOf(root, 'MessageType') ?? '',
    merchantIdentifier: textOf(root, 'Header', 'MerchantIdentifier') ?? '',
    messages,
  }
}

function parse(text: string): Element {
  const document: Element = { name: '', text: '', children: [] }
  const open = [document]
  let messages = 0
  const parser = new SaxesParser()
  const fail = (reason: string) => {
    throw new FeedFault(`The document is not acceptable XML at line ${parser.line}, column ${parser.column}. ${reason}`)
  }
  parser.on('error', (error) => fail(error.message))
  parser.on('doctype', () => fail('A document type is not allowed.'))
  parser.on('opentag', ({ name }) => {
    if (open.length > DEEPEST_NESTING) fail(`It is nested more than ${DEEPEST_NESTING} levels deep.`)
    if (open.length === 2 && name === 'Message' && ++messages > MOST_MESSAGES) {
      throw new FeedFault(`The document has more than ${MOST_MESSAGES} messages.`)
    }
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
  parser.write(text).close()
  return document.children[0] as Element
}

/** The text of the element that the names lead to, without space around it. */
export function textOf(element: Element | undefined, ...names: string[]): string | undefined {
  const [name, ...rest] = names
  if (name === undefined) return element?.text.trim()
  return textOf(
    element?.children.find((child) => child.name === name),
    ...rest,
  )
}
