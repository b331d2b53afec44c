import { describe, expect, test } from 'vitest'
import type { Issue } from './issues.ts'
import { assessListing, type Listing, statusesOf } from './listing.ts'
import type { SaleTerms } from './sale-terms.ts'

const live = { state: 'LIVE' as const, asin: 'B0', requirements: 'LISTING' as const, issues: [] as Issue[] }
const terms: SaleTerms = {
  price: { minor: 8000, currencyCode: 'USD' },
  bounds: {},
  conditionType: 'new_new',
  channel: 'DEFAULT',
  quantity: 1,
  isOfferSkipped: false,
  isPlain: true,
}
const { price: _, ...priceless } = terms
const look = (
  listing: Partial<Pick<Listing, 'state' | 'asin' | 'requirements' | 'issues'>>,
  own: SaleTerms = terms,
) => {
  const { issues, ...flags } = assessListing({ ...live, ...listing }, own, 'USD')
  return { kinds: issues.map(({ kind }) => kind), statuses: statusesOf(flags) }
}

describe('assessListing', () => {
  test('a matched listing with price and stock is discoverable and buyable', () => {
    expect(look({})).toEqual({ kinds: [], statuses: ['BUYABLE', 'DISCOVERABLE'] })
  })

  test.each<[string, Partial<SaleTerms>]>([
    ['that is sold out', { quantity: 0 }],
    ['without a stock quantity', { quantity: undefined as unknown as number }],
    ['that skips its offer', { isOfferSkipped: true }],
  ])('a listing %s is only discoverable', (_, own) => {
    expect(look({}, { ...terms, ...own })).toEqual({ kinds: [], statuses: ['DISCOVERABLE'] })
  })

  test('a marketplace-fulfilled listing is in stock', () => {
    const { quantity: _, ...unknown } = terms
    expect(look({}, { ...unknown, channel: 'AMAZON_NA' }).statuses).toEqual(['BUYABLE', 'DISCOVERABLE'])
  })

  test('a listing without a price is only discoverable, with an issue unless it is product-only', () => {
    expect(look({}, priceless)).toEqual({ kinds: ['noPrice'], statuses: ['DISCOVERABLE'] })
    expect(look({ requirements: 'LISTING_PRODUCT_ONLY' }, priceless).kinds).toEqual([])
    expect(look({}, { ...priceless, isOfferSkipped: true }).kinds).toEqual([])
  })

  test.each<[string, Partial<SaleTerms>, string]>([
    ['below its own minimum', { bounds: { lowestMinor: 8001 } }, 'priceOutOfBounds'],
    ['above its own maximum', { bounds: { highestMinor: 7999 } }, 'priceOutOfBounds'],
    ['in a foreign currency', { price: { minor: 8000, currencyCode: 'EUR' } }, 'wrongCurrency'],
  ])('a listing with a price %s is suppressed', (_, own, kind) => {
    expect(look({}, { ...terms, ...own })).toEqual({ kinds: [kind], statuses: [] })
  })

  test('a price at its limits is valid', () => {
    expect(look({}, { ...terms, bounds: { lowestMinor: 8000, highestMinor: 8000 } }).kinds).toEqual([])
  })

  test('a NEW or UNKNOWN listing is neither discoverable nor buyable', () => {
    expect(look({ state: 'NEW' }).statuses).toEqual([])
    expect(look({ state: 'UNKNOWN', issues: [{ kind: 'unknownSku' }] }, priceless)).toEqual({
      kinds: ['unknownSku'],
      statuses: [],
    })
  })

  test.each<[Issue['kind'], string[]]>([
    ['noMainImage', ['BUYABLE']],
    ['badImage', ['BUYABLE', 'DISCOVERABLE']],
    ['restricted', []],
    ['noMatch', []],
  ])('an issue from processing is kept and applied: %s', (kind, statuses) => {
    expect(look({ issues: [{ kind }] })).toEqual({ kinds: [kind], statuses })
  })

  test('issues of the sale terms are recomputed, without duplicates', () => {
    const issues: Issue[] = [{ kind: 'badImage' }, { kind: 'priceOutOfBounds' }]
    expect(look({ issues }).kinds).toEqual(['badImage'])
    expect(look({ issues }, { ...terms, bounds: { lowestMinor: 9000 } }).kinds).toEqual([
      'badImage',
      'priceOutOfBounds',
    ])
  })
})
