import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/souk-process.ts'
import { type FieldSchema, readControlOperations } from './operations.ts'
import { parseDuration, parseField } from './values.ts'

test.each([
  ['90', 90],
  ['90s', 90],
  ['1.5h', 5400],
  ['1h30m', 5400],
  ['30d', 2_592_000],
  ['2w', 1_209_600],
  ['500ms', 0.5],
])('the duration %s has %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})

test.each(['', '1y', 'h', '-1h', '1h 30m', '1e3', '0x10'])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

describe('the text of an option becomes the value of its field:', () => {
  const parse = (schema: FieldSchema, text: string, name = 'field') =>
    parseField({ name, in: 'body', required: false, schema }, text)

  test.each<[FieldSchema, string, unknown]>([
    [{ type: 'string' }, '5', '5'],
    [{ type: 'integer' }, '5', 5],
    [{ type: 'number' }, '-1.5', -1.5],
    [{ type: 'boolean' }, 'true', true],
    [{ enum: [403, 400] }, '400', 400],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'b', 'b'],
    [{ type: 'array', items: { type: 'string' } }, 'a, b', ['a', 'b']],
    [{ type: 'array', items: { type: 'object' } }, '[{"sku":"A"}]', [{ sku: 'A' }]],
    [{ type: 'array', items: { type: 'object' } }, '{"sku":"A"}', [{ sku: 'A' }]],
    [{ type: 'object' }, '{"a":1}', { a: 1 }],
    [{}, 'text', 'text'],
    [{}, '5', 5],
  ])('%j %j', (schema, text, value) => {
    expect(parse(schema, text)).toEqual(value)
  })

  test.each<[FieldSchema, string, string]>([
    [{ type: 'integer' }, 'five', 'field must be a number, not "five".'],
    [{ type: 'number' }, '', 'field must be a number'],
    [{ type: 'boolean' }, 'yes', 'field must be true or false, not "yes".'],
    [{ enum: [403, 400] }, '409', 'field must be 403 or 400, not "409".'],
    [{ type: 'object' }, '{', 'field is not valid JSON'],
    [{ type: 'object' }, '@/missing/file', 'The file of field cannot be read'],
  ])('%j refuses %j', (schema, text, message) => {
    expect(() => parse(schema, text)).toThrow(message)
  })

  test('a field of seconds takes a duration', () => {
    expect(parse({ type: 'number' }, '1d', 'advanceSeconds')).toBe(86_400)
    expect(() => parse({ type: 'number' }, 'soon', 'advanceSeconds')).toThrow('such as 90s, 1h30m or 30d, not "soon"')
  })
})

test('a file may have one item of a list, as an argument may', () => {
  const file = join(temporaryFolder(), 'one.json')
  writeFileSync(file, '{"operation":"getOrder"}')
  const field = { name: 'expectations', in: 'body', required: true, schema: { type: 'array' } } as const
  for (const text of [`@${file}`, '{"operation":"getOrder"}']) {
    expect(parseField(field, text)).toEqual([{ operation: 'getOrder' }])
  }
})

test('the fields of an operation are those of its OpenAPI document, also of a body that may be absent', () => {
  const operations = readControlOperations()
  const fieldsOf = (id: string) =>
    operations.find(({ operationId }) => operationId === id)?.fields.map(({ name, in: place }) => `${place} ${name}`)
  expect(fieldsOf('advanceClock')).toEqual(['body advanceSeconds', 'body time', 'body frozen', 'body keepTokens'])
  expect(fieldsOf('reset')).toContain('body time')
  expect(fieldsOf('stopFork')).toEqual(['path id'])
  expect(fieldsOf('getEventBus')).toEqual(['query limit'])
})
