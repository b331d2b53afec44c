import { expect, test } from 'vitest'
import { buildCatalogItem } from '../../../../test/support/catalog.ts'
import { ASIN, buildOffer, US } from '../../../../test/support/market.ts'
import { compareOffers, findExpectedPrice, findIneligibility } from '../../../marketplace/market/featured-offer.ts'
import { computeMarket } from '../../../marketplace/market/market.ts'
import type { Closing } from '../../../marketplace/market/price-history.ts'
import type { Offer } from '../../../marketplace/offers/offers.ts'
import { ELEMENT_CLOSING, renderSummaryJson, type Summary } from './summary-text.ts'

const MARKETS = 1000
const TODAY = 20_000

// A plain implementation of the documented rules, by other means: fractions instead of thousandths, sorting instead of
// searching, a list of days instead of spans, decimal text instead of numbers.
const landed = (offer: Offer) => {
  const paid = BigInt(offer.priceMinor) + BigInt(offer.shippingMinor) - BigInt(offer.terms.points?.valueMinor ?? 0)
  return paid < 0n ? 0n : paid
}

function percentOff(offer: Offer): bigint {
  let tenths = 0n
  if (offer.fulfillmentType === 'AFN') tenths += 20n
  if (offer.terms.prime === 'NATIONAL') tenths += 20n
  if (offer.terms.prime === 'REGIONAL') tenths += 10n
  const rating = offer.terms.sellerFeedbackRating
  if (rating && rating.count >= 10 && rating.percentPositive >= 95) tenths += 10n
  return tenths
}

function mayBeFeatured(offer: Offer, threshold: bigint | undefined): boolean {
  const rating = offer.terms.sellerFeedbackRating
  if (offer.conditionType !== 'new_new') return false
  if (rating && rating.count >= 10 && rating.percentPositive < 80) return false
  return threshold === undefined || landed(offer) <= threshold
}

function sortKey(offer: Offer): [bigint, bigint, bigint, bigint, bigint, string, string] {
  return [
    landed(offer) * (1000n - percentOff(offer)),
    landed(offer),
    BigInt(offer.priceMinor),
    offer.fulfillmentType === 'AFN' ? 0n : 1n,
    -BigInt(offer.terms.sellerFeedbackRating?.count ?? 0),
    offer.sellerId,
    offer.sku,
  ]
}

function goesBefore(one: Offer, other: Offer): boolean {
  const [first, second] = [sortKey(one), sortKey(other)]
  const index = first.findIndex((part, at) => part !== second[at])
  return index !== -1 && (first[index] as bigint) < (second[index] as bigint)
}

function medianOfDays(history: readonly Closing[]): bigint | undefined {
  const prices: number[] = []
  for (let day = TODAY - 90; day < TODAY; day++) {
    const held = history.filter(([from]) => from <= day).at(-1)
    if (held && held[1] !== null) prices.push(held[1])
  }
  prices.sort((one, other) => one - other)
  return prices.length === 0 ? undefined : BigInt(prices[Math.floor((prices.length - 1) / 2)] as number)
}

const CONDITIONS = ['New', 'Used', 'Collectible', 'Refurbished', 'Club']
const SUB_CONDITIONS: Record<string, string> = {
  new_new: 'New',
  new_open_box: 'OpenBox',
  used_like_new: 'Mint',
  used_good: 'Good',
  collectible_very_good: 'VeryGood',
  refurbished_refurbished: 'Refurbished',
  club_club: 'Club',
}

/** As it is written by hand, and then read as JSON. */
const money = (minor: bigint, currencyCode: string, digits: number) => {
  const text = String(minor).padStart(digits + 1, '0')
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return JSON.parse(`{"amount": ${amount}, "currencyCode": "${currencyCode}"}`)
}

