import { describe, expect, test } from 'vitest'
import { Budget } from './expression-budget.ts'
import { Evaluation } from './expression-evaluation.ts'
import { parseExpression } from './expression-parser.ts'
import { NO_VALUE } from './expression-values.ts'

/** As the language definition has it: each table has expressions of one value. */
const payload = {
  n: 2,
  big: 2 ** 53,
  price: 19.99,
  text: 'SHOE-1',
  smile: 'a😀',
  yes: true,
  nothing: null,
  list: [1, 2, 3],
  mixed: [{ q: 1 }, {}, { q: 5 }],
  map: { a: 1, none: null },
  nested: { list: [{ x: [1, { y: null }] }] },
  same: { list: [{ x: [1, { y: null }] }] },
  absent: undefined,
}
const evaluate = (text: string) => new Evaluation(payload, new Budget()).evaluate(parseExpression(text))

const semantics: Record<string, [value: unknown, expressions: string[]][]> = {
  'an operand that decides && or || hides an error of the other one': [
    [false, ['missing && false', 'false && missing', '(1 < "a") && false', 'n && false']],
    [true, ['missing || true', 'true || missing', '(1 < "a") || true', 'n || true']],
    [NO_VALUE, ['missing && true', 'true && missing', 'missing || false', 'false || missing', 'missing && missing']],
    [NO_VALUE, ['n && true', 'true && n', 'false || n', '!n', '!missing']],
  ],
  'the condition of ? : is a boolean, and only one branch is evaluated': [
    [1, ['yes ? 1 : missing', 'n == 2 ? 1 : 2', 'false ? missing : 1', 'false ? 3 : false ? 2 : 1']],
    [NO_VALUE, ['missing ? 1 : 2', 'n ? 1 : 2', 'yes ? missing : 1']],
  ],
  'values of different types are unequal, numbers are equal by value': [
    [true, ['n == 2', 'n == 2.0', 'n == 2u', '2 == 2.0', '0x10 == 16', '-0.0 == 0', 'price == 19.99', '.5 == 5e-1']],
    [true, ['n != "2"', 'null != false', 'yes != 1', 'list != map', 'list != [1, 2]', 'list != [1, 2, 4]']],
    [true, ['list == [1, 2.0, 3u,]', 'nested == same', 'nothing == null', 'map == map', '[] == []', '[[]] != [[1]]']],
    [true, ['9007199254740993 != 9007199254740992', '9223372036854775807 == 9223372036854775807']],
    [true, ['big == 9007199254740992', 'big != 9007199254740993']],
    [
      NO_VALUE,
      ['missing == missing', 'missing != 1', 'n.x == 1', 'list.size == 3', 'nothing.x == null', 'absent == null'],
    ],
  ],
  'numbers, texts and booleans have an order, and only within their kind': [
    [
      true,
      ['n < 3', 'n <= 2.0', 'price > 19u', '1 < 1.5', '-1 < 0u', 'big < 9007199254740993', 'big >= 9007199254740992'],
    ],
    [true, ['"a" < "b"', '"" < "a"', '"ab" > "a"', '"B" < "a"', '"a" >= "a"', 'false < true', 'true >= true']],
    // U+FF61 is below U+1F600, whose first UTF-16 unit is below U+FF61.
    [true, ['"\\uFF61" < "\\U0001F600"', '"\\U0001F600" > "\\uFF61"', '"\\U0001F600" < "\\U0001F601"']],
    [false, ['n < 2', 'n > 2.0', '"a" > "b"', '"a" < "a"', 'true < false']],
    [NO_VALUE, ['n < "3"', '"3" > n', 'null < 1', '[1] < [2]', 'map > map', 'true < 1', 'missing < 1', '1 < missing']],
  ],
  'in finds elements of lists by equality and keys of maps': [
    [true, ['2 in list', '2.0 in list', '"a" in map', '"none" in map', 'null in [1, null]', '[1] in [[1], [2]]']],
    [true, ['map in [map]', '"2" in [1, "2"]']],
    [
      false,
      [
        '4 in list',
        '"2" in list',
        '"b" in map',
        '1 in map',
        'true in map',
        'null in list',
        '1 in []',
        '"absent" in map',
      ],
    ],
    [
      NO_VALUE,
      ['1 in 2', '"S" in text', 'null in map', '[1] in map', 'missing in list', '1 in missing', '1 in [1, missing]'],
    ],
  ],
  'has() tests whether a map has the field, also if it is null': [
    [true, ['has(map.a)', 'has(map.none)', 'has(nested.list)', 'mixed.exists(m, has(m.q))']],
    [false, ['has(map.b)', 'has(map.constructor)', 'has(map.__proto__)', 'mixed.all(m, has(m.q))']],
    [NO_VALUE, ['has(missing.a)', 'has(map.b.c)', 'has(text.length)', 'has(list.size)', 'has(nothing.x)']],
  ],
  'all() and exists() decide as && and || between the elements': [
    [true, ['list.all(i, i > 0)', '[].all(i, missing)', 'list.exists(i, i == 3)', 'mixed.exists(m, m.q == 5)']],
    [true, ['map.all(k, k in ["a", "none"])', 'map.exists(k, k == "a")', '[1, "a"].exists(i, i < 2)']],
    [false, ['list.all(i, i > 1)', '[].exists(i, true)', 'mixed.all(m, m.q == 1)', '["a", 1].all(i, i > 2)']],
    [NO_VALUE, ['mixed.all(m, m.q > 0)', 'mixed.exists(m, m.q == 9)', 'list.all(i, i)', 'list.exists(i, "x")']],
    [NO_VALUE, ['text.all(c, true)', 'n.exists(i, true)', 'missing.all(i, true)', 'nothing.exists(i, true)']],
  ],
  'exists_one() holds for exactly one element, and any error is an error of it': [
    [true, ['list.exists_one(i, i > 2)', 'map.exists_one(k, k == "a")']],
    [false, ['list.exists_one(i, i > 1)', 'list.exists_one(i, i > 9)', '[].exists_one(i, true)']],
    [NO_VALUE, ['mixed.exists_one(m, m.q == 1)', 'list.exists_one(i, i)', 'n.exists_one(i, true)']],
  ],
  'a variable hides a field and the variable of an outer quantifier': [
    [true, ['["x"].all(n, n == "x")', '[1].all(i, [2].all(i, i == 2))', '[1].all(i, [2].all(j, i < j && n == 2))']],
    [NO_VALUE, ['[1].all(i, true) && i == 1']],
  ],
  'size() counts code points, elements and fields': [
    [2, ['size(smile)', 'smile.size()', 'size(map)', 'map.size()', '[1, [2, 3]].size()']],
    [0, ['"".size()', '[].size()']],
    [NO_VALUE, ['size(n)', 'size(null)', 'size(true)', 'size(missing)', 'n.size()']],
  ],
  'texts are tested by startsWith(), endsWith() and contains()': [
    [
      true,
      [
        'text.startsWith("SHOE")',
        'text.endsWith("-1")',
        'text.contains("OE-")',
        'text.contains("")',
        '"".endsWith("")',
      ],
    ],
    [false, ['text.startsWith("shoe")', 'text.endsWith("2")', 'text.contains("x")', '"".contains("a")']],
    [
      NO_VALUE,
      ['n.startsWith("2")', 'text.endsWith(1)', 'list.contains(1)', 'missing.contains("a")', 'text.contains(missing)'],
    ],
  ],
  'literals are those of the language': [
    ['\x07\b\f\n\r\t\v\\?\'"`', [`'\\a\\b\\f\\n\\r\\t\\v\\\\\\?\\'\\"\\\`'`]],
    ['é😀A!', ['"\\u00e9\\U0001F600\\x41\\041"']],
    ['a\\nb', [`r'a\\nb'`, `R"a\\nb"`]],
    [`a'"\nb`, [`'''a'"\nb'''`, `"""a'"\nb"""`]],
    [-9223372036854775808n, ['-9223372036854775808', '-0x8000000000000000']],
    [18446744073709551615n, ['18446744073709551615u', '0xFFFFFFFFFFFFFFFFu']],
  ],
}

describe.each(Object.entries(semantics))('%s', (_claim, tables) => {
  const cases = tables.flatMap(([value, expressions]) => expressions.map((text) => ({ text, value })))
  test.each(cases)('$text is $value', ({ text, value }) => {
    expect(evaluate(text)).toEqual(value)
  })
})
