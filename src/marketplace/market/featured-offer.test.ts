import { describe, expect, test } from 'vitest'
import { buildOffer } from '../../../test/support/market.ts'
import type { OfferTerms } from '../offers/offers.ts'
import {
  chooseFeatured,
  findExpectedPrice,
  findIneligibility,
  landedMinor,
  priceAfterBonuses,
  rankOffers,
} from './featured-offer.ts'

const rated = (percentPositive: number, count = 100): OfferTerms => ({
  sellerFeedbackRating: { percentPositive, count },
})
const offers = (...overrides: Parameters<typeof buildOffer>[0][]) =>
  overrides.map((override, index) => buildOffer({ sellerId: `ASELLER${index}`, ...override }))
const winnerOf = (...overrides: Parameters<typeof buildOffer>[0][]) =>
  chooseFeatured(offers(...overrides), undefined)?.sellerId

describe('an offer', () => {
  test('costs its price and shipping, less the value of its points', () => {
    const terms = { points: { number: 30, valueMinor: 30 } }
    expect(landedMinor(buildOffer({ priceMinor: 1000, shippingMinor: 250, terms }))).toBe(1220)
    expect(landedMinor(buildOffer({ priceMinor: 10, terms }))).toBe(0)
  })

  test.each(['new_open_box', 'new_oem', 'used_like_new', 'refurbished_refurbished', 'collectible_good', 'club_club'])(
    'is not featured if it is %s',
    (conditionType) => {
      expect(findIneligibility(buildOffer({ conditionType }), undefined)).toBe('CONDITION')
    },
  )

  test('is not featured if its seller has less than 80 % positive ratings', () => {
    expect(findIneligibility(buildOffer({ terms: rated(79.9) }), undefined)).toBe('SELLER_RATING')
    expect(findIneligibility(buildOffer({ terms: rated(80) }), undefined)).toBeUndefined()
    expect(findIneligibility(buildOffer({ terms: rated(0, 9) }), undefined)).toBeUndefined()
    expect(findIneligibility(buildOffer({ terms: rated(0, 10) }), undefined)).toBe('SELLER_RATING')
    expect(findIneligibility(buildOffer(), undefined)).toBeUndefined()
  })

  test('is not featured if it costs more than the threshold, shipping included', () => {
    const offer = buildOffer({ priceMinor: 1900, shippingMinor: 100 })
    expect(findIneligibility(offer, 2000)).toBeUndefined()
    expect(findIneligibility(offer, 1999)).toBe('PRICE')
  })
})

describe('the featured offer', () => {
  test('is the cheapest, shipping included', () => {
    expect(winnerOf({ priceMinor: 1000, shippingMinor: 500 }, { priceMinor: 1400 })).toBe('ASELLER1')
  })

  test.each<[string, Parameters<typeof buildOffer>[0], number]>([
    ['the marketplace ships it', { fulfillmentType: 'AFN' }, 20],
    ['it is Prime everywhere', { terms: { prime: 'NATIONAL' } }, 20],
    ['it is Prime in places', { terms: { prime: 'REGIONAL' } }, 10],
    ['the seller is excellent', { terms: rated(95) }, 10],
    ['all of it holds', { fulfillmentType: 'AFN', terms: { prime: 'NATIONAL', ...rated(99) } }, 50],
  ])('may cost a little more if %s', (_, better, thousandths) => {
    const competitor = { priceMinor: 1_000_000 }
    const maxPriceMinor = Math.floor(1_000_000 / (1 - thousandths / 1000))
    expect(winnerOf(competitor, { ...better, priceMinor: maxPriceMinor })).toBe('ASELLER1')
    expect(winnerOf(competitor, { ...better, priceMinor: maxPriceMinor + 1 })).toBe('ASELLER0')
  })

  test('gains nothing from a few good ratings', () => {
    expect(winnerOf({ priceMinor: 1000 }, { priceMinor: 1001, terms: rated(100, 9) })).toBe('ASELLER0')
    expect(winnerOf({ priceMinor: 1000 }, { priceMinor: 1001, terms: rated(100, 10) })).toBe('ASELLER1')
  })

  test('gains nothing from ratings that are not excellent', () => {
    expect(winnerOf({ priceMinor: 1000 }, { priceMinor: 1001, terms: rated(94.9) })).toBe('ASELLER0')
  })

  test('is compared by its price after bonuses, which is rounded', () => {
    const terms = { prime: 'NATIONAL', ...rated(99) } as const
    expect(priceAfterBonuses(buildOffer({ priceMinor: 1010, fulfillmentType: 'AFN', terms }))).toBe(960)
    expect(priceAfterBonuses(buildOffer({ priceMinor: 1000, shippingMinor: 10 }))).toBe(1010)
  })

  test('is chosen among equals by price, channel, ratings and finally by seller id', () => {
    const same = { priceMinor: 1000 }
    expect(winnerOf({ priceMinor: 1000 }, { priceMinor: 900, shippingMinor: 100 })).toBe('ASELLER1')
    expect(winnerOf({ ...same, terms: { prime: 'NATIONAL' } }, { ...same, fulfillmentType: 'AFN' })).toBe('ASELLER1')
    expect(winnerOf({ ...same, terms: rated(90, 10) }, { ...same, terms: rated(85, 11) })).toBe('ASELLER1')
    expect(winnerOf({ ...same, sellerId: 'B' }, { ...same, sellerId: 'A' })).toBe('A')
    const ofOne = offers({ sellerId: 'A', sku: 'b' }, { sellerId: 'A', sku: 'a' })
    expect(chooseFeatured(ofOne, undefined)?.sku).toBe('a')
    expect(chooseFeatured(ofOne.toReversed(), undefined)?.sku).toBe('a')
  })

  test('does not exist if no offer is eligible', () => {
    expect(winnerOf()).toBeUndefined()
    expect(winnerOf({ conditionType: 'used_good' }, { terms: rated(50) })).toBeUndefined()
    expect(chooseFeatured(offers({ priceMinor: 2000 }), 1999)).toBeUndefined()
  })
})

