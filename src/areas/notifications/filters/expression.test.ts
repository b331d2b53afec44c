import { describe, expect, test } from 'vitest'
import { matchesExpression } from './expression.ts'
import { FilterError } from './expression-errors.ts'
import { parseExpression } from './expression-parser.ts'

const payload = {
  OrderChangeNotification: {
    SellerId: 'A1',
    OrderChangeType: 'OrderStatusChange',
    Urgent: true,
    Nothing: null,
    Summary: {
      MarketplaceId: 'ATVPDKIKX0DER',
      NumberOfItemsShipped: 2,
      OrderItems: [
        { SellerSKU: 'SHOE-1', Quantity: 1 },
        { SellerSKU: 'LAMP-7', Quantity: 5 },
      ],
      OrderPrograms: ['Prime', 'Business'],
    },
  },
}
const N = 'OrderChangeNotification'
const S = `${N}.Summary`

describe('a filter expression accepts', () => {
  test.each([
    `${N}.SellerId == "A1"`,
    `${N}.SellerId == 'A1'`,
    `${N}.SellerId != 'B'`,
    `${N}.Urgent`,
    `${N}.Urgent == true && !false`,
    `${N}.Nothing == null`,
    `${S}.NumberOfItemsShipped >= 2 && ${S}.NumberOfItemsShipped < 2.5`,
    `${S}.NumberOfItemsShipped > -1`,
    `${S}.MarketplaceId in ['ATVPDKIKX0DER', 'A1PA6795UKMFR9']`,
    `'Prime' in ${S}.OrderPrograms`,
    `'SellerId' in ${N}`,
    `has(${N}.SellerId) && !has(${N}.BuyerId)`,
    `size(${S}.OrderItems) == 2 && ${N}.SellerId.size() == 2`,
    `${S}.OrderItems.exists(i, i.Quantity > 4 && i.SellerSKU.startsWith('LAMP'))`,
    `${S}.OrderItems.all(i, i.Quantity > 0)`,
    `${S}.OrderItems.exists_one(i, i.SellerSKU.endsWith('-1'))`,
    `${N}.OrderChangeType.contains('Status')`,
    `${N}.Urgent ? ${N}.SellerId == 'A1' : false`,
    `(false || true) && (true)`,
    `${N}.Missing == 1 || ${N}.SellerId == 'A1'`,
    `'it\\'s' == "it's"`,
    `${S}.OrderPrograms == ['Prime', 'Business']`,
    `${N}.SellerId == 'A1' // the first seller`,
  ])('%s', (expression) => {
    expect(matchesExpression(expression, payload)).toBe(true)
  })
})

describe('a filter expression rejects', () => {
  test.each([
    `${N}.SellerId == 'B'`,
    `${N}.Missing == 1`,
    `!(${N}.Missing == 1)`,
    `Missing.At.All == 1`,
    `${N}.Missing == 1 && true`,
    `${N}.SellerId > 1`,
    `${N}.SellerId`,
    `${N}.SellerId.exists(i, true)`,
    `1 in 2`,
    `size(1) == 1`,
    `constructor == 1 || has(${N}.constructor)`,
    `${N}.__proto__ == null`,
  ])('%s', (expression) => {
    expect(matchesExpression(expression, payload)).toBe(false)
  })
})

describe('the error for an invalid filter expression has a position and a reason', () => {
  test.each([
    ['', 1, 'unexpected end'],
    ['a ==', 5, 'unexpected end'],
    ['a b', 3, 'b is not allowed here'],
    ['a -1', 3, 'arithmetic'],
    ['-a == 1', 1, 'arithmetic'],
    ['a + 1', 3, 'arithmetic'],
    ['a % 2 == 0', 3, 'arithmetic'],
    ['a[0]', 2, 'indexing'],
    ['(a', 3, ') is missing'],
    ['"a', 1, 'unterminated string'],
    ['"a\nb"', 1, 'unterminated string'],
    ['"\\x"', 2, 'escape'],
    ['"\\uD800"', 2, 'escape'],
    ['"\\U00110000"', 2, 'escape'],
    ["b'a'", 1, 'bytes are not supported'],
    ['a.matches("x")', 3, 'unknown function matches(); supported functions are has, size, startsWith'],
    ['f(a)', 1, 'unknown function f()'],
    ['a.map(x, x)', 3, 'unknown function map()'],
    ['int(a)', 1, 'unknown function int()'],
    ['has(a)', 5, 'requires a field'],
    ['has()', 5, 'has() requires an argument'],
    ['has(a.b, c)', 8, 'has() has too many arguments'],
    ['size()', 6, 'size() requires an argument'],
    ['a.size(b)', 8, 'takes no argument'],
    ['a.startsWith()', 14, 'startsWith() requires an argument'],
    ["a.contains('b', 'c')", 15, 'contains() has too many arguments'],
    ['a.all(x)', 8, ', is missing'],
    ['a.all(x, )', 10, 'all() requires an argument'],
    ['a.all(x, y, z)', 11, 'all() has too many arguments'],
    ['a.exists(1, true)', 10, 'the name of a variable is missing'],
    ['a.exists(true, true)', 10, 'the name of a variable is missing'],
    ['a.exists(if, true)', 10, 'if is a reserved word'],
    ['while', 1, 'while is a reserved word'],
    ['a.in', 3, 'a field is missing'],
    ["{'a': 1}", 1, 'maps are not supported'],
    ['a == 9223372036854775808', 6, 'not a 64-bit integer'],
    ['a == -1u', 6, 'not a 64-bit integer'],
    ['a == 1e999', 6, 'range of a double'],
    ['a.all(b,b.all(c,c.all(d,d.all(e,true))))', 27, 'all() is nested deeper than 3 levels'],
    ['a = 1', 3, 'use =='],
    ['a & b', 3, 'use &&'],
    ['a ; b', 3, '; is not allowed'],
    ['a ? b', 6, ': is missing'],
    ['in', 1, 'is not allowed here'],
    ['1 2', 3, 'this value is not allowed here'],
  ])('%s at %i: %s', (expression, position, reason) => {
    expect(() => parseExpression(expression)).toThrow(expect.objectContaining({ position }))
    expect(() => parseExpression(expression)).toThrow(reason)
  })
})

test('quantifiers side by side are not nested', () => {
  expect(matchesExpression('[1].all(a,[1].all(b,[1].all(c,true)))&&[1].all(a,[1].all(b,[1].all(c,true)))', {})).toBe(
    true,
  )
  expect(matchesExpression('[[1]].all(a,a.all(b,b==1)) && [[1]].exists(a,a.exists(b,b==1))', {})).toBe(true)
})

test('an expression of an older subscription that is no longer supported fails as a filter', () => {
  expect(() => matchesExpression('a + 1 == 2', {})).toThrow(FilterError)
  expect(() => matchesExpression('a + 1 == 2', {})).toThrow('position 3: arithmetic is not supported')
})

test('parentheses are parsed at the maximum depth', () => {
  expect(matchesExpression(`${'('.repeat(126)}true${')'.repeat(126)}`, {})).toBe(true)
  expect(matchesExpression(`${'!'.repeat(252)}true`, {})).toBe(true)
})
