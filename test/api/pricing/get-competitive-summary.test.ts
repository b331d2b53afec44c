import { beforeAll, describe, expect, test } from 'vitest'
import { FeedsClient, update } from '../../support/feeds.ts'
import { newOffer, newShoe } from '../../support/listings.ts'
import {
  ALL_SETS,
  buildCompetitorOffer,
  DE,
  type MarketClient,
  requestSummary,
  startMarket,
  US,
} from '../../support/market.ts'
import type { TestSouk } from '../../support/souk.ts'

describe('getCompetitiveSummary', () => {
  let souk: TestSouk
  let market: MarketClient
  beforeAll(async () => {
    ;({ souk, market } = await startMarket())
  })

  const money = (amount: number, currencyCode = 'USD') => ({ amount, currencyCode })

  test('shows an offer of a feed that also adds products', async () => {
    await market.addProducts('B0MIXED001')
    expect(await market.featured('B0MIXED001')).toBeUndefined()
    const suggestion = { merchant_suggested_asin: [{ value: 'B0MIXED001' }] }
    const report = await new FeedsClient(souk).process([
      update('MIXED-NEW', newShoe()),
      update('MIXED-KNOWN', newOffer(suggestion), { requirements: 'LISTING_OFFER_ONLY' }),
    ])
    expect(report.summary.messagesAccepted).toBe(2)
    expect(await market.featured('B0MIXED001')).toBe(souk.demo.sellerId)
  })

  test('returns all fields of the specification', async () => {
    await market.addProducts('B0SHAPE001')
    await market.offer(
      buildCompetitorOffer('ASLOW', { asin: 'B0SHAPE001', priceMinor: 2010, shippingMinor: 250 }),
      buildCompetitorOffer('AFAST', {
        asin: 'B0SHAPE001',
        fulfillmentType: 'AFN',
        priceMinor: 2200,
        terms: { prime: 'NATIONAL' },
      }),
    )
    const answer = await market.summaries([
      requestSummary('B0SHAPE001', {
        includedData: ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers'],
      }),
    ])
    const fast = {
      sellerId: 'AFAST',
      condition: 'New',
      subCondition: 'New',
      fulfillmentType: 'AFN',
      listingPrice: money(22),
      shippingOptions: [{ shippingOptionType: 'DEFAULT', price: money(0) }],
      primeDetails: { eligibility: 'NATIONAL' },
    }
    const slow = {
      sellerId: 'ASLOW',
      condition: 'New',
      subCondition: 'New',
      fulfillmentType: 'MFN',
      listingPrice: money(20.1),
      shippingOptions: [{ shippingOptionType: 'DEFAULT', price: money(2.5) }],
      primeDetails: { eligibility: 'NONE' },
    }
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({
      responses: [
        {
          status: { statusCode: 200, reasonPhrase: 'Success' },
          body: {
            asin: 'B0SHAPE001',
            marketplaceId: US,
            featuredBuyingOptions: [
              {
                buyingOptionType: 'New',
                segmentedFeaturedOffers: [
                  {
                    ...fast,
                    featuredOfferSegments: [
                      { customerMembership: 'DEFAULT', segmentDetails: { glanceViewWeightPercentage: 100 } },
                    ],
                  },
                ],
              },
            ],
            referencePrices: [{ name: 'CompetitivePrice', price: money(22) }],
            lowestPricedOffers: [
              { lowestPricedOffersInput: { itemCondition: 'New', offerType: 'Consumer' }, offers: [fast, slow] },
            ],
          },
        },
      ],
    })
  })

  test.each(ALL_SETS)('includes only %s if requested alone', async (set) => {
    const body = await market.summary('B0SOUK0001', { includedData: [set, set] })
    expect(Object.keys(body)).toEqual(['asin', 'marketplaceId', set])
    expect(body[set].length).toBeGreaterThan(0)
  })

  test('returns 20 elements in the order of the request, including duplicates', async () => {
    const asins = Array.from({ length: 19 }, (_, index) => `B0SOUK0${index % 4}0${1 + (index % 6)}`)
    const answer = await market.summaries([...asins, 'B0SOUK0001'].map((asin) => requestSummary(asin)))
    const { responses } = answer.json()
    expect(responses.map((one: { body: { asin: string } }) => one.body.asin)).toEqual([...asins, 'B0SOUK0001'])
    expect(responses[19]).toEqual(responses[0])
  })

  test('returns the offers of each marketplace in its currency', async () => {
    const inGermany = await market.summary('B0SOUK0001', { marketplaceId: DE })
    const currencies = JSON.stringify(inGermany).match(/"currencyCode":"..."/g)
    expect(new Set(currencies)).toEqual(new Set(['"currencyCode":"EUR"']))
    expect(inGermany.marketplaceId).toBe(DE)
  })

  test('lists up to 20 offers of each requested condition, lowest landed price first', async () => {
    const asin = 'B0MANY0001'
    const conditions = {
      New: ['new_new', 'new_open_box', 'new_oem'],
      Used: ['used_like_new', 'used_very_good', 'used_good', 'used_acceptable'],
      Collectible: ['collectible_like_new', 'collectible_very_good', 'collectible_good', 'collectible_acceptable'],
      Refurbished: ['refurbished_refurbished'],
      Club: ['club_club'],
    } as const
    await market.addProducts(asin)
    const offers = Object.entries(conditions).flatMap(([condition, types]) =>
      Array.from({ length: condition === 'New' ? 25 : 6 }, (_, index) =>
        buildCompetitorOffer(`A${condition.toUpperCase()}${index}`, {
          asin,
          conditionType: types[index % types.length] as 'new_new',
          priceMinor: 3000 - index * 10,
          shippingMinor: (index % 3) * 25,
        }),
      ),
    )
    await market.offer(...offers)
    const inputs = Object.keys(conditions).map((itemCondition) => ({ itemCondition, offerType: 'Consumer' }))
    const { lowestPricedOffers } = await market.summary(asin, { lowestPricedOffersInputs: inputs })
    expect(lowestPricedOffers.map((list: { lowestPricedOffersInput: object }) => list.lowestPricedOffersInput)).toEqual(
      inputs,
    )
    const landed = (offer: { listingPrice: { amount: number }; shippingOptions: { price: { amount: number } }[] }) =>
      Math.round(offer.listingPrice.amount * 100 + (offer.shippingOptions[0]?.price.amount ?? 0) * 100)
    for (const { lowestPricedOffersInput, offers } of lowestPricedOffers) {
      const { itemCondition } = lowestPricedOffersInput
      expect(offers).toHaveLength(itemCondition === 'New' ? 20 : 6)
      const prices = offers.map(landed)
      expect(prices).toEqual(prices.toSorted((one: number, other: number) => one - other))
      for (const { condition } of offers) expect(condition).toBe(itemCondition)
    }
    const shown = (index: number) =>
      new Set(lowestPricedOffers[index].offers.map((offer: { subCondition: string }) => offer.subCondition))
    expect([0, 1, 2, 3, 4].map(shown)).toEqual([
      new Set(['New', 'OpenBox', 'OEM']),
      new Set(['Mint', 'VeryGood', 'Good', 'Acceptable']),
      new Set(['Mint', 'VeryGood', 'Good', 'Acceptable']),
      new Set(['Refurbished']),
      new Set(['Club']),
    ])
  })

  test('defaults to New for a missing or partial input', async () => {
    for (const lowestPricedOffersInputs of [undefined, [], [{}], [{ offerType: 'Consumer' }]]) {
      const { lowestPricedOffers } = await market.summary('B0SOUK0001', { lowestPricedOffersInputs })
      expect(lowestPricedOffers).toMatchObject([
        { lowestPricedOffersInput: { itemCondition: 'New', offerType: 'Consumer' } },
      ])
    }
  })

  test('returns an empty list for a condition without offers', async () => {
    const { lowestPricedOffers } = await market.summary('B0SHAPE001', {
      lowestPricedOffersInputs: [{ itemCondition: 'Club', offerType: 'Consumer' }],
    })
    expect(lowestPricedOffers).toEqual([
      { lowestPricedOffersInput: { itemCondition: 'Club', offerType: 'Consumer' }, offers: [] },
    ])
  })

  test('returns points and promotions of offers, with exact discounted prices', async () => {
    await market.addProducts('B0POINTS01')
    await market.offer(
      buildCompetitorOffer('APOINTS', {
        asin: 'B0POINTS01',
        priceMinor: 1999,
        terms: {
          prime: 'REGIONAL',
          points: { number: 40, valueMinor: 40 },
          promotions: [
            { type: 'COUPON', percentOff: 12.5 },
            { type: 'DEAL', amountOffMinor: 100 },
            { type: 'BASKET_BUILDING' },
          ],
        },
      }),
    )
    const { lowestPricedOffers } = await market.summary('B0POINTS01')
    expect(lowestPricedOffers[0].offers[0]).toMatchObject({
      listingPrice: money(19.99),
      primeDetails: { eligibility: 'REGIONAL' },
      points: { pointsNumber: 40, pointsMonetaryValue: money(0.4) },
      promotions: [
        {
          promotionType: 'COUPON',
          promotionSavings: {
            discount: { type: 'PERCENTAGE_OFF', percentOff: 12.5 },
            discountedPrice: money(17.49),
          },
        },
        {
          promotionType: 'DEAL',
          promotionSavings: {
            discount: { type: 'AMOUNT_OFF', amountOff: money(1) },
            discountedPrice: money(18.99),
          },
        },
        { promotionType: 'BASKET_BUILDING', promotionSavings: {} },
      ],
    })
  })

  test('returns no featured offer if none of the offers is eligible', async () => {
    await market.addProducts('B0NOBODY01')
    await market.offer(
      buildCompetitorOffer('AUSED', { asin: 'B0NOBODY01', conditionType: 'used_good' }),
      buildCompetitorOffer('ABAD', {
        asin: 'B0NOBODY01',
        terms: { sellerFeedbackRating: { percentPositive: 40, count: 500 } },
      }),
    )
    expect(await market.summary('B0NOBODY01')).toMatchObject({
      featuredBuyingOptions: [],
      referencePrices: [],
      lowestPricedOffers: [{ offers: [{ sellerId: 'ABAD' }] }],
    })
  })

  test('returns a product without offers, and its similar items', async () => {
    const classification = { classificationId: '777', displayName: 'Lamps' }
    const asins = Array.from({ length: 14 }, (_, index) => `B0LAMP${String(index).padStart(4, '0')}`)
    await market.put(
      'catalogItems',
      asins.map((asin) => ({
        marketplaceId: US,
        asin,
        productType: 'HOME',
        itemName: 'Lamp',
        browseClassification: classification,
      })),
    )
    const body = await market.summary('B0LAMP0012')
    expect(body).toMatchObject({ featuredBuyingOptions: [], referencePrices: [], lowestPricedOffers: [{ offers: [] }] })
    const [{ items }] = body.similarItems
    expect(items.map(({ asin }: { asin: string }) => asin)).toEqual(['B0LAMP0013', ...asins.slice(0, 9)])
    await market.addProducts('B0ALONE001')
    expect(await market.summary('B0ALONE001')).toMatchObject({ similarItems: [] })
  })

  test('returns the same to every seller: own offers are neither hidden nor marked', async () => {
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const payload = { requests: [requestSummary('B0SOUK0001')] }
    const theirs = await souk.post('/batches/products/pricing/2022-05-01/items/competitiveSummary', {
      token: other,
      payload,
    })
    expect(theirs.json()).toEqual((await market.summaries(payload.requests)).json())
    expect(theirs.body).not.toContain('SOUK-SHOE-001')
  })
})
