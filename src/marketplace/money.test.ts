import { expect, test } from 'vitest'
import { formatMinor, toMinor } from './money.ts'

test.each([
  [5990, 'EUR', '59.90'],
  [5990, 'JPY', '5990'],
  [5990, 'KWD', '5.990'],
  [5990, 'HUF', '59.90'],
  [5990, 'CLF', '0.5990'],
  [5, 'USD', '0.05'],
  [50, 'USD', '0.50'],
  [7, 'KWD', '0.007'],
  [0, 'USD', '0.00'],
  [0, 'JPY', '0'],
])('%i minor units of %s are written %s', (minor, currencyCode, text) => {
  expect(formatMinor(minor, currencyCode)).toBe(text)
})

test('negative amounts start with a sign, and zero has none', () => {
  expect(formatMinor(-5, 'USD')).toBe('-0.05')
  expect(formatMinor(-5990, 'JPY')).toBe('-5990')
  expect(formatMinor(-0, 'USD')).toBe('0.00')
})

test('formatting never rounds a stored amount', () => {
  expect(formatMinor(Number.MAX_SAFE_INTEGER, 'EUR')).toBe('90071992547409.91')
  expect(formatMinor(Number.MIN_SAFE_INTEGER, 'KWD')).toBe('-9007199254740.991')
})

test('an unknown currency has two digits', () => {
  expect(formatMinor(1234, 'XQZ')).toBe('12.34')
})

test.each([
  [59.9, 'EUR', 5990],
  [5990, 'JPY', 5990],
  [5.99, 'KWD', 5990],
  // Slightly less than a half as products of binary fractions.
  [1.005, 'USD', 101],
  [8.325, 'EUR', 833],
  [0.0000001, 'USD', 0],
  [1e21, 'JPY', 1e21],
])('%d %s is %d minor units, rounded by its decimal digits', (amount, currencyCode, minor) => {
  expect(toMinor(amount, currencyCode)).toBe(minor)
})
