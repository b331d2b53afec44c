import { beforeAll, describe, expect, test } from 'vitest'
import { buildCompetitorOffer, DE, type MarketClient, marketClient, startMarket, US } from '../../support/market.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const SKU = 'SOUK-SHOE-001'
const SHOE = 'B0SOUK0001'
const IN_US = `MarketplaceId=${US}`

describe('pricing v0', () => {
  let souk: TestSouk
  let market: MarketClient
  let others: MarketClient
  beforeAll(async () => {
    ;({ souk, market } = await startMarket())
    others = marketClient(souk, await souk.tokenFor(souk.demo.otherSeller.refreshToken))
    await market.addProducts('B0VZERO001')
    await market.offer(
      buildCompetitorOffer('AFBA', {
        asin: 'B0VZERO001',
        fulfillmentType: 'AFN',
        priceMinor: 1900,
        terms: {
          prime: 'NATIONAL',
          points: { number: 19, valueMinor: 19 },
          sellerFeedbackRating: { percentPositive: 97.5, count: 200 },
          shipsFrom: { countryCode: 'US', stateOrRegion: 'WA' },
        },
      }),
      buildCompetitorOffer('AFBM', { asin: 'B0VZERO001', priceMinor: 1950, shippingMinor: 100 }),
      buildCompetitorOffer('AUSED', { asin: 'B0VZERO001', priceMinor: 900, conditionType: 'used_very_good' }),
    )
  })

  const money = (Amount: number) => ({ CurrencyCode: 'USD', Amount })
  const payloadOf = async (path: string, client = market) => {
    const answer = await client.get(path)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json().payload
  }

  test("getPricing returns the seller's own offers for a product", async () => {
    const [price, ...rest] = await payloadOf(`/price?${IN_US}&ItemType=Asin&Asins=${SHOE}&ItemCondition=New`)
    expect(rest).toEqual([])
    expect(price).toEqual({
      status: 'Success',
      ASIN: SHOE,
      Product: {
        Identifiers: {
          MarketplaceASIN: { MarketplaceId: US, ASIN: SHOE },
          SKUIdentifier: { MarketplaceId: '', SellerId: '', SellerSKU: '' },
        },
        Offers: [
          {
            offerType: 'B2C',
            BuyingPrice: { LandedPrice: money(89.9), ListingPrice: money(89.9), Shipping: money(0) },
            RegularPrice: money(89.9),
            FulfillmentChannel: 'MERCHANT',
            ItemCondition: 'New',
            ItemSubCondition: 'New',
            SellerSKU: SKU,
          },
          expect.objectContaining({ SellerSKU: `${SKU}-FBA`, FulfillmentChannel: 'AMAZON' }),
        ],
      },
    })
    const ofOther = await payloadOf(`/price?${IN_US}&ItemType=Asin&Asins=${SHOE}`, others)
    expect(ofOther[0].Product.Offers.map((offer: { SellerSKU: string }) => offer.SellerSKU)).toEqual([SKU])
    expect(await payloadOf(`/price?${IN_US}&ItemType=Asin&Asins=${SHOE}&OfferType=B2B`)).toMatchObject([
      { Product: { Offers: [] } },
    ])
  })

  test('getPricing accepts SKUs, and reports each unknown SKU', async () => {
    const prices = await payloadOf(`/price?${IN_US}&ItemType=Sku&Skus=${SKU}-FBA,NO%20SUCH,SOUK-GHOST-001`)
    expect(prices).toMatchObject([
      {
        status: 'Success',
        SellerSKU: `${SKU}-FBA`,
        Product: {
          Identifiers: {
            MarketplaceASIN: { ASIN: SHOE },
            SKUIdentifier: { MarketplaceId: US, SellerId: souk.demo.sellerId, SellerSKU: `${SKU}-FBA` },
          },
          Offers: [{ SellerSKU: `${SKU}-FBA` }],
        },
      },
      { status: 'ClientError', SellerSKU: 'NO SUCH' },
      { status: 'ClientError', SellerSKU: 'SOUK-GHOST-001' },
    ])
    expect(await payloadOf(`/price?${IN_US}&ItemType=Sku&Skus=${SKU}-FBA`, others)).toEqual([
      { status: 'ClientError', SellerSKU: `${SKU}-FBA` },
    ])
  })

  test('getCompetitivePricing returns the featured price, the number of offers and the sales ranks', async () => {
    const [price, unknown] = await payloadOf(`/competitivePrice?${IN_US}&ItemType=Asin&Asins=B0VZERO001,B0NOTHING0`)
    expect(price).toEqual({
      status: 'Success',
      ASIN: 'B0VZERO001',
      Product: {
        Identifiers: {
          MarketplaceASIN: { MarketplaceId: US, ASIN: 'B0VZERO001' },
          SKUIdentifier: { MarketplaceId: '', SellerId: '', SellerSKU: '' },
        },
        CompetitivePricing: {
          CompetitivePrices: [
            {
              CompetitivePriceId: '1',
              Price: {
                LandedPrice: money(18.81),
                ListingPrice: money(19),
                Shipping: money(0),
                Points: { PointsNumber: 19, PointsMonetaryValue: money(0.19) },
              },
              condition: 'New',
              subcondition: 'New',
              offerType: 'B2C',
              sellerId: 'AFBA',
              belongsToRequester: false,
            },
          ],
          NumberOfOfferListings: [
            { Count: 2, condition: 'New' },
            { Count: 1, condition: 'Used' },
            { Count: 3, condition: 'Any' },
          ],
        },
        SalesRankings: [],
      },
    })
    expect(unknown).toEqual({ status: 'ClientError', ASIN: 'B0NOTHING0' })
    const [shoe] = await payloadOf(`/competitivePrice?${IN_US}&ItemType=Sku&Skus=${SKU}`)
    expect(shoe.Product.SalesRankings).toEqual([{ ProductCategoryId: '5001', Rank: 37 }])
  })

  test('getItemOffers returns the offers of a condition, with a summary of all offers', async () => {
    const payload = await payloadOf(`/items/B0VZERO001/offers?${IN_US}&ItemCondition=New`)
    const fba = {
      LandedPrice: money(18.81),
      ListingPrice: money(19),
      Shipping: money(0),
      Points: { PointsNumber: 19, PointsMonetaryValue: money(0.19) },
    }
    expect(payload).toEqual({
      marketplaceId: US,
      ASIN: 'B0VZERO001',
      ItemCondition: 'New',
      status: 'Success',
      Identifier: { MarketplaceId: US, ItemCondition: 'New', ASIN: 'B0VZERO001' },
      Summary: {
        TotalOfferCount: 3,
        NumberOfOffers: [
          { condition: 'used', fulfillmentChannel: 'Merchant', OfferCount: 1 },
          { condition: 'new', fulfillmentChannel: 'Amazon', OfferCount: 1 },
          { condition: 'new', fulfillmentChannel: 'Merchant', OfferCount: 1 },
        ],
        LowestPrices: [
          {
            condition: 'used',
            fulfillmentChannel: 'Merchant',
            LandedPrice: money(9),
            ListingPrice: money(9),
            Shipping: money(0),
          },
          { condition: 'new', fulfillmentChannel: 'Amazon', ...fba },
          {
            condition: 'new',
            fulfillmentChannel: 'Merchant',
            LandedPrice: money(20.5),
            ListingPrice: money(19.5),
            Shipping: money(1),
          },
        ],
        BuyBoxPrices: [{ condition: 'new', ...fba, sellerId: 'AFBA' }],
        BuyBoxEligibleOffers: [
          { condition: 'new', fulfillmentChannel: 'Amazon', OfferCount: 1 },
          { condition: 'new', fulfillmentChannel: 'Merchant', OfferCount: 1 },
        ],
        SalesRankings: [],
        SuggestedLowerPricePlusShipping: money(18.81),
      },
      Offers: [
        {
          MyOffer: false,
          offerType: 'B2C',
          SubCondition: 'new',
          SellerId: 'AFBA',
          SellerFeedbackRating: { SellerPositiveFeedbackRating: 97.5, FeedbackCount: 200 },
          ShippingTime: { minimumHours: 0, maximumHours: 24, availabilityType: 'NOW' },
          ListingPrice: money(19),
          Points: fba.Points,
          Shipping: money(0),
          ShipsFrom: { State: 'WA', Country: 'US' },
          IsFulfilledByAmazon: true,
          PrimeInformation: { IsPrime: true, IsNationalPrime: true },
          IsBuyBoxWinner: true,
          IsFeaturedMerchant: true,
        },
        expect.objectContaining({ SellerId: 'AFBM', IsBuyBoxWinner: false, IsFulfilledByAmazon: false }),
      ],
    })
    const used = await payloadOf(`/items/B0VZERO001/offers?${IN_US}&ItemCondition=Used`)
    expect(used).toMatchObject({ Offers: [{ SellerId: 'AUSED', SubCondition: 'very_good' }] })
  })

  test('getItemOffers returns the list price of the catalog item in the currency of the marketplace', async () => {
    const listPrices = [
      { currency: 'EUR', value: 25 },
      { currency: 'USD', value: 29.99 },
    ]
    const item = { marketplaceId: US, asin: 'B0LISTED01', productType: 'HOME', itemName: 'Lamp' }
    await market.put('catalogItems', [{ ...item, attributes: { list_price: listPrices } }])
    const { Summary } = await payloadOf(`/items/B0LISTED01/offers?${IN_US}&ItemCondition=New`)
    expect(Summary).toMatchObject({ TotalOfferCount: 0, ListPrice: money(29.99) })
    await market.put('catalogItems', [{ ...item, attributes: { list_price: 'a lot' } }])
    const answer = await payloadOf(`/items/B0LISTED01/offers?${IN_US}&ItemCondition=New`)
    expect(answer.Summary).not.toHaveProperty('ListPrice')
  })

  test('getItemOffers returns NoBuyableOffers for a condition without offers, and for Business', async () => {
    const none = { status: 'NoBuyableOffers', Offers: [] }
    expect(await payloadOf(`/items/B0VZERO001/offers?${IN_US}&ItemCondition=Club`)).toMatchObject(none)
    const forBusiness = `/items/B0VZERO001/offers?${IN_US}&ItemCondition=New&CustomerType=Business`
    expect(await payloadOf(forBusiness)).toMatchObject({ ...none, Summary: { TotalOfferCount: 0 } })
  })

  test("getListingOffers returns the offers for the product of a listing, with the seller's own marked", async () => {
    const payload = await payloadOf(`/listings/${SKU}/offers?${IN_US}&ItemCondition=New`)
    expect(payload).toMatchObject({
      SKU,
      Identifier: { MarketplaceId: US, ItemCondition: 'New', SellerSKU: SKU },
      Summary: { CompetitivePriceThreshold: { CurrencyCode: 'USD' } },
    })
    const own = payload.Offers.filter((offer: { MyOffer: boolean }) => offer.MyOffer)
    expect(new Set(own.map(({ SellerId }: { SellerId: string }) => SellerId))).toEqual(new Set([souk.demo.sellerId]))
  })

  test('batches return a result for each element, in order', async () => {
    const ask = (kind: string, name: string, more = {}) => ({
      uri: `/products/pricing/v0/${kind}/${name}/offers`,
      method: 'GET',
      MarketplaceId: US,
      ItemCondition: 'New',
      ...more,
    })
    const items = await market.batch('itemOffers', [
      ask('items', SHOE),
      ask('items', 'B0NOTHING0'),
      ask('items', SHOE, { MarketplaceId: 'NOWHERE' }),
      ask('listings', SKU),
      ask('items', SHOE, { MarketplaceId: DE, CustomerType: 'Consumer' }),
      ask('items', '%E0%A4%A', {}),
    ])
    expect(items.statusCode).toBe(200)
    expect(items.json().responses).toMatchObject([
      { status: { statusCode: 200, reasonPhrase: 'OK' }, request: { Asin: SHOE }, body: { payload: { ASIN: SHOE } } },
      { status: { statusCode: 400 }, request: { Asin: 'B0NOTHING0' }, body: { errors: [{ code: 'InvalidInput' }] } },
      { status: { statusCode: 400 }, body: { errors: [{ details: 'Marketplace NOWHERE does not exist.' }] } },
      { status: { statusCode: 400 }, body: { errors: [{ details: expect.stringContaining('requests[3].uri') }] } },
      { request: { MarketplaceId: DE, CustomerType: 'Consumer' }, body: { payload: { marketplaceId: DE } } },
      { status: { statusCode: 400 }, body: { errors: [{ details: expect.stringContaining('requests[5].uri') }] } },
    ])
    const listed = await market.batch('listingOffers', [ask('listings', SKU), ask('listings', 'NO%20SUCH')])
    expect(listed.json().responses).toMatchObject([
      { status: { statusCode: 200 }, request: { SellerSKU: SKU }, body: { payload: { SKU } } },
      { status: { statusCode: 400 }, request: { SellerSKU: 'NO SUCH' }, body: { errors: [{ code: 'InvalidInput' }] } },
    ])
  })

  test.each([
    ['an unknown marketplace', `/price?MarketplaceId=NOWHERE&ItemType=Asin&Asins=${SHOE}`, 400, 'NOWHERE'],
    ['a marketplace of others', `/price?MarketplaceId=A1F83G8C2ARO7P&ItemType=Asin&Asins=${SHOE}`, 403, ''],
    ['no marketplace', `/price?ItemType=Asin&Asins=${SHOE}`, 400, 'MarketplaceId is required'],
    ['no type', `/price?${IN_US}&Asins=${SHOE}`, 400, 'ItemType is required'],
    ['another type', `/price?${IN_US}&ItemType=Ean&Asins=${SHOE}`, 400, 'ItemType must be one of Asin, Sku'],
    ['ASINs for SKUs', `/price?${IN_US}&ItemType=Sku&Asins=${SHOE}`, 400, 'Skus is required when ItemType is Sku'],
    ['no ASIN', `/competitivePrice?${IN_US}&ItemType=Asin&Asins=`, 400, 'Asins'],
    ['21 ASINs', `/price?${IN_US}&ItemType=Asin&Asins=${Array(21).fill(SHOE)}`, 400, 'Asins must have at most 20'],
    ['an unknown condition', `/items/${SHOE}/offers?${IN_US}&ItemCondition=Old`, 400, 'ItemCondition must be one of'],
    ['no condition', `/items/${SHOE}/offers?${IN_US}`, 400, 'ItemCondition is required'],
    ['an unknown product', `/items/B0NOTHING0/offers?${IN_US}&ItemCondition=New`, 400, 'Asin is not a product'],
    ['an unknown listing', `/listings/NO%20SUCH/offers?${IN_US}&ItemCondition=New`, 400, 'SellerSKU is not a listing'],
  ])('refuses %s', async (_, path, status, details) => {
    expect(errorOf(await market.get(path))).toMatchObject({ status, details: expect.stringContaining(details) })
  })

  test.each<[string, unknown, string]>([
    ['no requests', [], 'requests must have at least 1 item'],
    ['21 requests', Array(21).fill({}), 'requests must have at most 20 items'],
    ['another method', [{ uri: '/x', method: 'PUT', MarketplaceId: US, ItemCondition: 'New' }], 'method must be GET'],
    ['no uri', [{ method: 'GET', MarketplaceId: US, ItemCondition: 'New' }], 'requests[0].uri is required'],
  ])('refuses a batch with %s', async (_, requests, details) => {
    for (const name of ['itemOffers', 'listingOffers']) {
      const refused = errorOf(await market.batch(name, requests))
      expect(refused).toMatchObject({ status: 400, details: expect.stringContaining(details) })
    }
  })
})