describe('the ranks of offers', () => {
  test('begin with the featured offer, and say what each other one lacks', () => {
    const all = offers(
      { priceMinor: 3000 },
      { priceMinor: 1000, conditionType: 'used_good' },
      { priceMinor: 1500 },
      { priceMinor: 1400, shippingMinor: 100 },
      { priceMinor: 1400, shippingMinor: 100, fulfillmentType: 'AFN' },
      { priceMinor: 900, terms: rated(10) },
    )
    const ranked = rankOffers(all, 2000)
    expect(ranked[0]?.offer).toBe(chooseFeatured(all, 2000))
    expect(ranked.map(({ offer, ...standing }) => [offer.sellerId, standing])).toEqual([
      ['ASELLER4', { rank: 1 }],
      ['ASELLER3', { rank: 2, lostBy: 'PRICE_AFTER_BONUSES' }],
      ['ASELLER2', { rank: 3, lostBy: 'PRICE_AFTER_BONUSES' }],
      ['ASELLER0', { ineligibility: 'PRICE' }],
      ['ASELLER1', { ineligibility: 'CONDITION' }],
      ['ASELLER5', { ineligibility: 'SELLER_RATING' }],
    ])
  })

  test('name the criterion that decides between equals', () => {
    const lostBy = (...overrides: Parameters<typeof buildOffer>[0][]) =>
      rankOffers(offers(...overrides), undefined)[1]?.lostBy
    const same = { priceMinor: 1000 }
    expect(lostBy(same, { priceMinor: 900, shippingMinor: 100 })).toBe('LISTING_PRICE')
    expect(lostBy({ ...same, terms: { prime: 'NATIONAL' } }, { ...same, fulfillmentType: 'AFN' })).toBe('FULFILLMENT')
    expect(lostBy({ ...same, terms: rated(90, 10) }, { ...same, terms: rated(85, 11) })).toBe('NUMBER_OF_RATINGS')
    expect(lostBy(same, same)).toBe('SELLER_ID')
    expect(lostBy({ sellerId: 'A', sku: 'b' }, { sellerId: 'A', sku: 'a' })).toBe('SKU')
  })
})

describe('the expected price', () => {
  test('is the highest price at which the offer ranks before its best competitor', () => {
    expect(findExpectedPrice(buildOffer({ sellerId: 'A' }), buildOffer({ sellerId: 'B' }), undefined)).toBe(2000)
    expect(findExpectedPrice(buildOffer({ sellerId: 'B' }), buildOffer({ sellerId: 'A' }), undefined)).toBe(1999)
  })

  test('includes shipping and points', () => {
    const offer = buildOffer({ sellerId: 'B', shippingMinor: 300, terms: { points: { number: 1, valueMinor: 50 } } })
    const competitor = buildOffer({ sellerId: 'A' })
    expect(findExpectedPrice(offer, competitor, undefined)).toBe(1750)
  })

  test('is not above the threshold', () => {
    expect(findExpectedPrice(buildOffer({ shippingMinor: 100 }), buildOffer({ sellerId: 'B' }), 1500)).toBe(1400)
  })

  test('does not exist if the competitor costs less than the shipping alone', () => {
    const competitor = buildOffer({ sellerId: 'B', priceMinor: 90 })
    expect(findExpectedPrice(buildOffer({ shippingMinor: 100 }), competitor, undefined)).toBeUndefined()
  })
})
