import { describe, expect, test } from 'vitest'
import { satisfies } from './expression.ts'
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

describe('a filter expression lets through', () => {
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
  ])('%s', (expression) => {
    expect(satisfies(expression, payload)).toBe(true)
  })
})

describe('a filter expression holds back', () => {
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
    expect(satisfies(expression, payload)).toBe(false)
  })
})

describe('a filter expression that cannot be read says where', () => {
  test.each([
    ['', 1, 'ends too soon'],
    ['a ==', 5, 'ends too soon'],
    ['a b', 3, 'b cannot stand here'],
    ['a + 1', 3, 'arithmetic'],
    ['a % 2 == 0', 3, 'arithmetic'],
    ['a[0]', 2, 'indexing'],
    ['(a', 3, ') is missing'],
    ['"a', 1, 'does not end'],
    ['"\\x"', 2, 'escape'],
    ['a.matches("x")', 3, 'no function matches'],
    ['f(a)', 1, 'no function f'],
    ['has(a)', 5, 'takes a field'],
    ['a.exists(1, true)', 10, 'a name is missing'],
    ['a = 1', 3, '= has no meaning'],
    ['a ? b', 6, ': is missing'],
    ['in', 1, 'cannot stand here'],
    ['1 2', 3, 'this value cannot stand here'],
  ])('%s at %i: %s', (expression, position, reason) => {
    expect(() => parseExpression(expression)).toThrow(expect.objectContaining({ position }))
    expect(() => parseExpression(expression)).toThrow(reason)
  })
})

test('an expression that would walk for hours is given up, and holds back', () => {
  const list = Array.from({ length: 100 }, (_, index) => index)
  const expression = 'l.all(a,l.all(b,l.all(c,l.all(d,l.all(e,l.all(f,l.all(g,true)))))))'
  expect(satisfies(expression, { l: list })).toBe(false)
})

test('parentheses as deep as an expression can have them are read', () => {
  expect(satisfies(`${'('.repeat(126)}true${')'.repeat(126)}`, {})).toBe(true)
  expect(satisfies(`${'!'.repeat(252)}true`, {})).toBe(true)
})
