import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertAsyncProperty } from '../../../test/support/property.ts'
import { parseStrictJson } from '../../http/json-body.ts'
import { parseParts } from './json-text.ts'

/** With the smallest parts: an item each. */
const parse = (text: string) => parseParts(text, undefined, 1)

const parseWhole = (text: string): unknown => {
  try {
    return parseStrictJson(text)
  } catch {
    return undefined
  }
}

const object = fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()), { minKeys: 1 })

test('an object that is read in parts is the same as when it is read at once', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(object, fc.integer({ min: 0, max: 2 }), async (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      expect(await parse(text), text).toEqual(parseWhole(text))
    }),
  )
})

test.each(['constructor', 'valueOf', 'toString', 'hasOwnProperty'])(
  'a field %s is read in parts, too',
  async (name) => {
    for (const value of [1, [1, 2]]) expect(await parse(JSON.stringify({ [name]: value }))).toEqual({ [name]: value })
  },
)

test('a text of many small fields is read in few steps', async () => {
  const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index]))
  const text = JSON.stringify(fields)
  const reported: number[] = []
  expect(await parseParts(text, (done) => reported.push(done), 4_000)).toEqual(fields)
  expect(reported.length).toBeLessThan(text.length / 4_000 + 1)
  expect(reported.at(-1)).toBe(text.length)
})

test('what is refused at once is not read in parts either, whatever character is wrong', async () => {
  const change = fc.constantFrom('', ',', ',,', '[', ']', '{', '}', '"', ':', ' ', '1', '\\')
  await assertAsyncProperty(
    fc.asyncProperty(object, fc.nat(), change, async (value, place, inserted) => {
      const text = JSON.stringify(value)
      const at = place % text.length
      for (const changed of [text.slice(0, at) + inserted + text.slice(at), text.slice(0, at) + text.slice(at + 1)]) {
        const whole = parseWhole(changed)
        const read = await parse(changed)
        // It may leave what is valid to the parser of the whole.
        if (whole === undefined || read !== undefined) expect(read, changed).toEqual(whole)
      }
    }),
    500,
  )
})

test.each([
  '{"a":[1,]}',
  '{"a":[,1]}',
  '{"a":[1}}',
  '{"a":[1]]',
  '{"a":1,}',
  '{"a":1}x',
  '{"a":1,"a":2}',
  '{"a":[1],"a":[2]}',
  '{"a":"x',
  '{"a',
  '{"a"',
  '{"\\x":1}',
  '{"__proto__":1}',
  '[]',
  '{',
  '',
])('%s is not read in parts', async (text) => {
  expect(await parse(text)).toBeUndefined()
})
