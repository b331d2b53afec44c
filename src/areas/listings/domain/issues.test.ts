import { beforeAll, describe, expect, test } from 'vitest'
import { emptyReader } from '../../../../test/support/empty-reader.ts'
import { type ProductType, ProductTypes } from '../../../marketplace/product-types/index.ts'
import { distinctIssues, fromViolation, hasErrors, type Issue, renderIssue } from './issues.ts'

let productType: ProductType
beforeAll(async () => {
  productType = (await new ProductTypes().find(emptyReader, 'SHOES')) as ProductType
})

const kinds: Issue['kind'][] = [
  ...(['required', 'tooFew', 'belowMinimum', 'aboveMaximum', 'invalid', 'unknown', 'foreignMarketplace'] as const),
  ...(['unknownSku', 'noMatch', 'conflictingMatch', 'badImage', 'noMainImage', 'noPrice'] as const),
  ...(['priceOutOfBounds', 'wrongCurrency', 'restricted'] as const),
]
const CATEGORIES = [
  ...['INVALID_ATTRIBUTE', 'MISSING_ATTRIBUTE', 'INVALID_IMAGE', 'MISSING_IMAGE', 'INVALID_PRICE', 'MISSING_PRICE'],
  ...['DUPLICATE', 'QUALIFICATION_REQUIRED'],
]

describe('renderIssue', () => {
  test.each(kinds)('%s has messages in both languages, without placeholders', (kind) => {
    const issue = { kind, attribute: 'brand', place: '[0].value', limit: '5' }
    const [english, german] = ['en_US', 'de_DE'].map((locale) => renderIssue(issue, { locale, productType }))
    expect(english?.message).not.toBe(german?.message)
    for (const shown of [english, german]) {
      expect(shown?.message).not.toMatch(/[{}]/)
      expect(shown?.code).toMatch(/^\d+$/)
      expect(CATEGORIES).toContain(shown?.categories[0])
    }
  })

  test('uses the title of an attribute, or the name of an unknown one', () => {
    const message = (attribute: string, locale: string) =>
      renderIssue({ kind: 'required', attribute }, { locale, productType }).message
    expect(message('brand', 'en_US')).toContain("'Brand'")
    expect(message('brand', 'de_AT')).toContain('„Marke“')
    expect(message('brand', 'fr_FR')).toContain("'Brand'")
    expect(message('warp_drive', 'en_US')).toContain("'warp_drive'")
  })

  test.each([
    ['en_US', "'Brand' is not valid: array."],
    ['de_DE', '„Marke“ ist ungültig: array.'],
  ])('omits the path for an issue of the whole attribute: %s', (locale, message) => {
    const issue: Issue = { kind: 'invalid', attribute: 'brand', place: '', limit: 'array' }
    expect(renderIssue(issue, { locale, productType }).message).toBe(message)
  })

  test('does not expand placeholders in values of the seller', () => {
    const issue: Issue = { kind: 'foreignMarketplace', attribute: 'brand', place: '{limit}', limit: '$& {attribute}' }
    expect(renderIssue(issue, { locale: 'en_US', productType }).message).toContain(
      'at {limit} that is not part of the request: $& {attribute}',
    )
  })

  test('contains attribute, marketplaces and enforcement if present', () => {
    const withAll = renderIssue(
      { kind: 'noMainImage', attribute: 'brand' },
      { locale: 'en_US', productType, marketplaceIds: ['US'] },
    )
    expect(withAll).toMatchObject({
      attributeNames: ['brand'],
      marketplaceIds: ['US'],
      enforcements: { actions: [{ action: 'SEARCH_SUPPRESSED' }], exemption: { status: 'NOT_EXEMPT' } },
    })
    expect(Object.keys(renderIssue({ kind: 'unknownSku' }, { locale: 'en_US', productType }))).toEqual([
      'code',
      'message',
      'severity',
      'categories',
    ])
  })
})

test('a schema violation becomes an issue with the same path', () => {
  expect(fromViolation({ rule: 'tooFew', attribute: 'brand', path: '', limit: '1' })).toEqual({
    kind: 'tooFew',
    attribute: 'brand',
    place: '',
    limit: '1',
  })
})

test('warnings are not errors', () => {
  expect(hasErrors([{ kind: 'noMainImage' }, { kind: 'noPrice' }])).toBe(false)
  expect(hasErrors([{ kind: 'noMainImage' }, { kind: 'required' }])).toBe(true)
})

test('duplicate issues are removed', () => {
  const issue: Issue = { kind: 'required', attribute: 'brand' }
  expect(distinctIssues([issue, { ...issue }, { ...issue, attribute: 'style' }])).toEqual([
    issue,
    { ...issue, attribute: 'style' },
  ])
})
