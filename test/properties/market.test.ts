import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  byLandedPrice,
  chooseFeatured,
  compareOffers,
  findExpectedPrice,
  findIneligibility,
  landedMinor,
  rankOffers,
} from '../../src/marketplace/market/featured-offer.ts'
import { computeMarket } from '../../src/marketplace/market/market.ts'
import {
  type Closing,
  dailyClosings,
  medianClosing,
  RETENTION_DAYS,
  recordClosing,
} from '../../src/marketplace/market/price-history.ts'
import type { Offer, OfferTerms } from '../../src/marketplace/offers/offers.ts'
import { buildCatalogItem } from '../support/catalog.ts'
import { ASIN, buildOffer, US } from '../support/market.ts'
import { assertProperty } from '../support/property.ts'

// Few prices, so that many offers tie.
const price = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 900, max: 1100 }))
const terms: fc.Arbitrary<OfferTerms> = fc.record(
  {
    prime: fc.constantFrom('NONE' as const, 'REGIONAL' as const, 'NATIONAL' as const),
    points: fc.record({ number: fc.integer({ min: 1, max: 50 }), valueMinor: fc.integer({ min: 0, max: 50 }) }),
    sellerFeedbackRating: fc.record({
      percentPositive: fc.constantFrom(79, 80, 94, 95, 100),
      count: fc.constantFrom(0, 9, 10, 11, 500),
    }),
  },
  { requiredKeys: [] },
)
const offer = fc
  .record({
    sellerId: fc.constantFrom('A', 'B', 'C', 'a'),
    conditionType: fc.constantFrom('new_new', 'new_new', 'new_new', 'used_good'),
    fulfillmentType: fc.constantFrom('AFN' as const, 'MFN' as const),
    priceMinor: price,
    shippingMinor: fc.constantFrom(0, 0, 5, 30),
    terms,
  })
  .map(buildOffer)
const offers = fc
  .array(offer, { maxLength: 8 })
  .map((offers): Offer[] => offers.map((one, index) => ({ ...one, sku: `SKU-${index}` })))
const threshold = fc.option(price, { nil: undefined })

describe('the featured offer', () => {
  test('is the same in whatever order the offers come', () => {
    const shuffled = offers.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    )
    assertProperty(
      fc.property(shuffled, threshold, ([some, others], limit) => {
        expect(chooseFeatured(others, limit)).toBe(chooseFeatured(some, limit))
      }),
    )
  })

  test('is eligible, ranks first, and no eligible offer is left out', () => {
    assertProperty(
      fc.property(offers, threshold, (some, limit) => {
        const eligible = some.filter((one) => findIneligibility(one, limit) === undefined)
        const ranked = rankOffers(some, limit)
        const featured = chooseFeatured(some, limit)
        expect(ranked).toHaveLength(some.length)
        expect(ranked.filter(({ rank }) => rank !== undefined).map(({ rank }) => rank)).toEqual(
          eligible.map((_, index) => index + 1),
        )
        expect(ranked.find(({ rank }) => rank === 1)?.offer).toBe(featured)
        expect(eligible.length > 0).toBe(featured !== undefined)
        for (const one of eligible) expect(compareOffers(featured as Offer, one)).toBeLessThanOrEqual(0)
      }),
    )
  })

  test('stays featured if it becomes cheaper', () => {
    assertProperty(
      fc.property(offers, threshold, fc.integer({ min: 1, max: 40 }), (some, limit, less) => {
        const featured = chooseFeatured(some, limit)
        if (!featured || featured.priceMinor <= less) return
        const cheaper = { ...featured, priceMinor: featured.priceMinor - less }
        expect(
          chooseFeatured(
            some.map((one) => (one === featured ? cheaper : one)),
            limit,
          ),
        ).toBe(cheaper)
      }),
    )
  })

  test.each([
    ['the order of preference', compareOffers],
    ['the order by landed price', byLandedPrice],
  ])('%s is a total order', (_, compare) => {
    const three = fc.tuple(offer, offer, offer)
    assertProperty(
      fc.property(three, ([one, two, three]) => {
        expect(Math.sign(compare(one, two))).toBe(-Math.sign(compare(two, one)) || 0)
        if (compare(one, two) <= 0 && compare(two, three) <= 0) expect(compare(one, three)).toBeLessThanOrEqual(0)
      }),
      300,
    )
  })
})

describe('the expected price', () => {
  test('is the highest of all prices at which the offer would be featured', () => {
    assertProperty(
      fc.property(offer, offer, threshold, (one, competitor, limit) => {
        const own = {
          ...one,
          conditionType: 'new_new',
          sellerId: 'OWN',
          terms: { ...one.terms, sellerFeedbackRating: undefined },
        }
        const isFeaturedAt = (priceMinor: number) => {
          const priced = { ...own, priceMinor } as Offer
          return findIneligibility(priced, limit) === undefined && compareOffers(priced, competitor) < 0
        }
        const highest = Array.from({ length: 1400 }, (_, index) => 1400 - index).find(isFeaturedAt)
        expect(findExpectedPrice(own as Offer, competitor, limit)).toBe(highest)
      }),
    )
  })
})

describe('a market', () => {
  test('has the price of the cheapest eligible offer as its competitive price', () => {
    const product = buildCatalogItem(ASIN, { marketplaceId: US })
    assertProperty(
      fc.property(offers, (some) => {
        const { references, offers: sorted } = computeMarket(
          { product, currencyCode: 'USD', offers: some, history: [] },
          1,
        )
        const prices = some.filter((one) => findIneligibility(one, undefined) === undefined).map(landedMinor)
        expect(references.competitiveMinor).toBe(prices.length > 0 ? Math.min(...prices) : undefined)
        expect(sorted.map(landedMinor)).toEqual(some.map(landedMinor).sort((a, b) => a - b))
      }),
    )
  })
})

describe('a price history', () => {
  const FIRST_DAY = 20_000
  const recorded = fc.array(
    fc.tuple(fc.constantFrom(0, 0, 1, 1, 2, 30, 89, 90, 91, 200), fc.option(fc.integer({ min: 1, max: 5 }))),
    { maxLength: 25 },
  )

  test('has the closing price of every day of the last 90, though it stores changes only', () => {
    assertProperty(
      fc.property(recorded, (changes) => {
        let history: Closing[] = []
        let today = FIRST_DAY
        let known: number | undefined
        // Day by day, without dropping anything.
        const closings: (number | null)[] = []
        for (const [days, price] of changes) {
          for (let day = 0; day < days && known !== undefined; day++) closings.push(closings.at(-1) as number | null)
          today += days
          if (known === undefined) {
            known = today
            closings.push(price)
          } else closings[closings.length - 1] = price
          history = recordClosing(history, today, price)
          const last = closings.slice(-RETENTION_DAYS - 1)
          expect(dailyClosings(history, today).map(([, closing]) => closing)).toEqual(last)
          expect(history.length).toBeLessThanOrEqual(RETENTION_DAYS + 1)
          const counted = last
            .slice(0, -1)
            .filter((closing) => closing !== null)
            .sort((a, b) => a - b)
          expect(medianClosing(history, today)).toBe(counted[Math.ceil(counted.length / 2) - 1])
        }
      }),
      100,
    )
  })
})
