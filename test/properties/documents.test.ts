import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { FeedError } from '../../src/areas/feeds/feed-error.ts'
import { JsonScanner, textOf as scannedText } from '../../src/areas/feeds/processing/listings/json-scanner.ts'
import { type Element, parseEnvelope } from '../../src/areas/feeds/processing/orders/envelope.ts'
import { tsvLine } from '../../src/areas/reports/formats/tsv.ts'
import { element, escapeXml } from '../../src/platform/xml.ts'
import { anyText, assertAsyncProperty, assertProperty, storableText } from '../support/property.ts'

const envelope = (inside: string) => `<AmazonEnvelope><MessageType>T</MessageType>${inside}</AmazonEnvelope>`

/** What XML cannot hold is left out. */
const representable = (text: string) =>
  [...text].filter((character) => {
    const code = character.codePointAt(0) as number
    if (code < 0x20) return '\t\n\r'.includes(character)
    return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff
  })

describe('XML', () => {
  test('is read back unchanged, whatever the text', () => {
    assertProperty(
      fc.property(anyText(), (text) => {
        let read = ''
        let attribute = ''
        const parser = new SaxesParser()
        parser.on('text', (part) => (read += part))
        parser.on('opentag', ({ attributes }) => (attribute = attributes.a as string))
        parser.write(`<n a="${escapeXml(text)}">${escapeXml(text)}</n>`).close()
        expect([...read]).toEqual(representable(text))
        // An attribute has no line breaks or tabs but those that are written as references.
        expect([...attribute]).toEqual(representable(text).map((one) => ('\t\n'.includes(one) ? ' ' : one)))
      }),
      300,
    )
  })

  const { tree } = fc.letrec<{ tree: Element }>((tie) => ({
    tree: fc.record({
      name: fc.constantFrom('Message', 'OrderID', 'A', 'é', 'Header'),
      text: storableText(8).map((text) => representable(text).join('')),
      children: fc.oneof({ maxDepth: 3 }, fc.constant<Element[]>([]), fc.array(tie('tree'), { maxLength: 3 })),
    }),
  }))
  const write = ({ name, text, children }: Element): string =>
    `<${name}>${escapeXml(text)}${children.map(write).join('')}</${name}>`

  test('of a feed has the messages that were written, at any place in the document', async () => {
    const messages = fc.array(
      tree.map((tree): Element => ({ ...tree, name: 'Message' })),
      { minLength: 1, maxLength: 5 },
    )
    const between = fc.constantFrom('', '\n', '\r\n', '<!-- <Message/> 👟 -->', '<![CDATA[<Message/>]]>', '<?x y?>')
    await assertAsyncProperty(
      fc.asyncProperty(messages, between, async (messages, between) => {
        const { messages: count, parseMessage } = await parseEnvelope(
          Buffer.from(envelope(messages.map((message) => between + write(message)).join(''))),
        )
        expect(Array.from({ length: count }, (_, index) => parseMessage(index))).toEqual(messages)
      }),
      100,
    )
  })

  // The reader passes the document on in parts of 64 K characters.
  test('of a feed is read at the boundary of two parts, also within a character or a line break', async () => {
    const message = '<Message>\r\n<A>é👟&amp;\r👟</A><![CDATA[x]]></Message>'
    for (let shift = 0; shift <= message.length; shift++) {
      const head = '<AmazonEnvelope><MessageType>T</MessageType>'
      const padding = ' '.repeat(64 * 1024 - head.length - shift)
      const { parseMessage, messages } = await parseEnvelope(
        Buffer.from(`${head}${padding}${message}<Message/></AmazonEnvelope>`),
      )
      expect(messages, `shifted by ${shift}`).toBe(2)
      expect(parseMessage(0), `shifted by ${shift}`).toMatchObject({
        text: '\nx',
        children: [{ name: 'A', text: 'é👟&\n👟' }],
      })
    }
  })

  test('of a feed that is damaged is an error of the feed, and no other', async () => {
    const damaged = fc
      .tuple(tree, fc.nat(), fc.constantFrom('<', '>', '&', '</', '"', '<!DOCTYPE x>', '\0', ']]>', '<Message>'))
      .map(([one, at, part]) => {
        const text = envelope(write(one))
        const index = at % (text.length + 1)
        return Buffer.from(text.slice(0, index) + part + text.slice(index))
      })
    await assertAsyncProperty(
      fc.asyncProperty(fc.oneof(damaged, fc.uint8Array().map(Buffer.from)), async (bytes) => {
        try {
          const { messages, parseMessage } = await parseEnvelope(bytes)
          for (let index = 0; index < messages; index++) expect(parseMessage(index)?.name).toBe('Message')
        } catch (error) {
          expect(error).toBeInstanceOf(FeedError)
        }
      }),
      300,
    )
  })

  test('of an element without a value is empty, and of one with a value has one element', () => {
    const value = fc.oneof(anyText(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))
    assertProperty(
      fc.property(value, (value) => {
        const text = element('n', value)
        if (value === null) {
          expect(text).toBe('')
          return
        }
        expect(text.match(/<\/?n>/g)).toEqual(['<n>', '</n>'])
      }),
    )
  })
})

describe('a flat file', () => {
  test('has as many lines and columns as were written, and their values', () => {
    const value = fc.oneof(anyText(), fc.integer(), fc.constant(null), fc.constant(undefined))
    const rows = fc
      .integer({ min: 1, max: 5 })
      .chain((columns) => fc.array(fc.array(value, { minLength: columns, maxLength: columns }), { maxLength: 5 }))
    assertProperty(
      fc.property(rows, (rows) => {
        const lines = rows
          .map(tsvLine)
          .join('')
          .split(/[\n\r\u0085\u2028\u2029\v\f]/)
        expect(lines.pop()).toBe('')
        const read = lines.map((line) => line.split('\t'))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what separates lines and columns.
        const words = (text: string) => text.split(/[\s\u0000-\u001F\u007F\u0085\u2028\u2029]+/).filter(Boolean)
        expect(read.map((row) => row.map(words))).toEqual(
          rows.map((row) => row.map((value) => words(String(value ?? '')))),
        )
      }),
    )
  })
})

describe('a JSON feed', () => {
  test('is scanned if it is JSON and refused if it is not, with the values of its members', () => {
    const text = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc
        .tuple(fc.json({ maxDepth: 2 }), fc.nat(), fc.constantFrom(...'{}[]",:\\ 019-+.eEtfn\u0001'))
        .map(([text, at, character]) => {
          const index = at % (text.length + 1)
          return text.slice(0, index) + character + text.slice(index + 1)
        }),
    )
    assertProperty(
      fc.property(text, (text) => {
        const bytes = Buffer.from(text)
        let parsed: unknown
        let isJson = true
        try {
          parsed = JSON.parse(text)
        } catch {
          isJson = false
        }
        const scanner = new JsonScanner(bytes)
        const scan = () => {
          const span = scanner.value('')
          scanner.end()
          return JSON.parse(scannedText(bytes, span))
        }
        if (isJson) expect(scan()).toEqual(parsed)
        else expect(scan).toThrow(FeedError)
      }),
      300,
    )
  })
})
