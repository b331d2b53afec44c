import { beforeAll, describe, expect, test } from 'vitest'
import { countTurns } from '../../../../../test/support/count-turns.ts'
import { FeedError } from '../../feed-error.ts'
import { type Element, type Envelope, MAX_MESSAGE_CHARACTERS, parseEnvelope, textOf } from './envelope.ts'

const HEADER =
  '<Header><MerchantIdentifier> A1 </MerchantIdentifier></Header><MessageType>OrderFulfillment</MessageType>'
const envelope = (inside: string) => `<AmazonEnvelope>${HEADER}${inside}</AmazonEnvelope>`
const read = (text: string) => parseEnvelope(Buffer.from(text))
const readMessages = ({ messages, parseMessage: readMessage }: Envelope) =>
  Array.from({ length: messages }, (_, index) => readMessage(index))

async function errorOf(document: string | Buffer): Promise<string> {
  try {
    await parseEnvelope(Buffer.from(document))
  } catch (error) {
    expect(error).toBeInstanceOf(FeedError)
    return (error as FeedError).message
  }
  throw new Error('It is an envelope')
}

describe('parseEnvelope', () => {
  test('returns message type, merchant and messages', async () => {
    const found = await read(envelope('<Message>a</Message>\n<Message >b</Message ><Message/><Message></Message>'))
    expect(found).toMatchObject({ messageType: 'OrderFulfillment', merchantIdentifier: 'A1', messages: 4 })
    expect(readMessages(found).map((message) => textOf(message))).toEqual(['a', 'b', '', ''])
  })

  test('reads a declaration, comments, attributes, CDATA, character references and the five entities of XML', async () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?><!-- x -->${envelope(
      '<Message id="1"><!-- y --><A>&lt;&amp;&gt;&apos;&quot;&#65;&#x42;<![CDATA[<&>]]></A></Message>',
    )}`
    expect(textOf((await read(text)).parseMessage(0), 'A')).toBe(`<&>'"AB<&>`)
  })

  test('reads a document with a byte order mark', async () => {
    expect((await read(`\ufeff${envelope('<Message/>')}`)).messages).toBe(1)
  })

  test('accepts an empty header', async () => {
    expect(await read('<AmazonEnvelope><Message/></AmazonEnvelope>')).toMatchObject({
      messageType: '',
      merchantIdentifier: '',
    })
  })

  test('accepts 25,000 messages and no more, counting only direct children', async () => {
    expect((await read(envelope('<Message/>'.repeat(25_000)))).messages).toBe(25_000)
    expect(await errorOf(envelope('<Message/>'.repeat(25_001)))).toContain('more than 25000 messages')
    expect((await read(envelope(`<Message>${'<Message/>'.repeat(25_001)}</Message>`))).messages).toBe(1)
  })

  test('accepts 20 levels and no more', async () => {
    const nested = (levels: number) => envelope(`<Message>${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}</Message>`)
    expect((await read(nested(18))).messages).toBe(1)
    expect(await errorOf(nested(19))).toContain('more than 20 levels')
  })

  test.each<[string, string | Buffer, RegExp]>([
    ['an empty document', '', /empty/],
    ['bytes that are not UTF-8', Buffer.from([0x3c, 0xc3, 0x28]), /not UTF-8/],
    ['text without an element', 'hello', /not valid XML at line 1/],
    ['an element that is not closed', '<AmazonEnvelope>', /not valid XML/],
    ['tags that cross', '<AmazonEnvelope><a></AmazonEnvelope></a>', /not valid XML/],
    ['a duplicate attribute', '<AmazonEnvelope a="1" a="2"/>', /not valid XML/],
    ['another root', '<Envelope><Message/></Envelope>', /must be an AmazonEnvelope/],
    ['no messages', envelope(''), /at least one/],
    ['a document type', `<!DOCTYPE AmazonEnvelope>${envelope('<Message/>')}`, /document type is not allowed/],
    [
      'an external document type',
      `<!DOCTYPE a SYSTEM "file:///etc/passwd">${envelope('<Message/>')}`,
      /document type is not allowed/,
    ],
    [
      'custom entities',
      `<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]>${envelope('<Message>&z;</Message>')}`,
      /document type is not allowed/,
    ],
    ['an undefined entity', envelope('<Message>&x;</Message>'), /not valid XML/],
    ['a control character', envelope('<Message>\u0001</Message>'), /not valid XML/],
    ['a reference to NUL', envelope('<Message>&#0;</Message>'), /not valid XML/],
  ])('refuses %s', async (_what, document, reason) => {
    expect(await errorOf(document)).toMatch(reason)
  })

  test('parses messages with any characters, wherever the document is split into chunks', async () => {
    const texts = [
      'x'.repeat(70_000),
      '\u{1f3ea}'.repeat(40_000),
      'é\r\n'.repeat(30_000),
      '日本'.repeat(40_000),
      'last',
    ]
    const messages = texts.map((text) => `<Message>${text}</Message>`).join('\r\n')
    for (const padding of ['', ' ', '  ']) {
      const found = readMessages(await read(envelope(padding + messages)))
      expect(found.map((message) => textOf(message))).toEqual(texts.map((text) => text.replaceAll('\r\n', '\n').trim()))
    }
  })

  test('skips a message that is too large, and parses the others', async () => {
    const large = '<a>text</a>'.repeat(MAX_MESSAGE_CHARACTERS / 11 + 1)
    const found = readMessages(
      await read(envelope(`<Message>a</Message><Message>${large}</Message><Message>c</Message>`)),
    )
    expect(found.map((message) => textOf(message))).toEqual(['a', undefined, 'c'])
  })

  const MORE = 1_200_000
  test.each([
    ['a tag', `<Message${Array.from({ length: MORE / 10 }, (_, index) => ` a${index}=""`).join('')}/>`],
    ['a comment', `<Message/><!--${'-a'.repeat(MORE)}-->`],
    ['a text', `<Message>${'&lt;'.repeat(MORE)}</Message>`],
    ['an instruction', `<Message/><?a ${'?'.repeat(MORE)}?>`],
    ['a section of characters', `<Message><![CDATA[${']'.repeat(MORE)}]]></Message>`],
  ])('refuses %s of more than a million characters', async (_what, inside) => {
    expect(await errorOf(envelope(inside))).toMatch(/more than 1048576 characters/)
  })

  test('refuses a document type before its end', async () => {
    expect(await errorOf(`<!DOCTYPE a [${'"'.repeat(MORE)}]>`)).toMatch(/more than 1048576 characters/)
  })

  test('yields to other work while it parses a large document', async () => {
    expect(await countTurns(read(envelope('<Message/>'.repeat(20_000))))).toBeGreaterThan(2)
  })

  test('reports the line of an error', async () => {
    expect(await errorOf('<AmazonEnvelope>\n<Message>\n<a></b>')).toMatch(/line 3, column \d+/)
  })
})

describe('textOf', () => {
  let message: Element | undefined
  beforeAll(async () => {
    const found = await read(envelope('<Message><A><B> b </B></A><A><B>other</B></A><C/></Message>'))
    message = found.parseMessage(0)
  })

  test('returns the trimmed text of the first match', () => {
    expect(textOf(message, 'A', 'B')).toBe('b')
  })

  test('is empty for an element without text, and undefined for a missing element', () => {
    expect(textOf(message, 'C')).toBe('')
    expect(textOf(message, 'A', 'X')).toBeUndefined()
    expect(textOf(undefined, 'A')).toBeUndefined()
  })
})
