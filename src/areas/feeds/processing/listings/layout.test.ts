import { describe, expect, test } from 'vitest'
import { FeedError } from '../../feed-error.ts'
import { textOf } from './json-scanner.ts'
import { findLayout, MAX_MESSAGES } from './layout.ts'

/** The parts of a document, as texts. */
async function partsOf(text: string) {
  const bytes = Buffer.from(text)
  const { header, messages } = await findLayout(bytes)
  return { header: textOf(bytes, header), messages: messages.map((span) => textOf(bytes, span)) }
}

async function errorOf(text: string): Promise<string> {
  const error = await findLayout(Buffer.from(text)).catch((thrown: unknown) => thrown)
  expect(error, text).toBeInstanceOf(FeedError)
  return (error as FeedError).message
}

describe('findLayout', () => {
  test('finds the header and each message, in any order', async () => {
    const expected = { header: '{"a":1}', messages: ['{"b":2}', '{"c":3}'] }
    expect(await partsOf('{"header":{"a":1},"messages":[{"b":2},{"c":3}]}')).toEqual(expected)
    expect(await partsOf('{"messages":[{"b":2},{"c":3}],"header":{"a":1}}')).toEqual(expected)
    expect(await partsOf('\t{ "header" :\r\n{"a":1} , "messages" : [ {"b":2} ,\n{"c":3} ] } \n')).toEqual(expected)
  })

  test('ignores brackets, commas and quotes inside strings', async () => {
    const odd = String.raw`{"a":"]},{[\"","\"":"\\","\\":["\\\"]"]}`
    expect(await partsOf(`{"header":${odd},"messages":[${odd},${odd}]}`)).toEqual({ header: odd, messages: [odd, odd] })
  })

  test('counts bytes, not characters', async () => {
    const umlauts = '{"é":"😀€ü"}'
    expect(await partsOf(`{"ß":"😀","header":${umlauts},"messages":[${umlauts}]}`)).toEqual({
      header: umlauts,
      messages: [umlauts],
    })
  })

  test('recognizes escaped keys', async () => {
    expect((await partsOf('{"\\u0068eader":{},"messages":[1]}')).header).toBe('{}')
  })

  test('accepts messages of any JSON type', async () => {
    expect((await partsOf('{"header":null,"messages":[1,-2.5e3,"x",null,true,[],{}]}')).messages).toEqual([
      '1',
      '-2.5e3',
      '"x"',
      'null',
      'true',
      '[]',
      '{}',
    ])
  })

  test('accepts 100 levels and no more', async () => {
    const nested = (levels: number) => `{"header":{},"messages":[${'['.repeat(levels)}${']'.repeat(levels)}]}`
    expect((await partsOf(nested(100))).messages).toHaveLength(1)
    expect(await errorOf(nested(101))).toContain('nested more than 100 levels')
  })

  test('accepts 25,000 messages and no more', async () => {
    const many = (count: number) => `{"header":{},"messages":[${Array(count).fill('{}').join()}]}`
    expect((await partsOf(many(MAX_MESSAGES))).messages).toHaveLength(25_000)
    expect(await errorOf(many(MAX_MESSAGES + 1))).toContain('more than 25000 messages')
  })

  test.each([
    ['', /Unexpected end of document/],
    ['[]', /must be an object/],
    ['{}', /no header/],
    ['{"header":{}}', /no messages/],
    ['{"messages":[1]}', /no header/],
    ['{"header":{},"messages":[]}', /at least one/],
    ['{"header":{},"messages":null}', /messages must be a list/],
    ['{"header":{},"messages":[1}', /Expected a comma or the end of the list/],
    ['{"header":{},"messages":[1]', /Unexpected end of document/],
    ['{"header":{},"messages":[1] x', /Expected a comma or the end of the object/],
    ['{"header":{},"messages":[,1]}', /Expected a value/],
    ['{"header":{},"messages":[1,]}', /Expected a value/],
    ['{"header":,"messages":[1]}', /Expected a value/],
    ['{"header":{},}', /Expected a quoted key/],
    ['{"header":{}', /Unexpected end of document/],
    ['{"header":{"a":"b', /Unexpected end of document/],
    ['{"header":"\\', /Unexpected end of document/],
    ['{"hea', /Unexpected end of document/],
    ['{"a\nb":1,"header":{},"messages":[1]}', /Control characters in strings must be escaped/],
    ['{"other":nonsense,"header":{},"messages":[1]}', /In other: Expected null/],
    ['{"header":{a:1},"messages":[1]}', /In header: Expected a quoted key/],
    ['{"header":{},"messages":[1,{"a":[1 2]}]}', /In messages\[1\]: Expected a comma or the end of the list/],
    ['{"header":{},"header":{}}', /header is duplicated/],
    ['{"header":{},"\\u0068eader":{}}', /header is duplicated/],
    ['{"header":{},"messages":[1]}{}', /after the end/],
    ['{"header":{},"messages":[1]}\0', /after the end/],
    ['\ufeff{}', /must be an object/],
  ])('refuses %o', async (text, reason) => {
    expect(await errorOf(text)).toMatch(reason)
  })

  test('reports line and byte of an error', async () => {
    expect(await errorOf('{\n"ü":1,\n "header" 5}')).toBe(
      'The document is not valid JSON at line 3, byte 21. Expected a colon.',
    )
  })

  test('reports a reason wherever a document is cut off', async () => {
    const text = '{"header":{"a":["\\"",1]},"messages":[{"b":"é"},{"c":null}]}'
    const bytes = Buffer.from(text)
    for (let length = 0; length < bytes.length; length++) {
      await expect(findLayout(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(FeedError)
    }
  })

  const text = 'x'.repeat(10_000)
  test.each([
    ['messages', `{"header":{},"messages":[${Array(3_000).fill(`"${text}"`).join()}]}`],
    ['members', `{"header":{},"messages":[0],${Array(3_000).fill(`"a":"${text}"`).join()}}`],
  ])('lets other work go on while it reads a document of many %s', async (_what, document) => {
    const layout = findLayout(Buffer.from(document))
    const other = new Promise((resolve) => setImmediate(() => resolve('other work')))
    expect(await Promise.race([layout, other])).toBe('other work')
    await layout
  })
})