function expectedSummary(offers: readonly Offer[], history: readonly Closing[], currencyCode: string, digits: number) {
  const was = medianOfDays(history)
  const threshold = was === undefined ? undefined : (was * 120n) / 100n
  const show = (offer: Offer) => {
    const { points, prime = 'NONE', promotions = [] } = offer.terms
    return {
      sellerId: offer.sellerId,
      condition: CONDITIONS.find((one) => offer.conditionType.startsWith(`${one.toLowerCase()}_`)),
      subCondition: SUB_CONDITIONS[offer.conditionType],
      fulfillmentType: offer.fulfillmentType,
      listingPrice: money(BigInt(offer.priceMinor), currencyCode, digits),
      shippingOptions: [
        { shippingOptionType: 'DEFAULT', price: money(BigInt(offer.shippingMinor), currencyCode, digits) },
      ],
      ...(points && {
        points: {
          pointsNumber: points.number,
          pointsMonetaryValue: money(BigInt(points.valueMinor ?? 0), currencyCode, digits),
        },
      }),
      primeDetails: { eligibility: prime },
      ...(promotions.length > 0 && {
        promotions: promotions.map(({ percentOff = 0 }) => {
          // In halves of a percent, rounded half up.
          const left = BigInt(offer.priceMinor) * (200n - BigInt(percentOff * 2))
          return {
            promotionType: 'COUPON',
            promotionSavings: {
              discount: { type: 'PERCENTAGE_OFF', percentOff },
              discountedPrice: money((left + 100n) / 200n, currencyCode, digits),
            },
          }
        }),
      }),
    }
  }
  const own = offers.filter((offer) => offer.currencyCode === currencyCode)
  const candidates = own.filter((offer) => mayBeFeatured(offer, threshold))
  const featured = candidates.find((one) => candidates.every((other) => other === one || goesBefore(one, other)))
  const lowest = own.filter((offer) => mayBeFeatured(offer, undefined)).map(landed)
  const competitive = lowest.length === 0 ? undefined : lowest.reduce((one, other) => (other < one ? other : one))
  const reference = (name: string, minor: bigint | undefined) =>
    minor === undefined ? [] : [{ name, price: money(minor, currencyCode, digits) }]
  const listKey = (offer: Offer) => [landed(offer), BigInt(offer.priceMinor), offer.sellerId, offer.sku] as const
  const byPrice = own.toSorted((one, other) => {
    const [first, second] = [listKey(one), listKey(other)]
    const index = first.findIndex((part, at) => part !== second[at])
    return index === -1 ? 0 : (first[index] as bigint) < (second[index] as bigint) ? -1 : 1
  })
  const everyone = [{ customerMembership: 'DEFAULT', segmentDetails: { glanceViewWeightPercentage: 100 } }]
  return {
    featured,
    threshold,
    sets: {
      asin: ASIN,
      marketplaceId: US,
      featuredBuyingOptions: featured
        ? [
            {
              buyingOptionType: 'New',
              segmentedFeaturedOffers: [{ ...show(featured), featuredOfferSegments: everyone }],
            },
          ]
        : [],
      referencePrices: [
        ...reference('CompetitivePriceThreshold', threshold),
        ...reference('CompetitivePrice', competitive),
        ...reference('WasPrice', was),
      ],
      lowestPricedOffers: CONDITIONS.map((itemCondition) => ({
        lowestPricedOffersInput: { itemCondition, offerType: 'Consumer' },
        offers: byPrice
          .map(show)
          .filter((offer) => offer.condition === itemCondition)
          .slice(0, 20),
      })),
      similarItems: [],
    },
  }
}

/** The stored text, parsed as JSON. */
function readSummary(summary: Summary) {
  const { body } = JSON.parse(`${summary.element}${ELEMENT_CLOSING}`)
  const { used_offers, collectible_offers, refurbished_offers, club_offers } = summary
  const others = [used_offers, collectible_offers, refurbished_offers, club_offers].map((text) => JSON.parse(text))
  return { ...body, lowestPricedOffers: [...body.lowestPricedOffers, ...others] }
}

