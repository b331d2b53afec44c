import { describe, expect, test, vi } from 'vitest'
import * as yaml from 'yaml'
import { parsePlainYaml } from './plain-yaml.ts'
import { parseYamlText } from './yaml-text.ts'
import { yamlLines } from './yaml-writer.ts'

const values = [
  '',
  ' ',
  'plain text',
  'a: b',
  'a #b',
  '- a',
  '# a',
  'yes',
  'No',
  'null',
  'Null',
  '~',
  '123',
  '1e3',
  '0x1F',
  '.5',
  '2026-01-31',
  '2026-01-31T10:00:00Z',
  '701-0000000-0000001',
  'a\nb\tc',
  '"quoted"',
  "it's",
  '👟 größe',
  '\u0085\u2028\ufeff',
  '&anchor',
  '*alias',
  '!tag',
  '{a}',
  '[a]',
  'a, b',
  '%',
  '@',
  '`',
  'trailing ',
  '\\u0041',
  0,
  -1.5,
  1e21,
  4990,
  true,
  false,
  null,
  [],
  {},
  [[], [1, ['x']], {}],
  { 'odd key': 1, 'a: b': { c: [{ d: 'e', f: [] }] }, yes: 'no' },
]

describe('what an export writes', () => {
  test.each(values.map((value) => [JSON.stringify(value), value]))('%s is read back as it was', (_, value) => {
    const document = { first: { second: value, list: [value, { member: value, other: value }] } }
    const text = `${yamlLines(document, '')}\n`
    expect(yaml.parse(text)).toEqual(document)
    expect(yaml.parse(text, { version: '1.1' })).toEqual(document)
    expect(parsePlainYaml(text)?.value).toEqual(document)
  })
})

describe('the reader of plain YAML', () => {
  test.each([
    'a: b\nc:\n  - d\n  - e: f\n    g: 1',
    'a:\nb: 1',
    'a:\n- b\n- c',
    '- - a\n  - b\n- c',
    'a: "x" # comment',
    "a: 'x'",
    'a: b\n  c',
    'a: |\n  text\n  more',
    'a: [b, c]',
    'a: {b: c}',
    'a: &x 1\nb: *x',
    'a: 1\na: 2',
    '? a\n: b',
    'a: True\nb: NULL\nc: 012\nd: +1\ne: 1.\nf: 0o7',
    'a: b: c',
    'a:b',
    '"a": 1\n"b\\tc": 2',
    'a:\n    b: 1\n  c: 2',
    '  a: 1\n  b: 2',
    'a: -\nb: - c',
    '# only\n\na: x   \n',
    'a:\r\n  - b\r\n  - c: d\r\n',
    'a: http://example.com/x?y=z',
    'a: x#y',
    '-1: a',
    'plain',
    'a: ""',
    'a: 1_000\nb: 12:30',
    'a: <<\n',
    'a:   b',
  ])('reads %j as the parser of YAML does, or not at all', (text) => {
    const plain = parsePlainYaml(text)
    if (plain) expect(plain.value).toEqual(yaml.parse(text))
  })
})

