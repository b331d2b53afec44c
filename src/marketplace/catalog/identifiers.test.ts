import { describe, expect, test } from 'vitest'
import { canonicalIdentifier, checkDigit, type IdentifierType, isValidGtin } from './identifiers.ts'

describe('canonicalIdentifier', () => {
  test.each<[IdentifierType, string]>([
    ['UPC', '036000291452'],
    ['EAN', '0036000291452'],
    ['JAN', '0036000291452'],
    ['GTIN', '00036000291452'],
    ['UPC', ' 0 36000-29145 2 '],
  ])('maps %s %s to the same number', (type, value) => {
    expect(canonicalIdentifier({ type, value })).toEqual({ type: 'GTIN', value: '00036000291452' })
  })

  test('treats an ISBN-13 as an EAN, and keeps an ISBN-10', () => {
    expect(canonicalIdentifier({ type: 'ISBN', value: '978-3-16-148410-0' })).toEqual({
      type: 'GTIN',
      value: '09783161484100',
    })
    expect(canonicalIdentifier({ type: 'ISBN', value: '3-16-148410-x' })).toEqual({ type: 'ISBN', value: '316148410X' })
  })

  test('keeps a MINSAN, and text that is not a number', () => {
    expect(canonicalIdentifier({ type: 'MINSAN', value: '012345678' })).toEqual({ type: 'MINSAN', value: '012345678' })
    expect(canonicalIdentifier({ type: 'EAN', value: 'nonsense' })).toEqual({ type: 'EAN', value: 'NONSENSE' })
  })
})

test.each(['4006381333931', '036000291452', '96385074', '10614141000415'])('the check digit of %s is valid', (gtin) => {
  expect(checkDigit(gtin.slice(0, -1))).toBe(gtin.at(-1))
  expect(isValidGtin(gtin)).toBe(true)
  const wrong = `${gtin.slice(0, -1)}${(Number(gtin.at(-1)) + 1) % 10}`
  expect(isValidGtin(wrong)).toBe(false)
})

test.each(['', '1234567', '123456789012345', '40063813339a1'])('"%s" is not a GTIN', (text) => {
  expect(isValidGtin(text)).toBe(false)
})