test.each([
  ['getPricing', 0.5, 1],
  ['getCompetitivePricing', 0.5, 1],
  ['getItemOffers', 0.5, 1],
  ['getListingOffers', 1, 2],
  ['getItemOffersBatch', 0.1, 1],
  ['getListingOffersBatch', 0.5, 1],
])('%s may be called %d times a second, with a burst of %d', async (operation, rate, burst) => {
  const souk = await startTestSouk({ rates: 'documented' })
  const market = marketClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  const element = { method: 'GET', MarketplaceId: US, ItemCondition: 'New' }
  const calls: Record<string, () => ReturnType<MarketClient['get']>> = {
    getPricing: () => market.get(`/price?${IN_US}&ItemType=Asin&Asins=${SHOE}`),
    getCompetitivePricing: () => market.get(`/competitivePrice?${IN_US}&ItemType=Asin&Asins=${SHOE}`),
    getItemOffers: () => market.get(`/items/${SHOE}/offers?${IN_US}&ItemCondition=New`),
    getListingOffers: () => market.get(`/listings/${SKU}/offers?${IN_US}&ItemCondition=New`),
    getItemOffersBatch: () =>
      market.batch('itemOffers', [{ ...element, uri: `/products/pricing/v0/items/${SHOE}/offers` }]),
    getListingOffersBatch: () =>
      market.batch('listingOffers', [{ ...element, uri: `/products/pricing/v0/listings/${SKU}/offers` }]),
  }
  for (let call = 0; call < burst; call++) expect((await calls[operation]?.())?.statusCode).toBe(200)
  const refused = await calls[operation]?.()
  expect([refused?.statusCode, Number(refused?.headers['x-amzn-ratelimit-limit'])]).toEqual([429, rate])
})