describe('a text of more than a megabyte', () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({ sellerId: `A${index}`, name: 'x'.repeat(400) }))
  const lines = items.flatMap(({ sellerId, name }, index) => [
    `  - sellerId: ${sellerId}`,
    '    # in between',
    // One that only the parser of YAML reads.
    `    name: ${name}${index === 2999 ? ' # comment' : ''}`,
  ])
  lines.unshift('# a comment', 'version: 1', 'sellers:')
  const text = [...lines, 'listings:', '- {sku: x}', 'orders: []', ''].join('\n')

  test('is read in parts, to the same value', async () => {
    expect(text.length).toBeGreaterThan(1024 * 1024)
    const { value, locate } = await parseYamlText(text)
    expect(value).toEqual({ version: 1, sellers: items, listings: [{ sku: 'x' }], orders: [] })
    const place = (index: number) => ({ line: lines.indexOf(`  - sellerId: A${index}`) + 1, column: 5 })
    expect(locate('sellers[2999].sellerId')).toEqual(place(2999))
    expect(locate('sellers[0]')).toEqual(place(0))
    expect(locate('listings[0].sku')).toEqual({ line: lines.length + 2, column: 4 })
    expect(locate('version')).toEqual({ line: 2, column: 1 })
  })

  test('is refused with the line of a mistake', async () => {
    const wrong = text.replace('- sellerId: A2998\n', '- sellerId: !tag A2998\n')
    const line = lines.indexOf('  - sellerId: A2998') + 1
    await expect(parseYamlText(wrong)).rejects.toThrow(`seed:${line}:15: is not valid YAML`)
    await expect(parseYamlText(`${text}sellers: []\n`)).rejects.toThrow(/sellers: is duplicated/)
  })

  test('may begin as YAML files often do', async () => {
    const { value, locate } = await parseYamlText(`%YAML 1.2\n--- # start\n${text}`)
    expect(value).toMatchObject({ version: 1, sellers: items })
    expect(locate('version')).toEqual({ line: 4, column: 1 })
  })

  test.each([
    [
      'in braces',
      `# a\n{sellers: [${'{sellerId: A1}, '.repeat(80_000)}]}`,
      /^seed:2:1: is too large to be read at once/,
    ],
    ['with a list in brackets', `a: 1\nsellers: [${'{a: b}, '.repeat(150_000)}]`, /^seed:2:1: sellers: is too large/],
    ['with aliases', `${text}b: &b 1\nc: *b`, /^seed:9008:4: is an alias, which a file of more than 1 MiB/],
  ])('%s is refused', async (_, unsplit, expected) => {
    await expect(parseYamlText(unsplit)).rejects.toThrow(expected)
  })

  test('is parsed once for mistakes that are close together', async () => {
    const { locate } = await parseYamlText(text)
    const parse = vi.spyOn(yaml.Parser.prototype, 'parse')
    for (let index = 2900; index < 3000; index++) locate(`sellers[${index}].name`)
    expect(parse).toHaveBeenCalled()
    expect(parse.mock.calls.length).toBeLessThanOrEqual(2)
    parse.mockRestore()
  })
})

describe('a short text cannot stand for a large value', () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `  k${index}: 1`).join('\n')

  test.each([
    ['merge keys', `a: &a\n${keys}\nsellers:\n${'  - <<: *a\n'.repeat(1000)}`, /^seed:1003:5: is a merge key/],
    ['merge keys of YAML 1.1', '%YAML 1.1\n---\na: &a {b: 1}\nc:\n  <<: *a', /^seed:5:3: is a merge key/],
    ['ordered maps', 'a: !!omap [b: 1]', /Unresolved tag/],
    ['aliases of a map', `a: &a\n${keys}\nb:\n${'  - *a\n'.repeat(1000)}`, /^seed:\d+:5: is one of too many aliases/],
    ['aliases of a text', `a: &a ${'x'.repeat(100_000)}\nb:\n${'  - *a\n'.repeat(1000)}`, /too many aliases/],
    ['many aliases', `a: &a 1\nb:\n${'  - *a\n'.repeat(10_001)}`, /^seed:10003:5: is one of too many aliases/],
    ['an alias of what contains it', 'a: &a [*a]', /^seed:1:8: is an alias of a, which is no anchor of an earlier/],
  ])('by %s', async (_, text, expected) => {
    await expect(parseYamlText(text)).rejects.toThrow(expected)
  })

  test('but a few aliases are read', async () => {
    const { value } = await parseYamlText('a: &a {b: [1]}\nc: *a\nd: "<<"\n"<<": 1')
    expect(value).toEqual({ a: { b: [1] }, c: { b: [1] }, d: '<<', '<<': 1 })
  })
})
