import { describe, expect, test } from 'vitest'
import { FeedError } from '../../feed-error.ts'
import { JsonScanner, textOf } from './json-scanner.ts'

/** What the scanner takes to be the one value of the text. */
function scan(text: string): string {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner(bytes)
  const span = scanner.value('')
  scanner.end()
  return textOf(bytes, span)
}

function errorOf(text: string): string {
  try {
    scan(text)
  } catch (error) {
    expect(error).toBeInstanceOf(FeedError)
    return (error as FeedError).message
  }
  throw new Error(`It is JSON: ${text}`)
}

const isJson = (text: string) => isDone(() => JSON.parse(text))
const isTaken = (text: string) => isDone(() => scan(text))

function isDone(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Each of them is JSON, and has something of all that JSON can have. */
const samples = [
  '{"a":[1,-2.5e+3,0.5E-7,-0,true,false,null],"b":{"c":{}},"":[]}',
  String.raw`["\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00","plain é 😀 €",""]`,
  ' \t\r\n[ { "a" : [ ] , "b" : "x" } , 12 ] \n',
]

/** The characters with a meaning in JSON, and some that are not allowed. */
const letters = [...'{}[]",:\\ 019-+.eEtrufalsn\u0000\u0001\u001f\u007f\t\n\ré\u2028']

describe('the scanner accepts exactly what JSON.parse accepts:', () => {
  test.each([
    ...samples,
    ...['0', '-0', '10', '-1', '1.0', '1e5', '1E+05', '1e-5', '123456789012345678901234567890', '1e999'],
    ...['true', 'false', 'null', '""', '[]', '{}', '[[]]', '{"a":{}}', '"\u007f\u2028"', '{"a":1,"a":2}'],
    ...['', ' ', '01', '-', '+1', '1.', '.5', '1e', '1e+', '--1', '0x1', '1_0', '٣', 'NaN', 'Infinity', 'undefined'],
    ...['tru', 'truee', 'True', 'nul', "'a'", '"', '"a', '"\\', '"\\u', '"\\u12', '"\\u12G4"', '"\\x41"', '"\\u 123"'],
    ...['"a\nb"', '"a\tb"', '"\u0000"', '[', '[1', '[1,', '[1,]', '[,1]', '[1 2]', '[1}', ']', '[]]', '[1]x'],
    ...['{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{,}', '{a:1}', '{1:1}', '{"a" 1}', '{"a"::1}', '{]'],
    ...['//x\n1', '/**/1', '\ufeff1', '\u00a01', '1\v', '"a""b"', '1,2', '{"a":1}{}'],
  ])('%j', (text) => {
    expect(isTaken(text)).toBe(isJson(text))
  })

  test('with any character removed, doubled or replaced', () => {
    for (const sample of samples) {
      const characters = [...sample]
      for (const [index, character] of characters.entries()) {
        for (const instead of ['', character + character, ...letters]) {
          const text = characters.with(index, instead).join('')
          expect(isTaken(text), JSON.stringify(text)).toBe(isJson(text))
        }
      }
    }
  })

  test('when cut off anywhere, with a reason', () => {
    for (const sample of samples) {
      const text = sample.trim()
      for (let length = 0; length < text.length; length++) {
        expect(isTaken(text.slice(0, length)), text.slice(0, length)).toBe(false)
      }
    }
  })
})

describe('reports the first invalid byte:', () => {
  test.each([
    ['[1,\n2,\n  3 4]', 'line 3, byte 12. Expected a comma or the end of the list.'],
    ['["é", x]', 'line 1, byte 8. Expected a value.'],
    ['[True]', 'line 1, byte 2. Expected a value.'],
    ['[nil]', 'line 1, byte 3. Expected null.'],
    ['[1.]', 'line 1, byte 4. Expected a digit.'],
    ['[-x]', 'line 1, byte 3. Expected a digit.'],
    ['[01]', 'line 1, byte 3. Expected a comma or the end of the list.'],
    [String.raw`["ab\q"]`, 'line 1, byte 6. Invalid escape sequence.'],
    [String.raw`["\u12x4"]`, 'line 1, byte 7. Invalid escape sequence.'],
    ['["a\tb"]', 'line 1, byte 4. Control characters in strings must be escaped.'],
    ['{"a":1,}', 'line 1, byte 8. Expected a quoted key.'],
    ['{"a" 1}', 'line 1, byte 6. Expected a colon.'],
    ['[1,]', 'line 1, byte 4. Expected a value.'],
    ['["\\u12', 'line 1, byte 7. Unexpected end of document.'],
    ['[{"a":', 'line 1, byte 7. Unexpected end of document.'],
    ['[1] 2', 'line 1, byte 5. Unexpected data after the end of the document.'],
  ])('%j', (text, reason) => {
    expect(errorOf(text)).toBe(`The document is not valid JSON at ${reason}`)
  })

  test('at 101 levels', () => {
    expect(scan('['.repeat(100) + ']'.repeat(100))).toHaveLength(200)
    expect(errorOf('['.repeat(1000))).toContain('byte 101. The document is nested more than 100 levels deep')
  })
})