/** Numbers that look random and are the same in every run. */
function createDice(seed: number) {
  let state = seed
  const roll = (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
  return { roll, pick: <Item>(items: readonly Item[]) => items[roll(items.length)] as Item }
}

function generateMarket(seed: number) {
  const { roll, pick } = createDice(seed)
  const [currencyCode, digits] = pick([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
  ] as const)
  // Few different prices, so that there are ties; or prices as large as they may be.
  const scale = pick([10, 3000, 1_000_000_000_000])
  const offers = Array.from({ length: roll(32) }, (_, index) =>
    buildOffer({
      sellerId: `ASELLER${roll(8)}`,
      sku: `SKU ${index}`,
      conditionType: pick(['new_new', 'new_new', 'new_new', ...Object.keys(SUB_CONDITIONS)]),
      fulfillmentType: pick(['AFN', 'MFN']),
      priceMinor: roll(scale),
      shippingMinor: pick([0, 0, roll(scale)]),
      currencyCode: roll(20) === 0 ? 'EUR' : currencyCode,
      terms: {
        ...(roll(2) === 0 && { prime: pick(['NONE', 'NATIONAL', 'REGIONAL']) }),
        ...(roll(4) === 0 && { points: { number: 1 + roll(100), valueMinor: roll(scale) } }),
        ...(roll(4) === 0 && { promotions: [{ type: 'COUPON', percentOff: 1 + roll(199) / 2 }] }),
        ...(roll(3) > 0 && { sellerFeedbackRating: { percentPositive: 70 + roll(31), count: roll(30) } }),
      },
    }),
  )
  const days = new Set(Array.from({ length: roll(6) }, () => TODAY - 1 - roll(120)))
  const history = [...days].sort().map((day): Closing => [day, roll(5) === 0 ? null : roll(scale)])
  return { offers, history, currencyCode, digits }
}

test('1,000 generated markets match a plain reference implementation', () => {
  const seen = { featured: 0, suppressed: 0, thresholds: 0 }
  for (let seed = 1; seed <= MARKETS; seed++) {
    const { offers, history, currencyCode, digits } = generateMarket(seed)
    const product = buildCatalogItem(ASIN, { marketplaceId: US })
    const market = computeMarket({ product, currencyCode, offers, history }, TODAY)
    const expected = expectedSummary(offers, history, currencyCode, digits)
    expect(readSummary(renderSummaryJson(market, [])), `market ${seed}`).toEqual(expected.sets)
    seen.featured += Number(expected.featured !== undefined)
    seen.suppressed += Number(!expected.featured && offers.some((offer) => mayBeFeatured(offer, undefined)))
    seen.thresholds += Number(expected.threshold !== undefined)
  }
  // Each of the cases has to be among them.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50)
})

test('in 1,000 generated markets an offer at its expected price is featured, and at one minor unit more it is not', () => {
  let found = 0
  for (let seed = 1; seed <= MARKETS; seed++) {
    const { offers, history } = generateMarket(seed)
    const threshold = medianOfDays(history)
    const thresholdMinor = threshold === undefined ? undefined : Number((threshold * 120n) / 100n)
    const [offer, ...others] = offers.filter((one) => !findIneligibility(one, undefined))
    const [competitor] = others.filter((one) => !findIneligibility(one, thresholdMinor)).sort(compareOffers)
    if (!offer || !competitor) continue
    const wins = (priceMinor: number) => {
      const priced = { ...offer, priceMinor }
      return (
        mayBeFeatured(priced, thresholdMinor === undefined ? undefined : BigInt(thresholdMinor)) &&
        goesBefore(priced, competitor)
      )
    }
    const price = findExpectedPrice(offer, competitor, thresholdMinor)
    if (price === undefined) expect(wins(1), `market ${seed}`).toBe(false)
    else expect([wins(price), wins(price + 1)], `market ${seed}`).toEqual([true, false])
    found += Number(price !== undefined)
  }
  expect(found).toBeGreaterThan(300)
})
