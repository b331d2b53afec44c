import { beforeAll, describe, expect, test } from 'vitest'
import {
  DE,
  EVERYTHING,
  IN_BOTH,
  IN_DE,
  IN_US,
  type ListingsClient,
  listingsClient,
  setAttribute,
  setQuantity,
  startListings,
  US,
} from '../../support/listings.ts'
import { errorOf, NOTIFICATIONS, type TestSouk } from '../../support/souk.ts'

const SKU = 'SOUK-SHOE-001'

let souk: TestSouk
let token: string
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, token, listings } = await startListings())
})

describe('getListingsItem', () => {
  test('returns the summary of a listing by default', async () => {
    const response = await listings.get(SKU)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({
      sku: SKU,
      summaries: [
        {
          marketplaceId: US,
          asin: 'B0SOUK0001',
          productType: 'SHOES',
          conditionType: 'new_new',
          status: ['BUYABLE', 'DISCOVERABLE'],
          itemName: 'Trail running shoe, grey',
          createdDate: expect.stringMatching(/^\d{4}-.*Z$/),
          lastUpdatedDate: expect.stringMatching(/^\d{4}-.*Z$/),
          mainImage: { link: expect.stringMatching(/^https:/), height: expect.any(Number), width: expect.any(Number) },
        },
      ],
    })
  })

  test.each([
    ['attributes', { item_name: [{ value: 'Trail running shoe, grey', language_tag: 'en_US', marketplace_id: US }] }],
    ['issues', []],
    ['offers', [{ marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount: '89.90' } }]],
    ['fulfillmentAvailability', [{ fulfillmentChannelCode: 'DEFAULT', quantity: 3 }]],
    ['procurement', []],
    ['relationships', []],
    ['productTypes', [{ marketplaceId: US, productType: 'SHOES' }]],
    ['summaries', [{ asin: 'B0SOUK0001' }]],
  ])('returns the data set %s alone', async (set, expected) => {
    const { sku, ...sets } = (await listings.get(SKU, `${IN_US}&includedData=${set}`)).json()
    expect(sku).toBe(SKU)
    expect(Object.keys(sets)).toEqual([set])
    expect(sets[set]).toMatchObject(expected)
  })

  test('returns all data sets together, in either format of the list', async () => {
    const sets = EVERYTHING.split(',')
    for (const spelling of [EVERYTHING, sets.join('%2C'), sets.join('&includedData='), `${EVERYTHING},${EVERYTHING}`]) {
      const answer = (await listings.get(SKU, `${IN_US}&includedData=${spelling}`)).json()
      expect(Object.keys(answer)).toEqual(['sku', ...sets])
    }
  })

  test('returns consumer and business prices, and a discounted price while it applies', async () => {
    const reduced = { value_with_tax: 70, start_at: '2026-06-01T00:00:00Z', end_at: '2026-06-02T00:00:00Z' }
    const offer = {
      currency: 'USD',
      our_price: [{ schedule: [{ value_with_tax: 80 }] }],
      discounted_price: [{ schedule: [reduced] }],
    }
    await listings.patch('SOUK-SHOE-004', [setAttribute('purchasable_offer', offer, { ...offer, audience: 'B2B' })])
    const amounts = async () => {
      const { offers } = (await listings.get('SOUK-SHOE-004', `${IN_US}&includedData=offers`)).json()
      return offers.map((one: { offerType: string; price: { amount: string } }) => [one.offerType, one.price.amount])
    }
    expect(await amounts()).toEqual([
      ['B2C', '70.00'],
      ['B2B', '70.00'],
    ])
    souk.clock.advance(12 * 60 * 60 * 1000)
    token = await souk.tokenFor(souk.demo.refreshToken)
    listings = listingsClient(souk, token)
    expect(await amounts()).toEqual([
      ['B2C', '80.00'],
      ['B2B', '80.00'],
    ])
  })

  test('returns a listing in two marketplaces together', async () => {
    const item = await listings.read(SKU, IN_BOTH)
    const places = (set: { marketplaceId: string }[]) => set.map((one) => one.marketplaceId).sort()
    expect(places(item.summaries)).toEqual([DE, US])
    expect(places(item.offers)).toEqual([DE, US])
    expect(places(item.productTypes)).toEqual([DE, US])
    expect(item.attributes.item_name).toHaveLength(2)
    expect(item.issues).toMatchObject([{ code: '18027', marketplaceIds: [DE] }])
    expect(await listings.read(SKU, `${IN_BOTH},${US}`)).toEqual(item)
  })

  test('omits a marketplace without the SKU', async () => {
    const { summaries } = (await listings.get('SOUK-SHOE-001-FBA', IN_BOTH)).json()
    expect(summaries).toMatchObject([{ marketplaceId: US }])
  })

  test.each([
    [IN_DE, 'Das Angebot hat kein Hauptbild'],
    [`${IN_DE}&issueLocale=en_US`, 'The listing has no main image'],
    [`${IN_DE}&issueLocale=ja_JP`, 'The listing has no main image'],
  ])('returns issues in the requested locale or that of the marketplace: %s', async (query, beginning) => {
    const { issues } = await listings.read(SKU, query)
    expect(issues).toMatchObject([{ message: expect.stringContaining(beginning) }])
  })

  test.each(['a/b', 'a b', 'a#b', 'a+b', 'a%b', 'a%2Fb', 'a?b&c=d', 'Größe 42 👟', '../x', "it's", 'a,b', '"{}'])(
    'finds the SKU "%s", encoded once',
    async (sku) => {
      await listings.patch(sku, [setQuantity(1)])
      expect(await listings.read(sku)).toMatchObject({
        sku,
        attributes: { fulfillment_availability: [{ quantity: 1 }] },
      })
    },
  )

  test.each(['x'.repeat(255), 'ü'.repeat(255), '👟'.repeat(255)])(
    'finds a SKU of 255 characters: %.1s',
    async (sku) => {
      await listings.patch(sku, [setQuantity(1)])
      expect((await listings.get(sku)).json()).toMatchObject({ sku })
    },
  )

  test('distinguishes SKUs by every character', async () => {
    for (const sku of ['souk-shoe-001', 'SOUK-SHOE-001 ', 'SOUK-SHOE-00%', 'SOUK-SHOE-00_']) {
      expect(errorOf(await listings.get(sku)).status, sku).toBe(404)
    }
  })
})

describe('getListingsItem refuses', () => {
  // The last two are words from messages of the database's driver.
  test.each(['NO-SUCH-SKU', 'USB-CONNECTOR-1', 'Connection terminated unexpectedly'])(
    'an unknown SKU, with its name and the marketplace: %s',
    async (sku) => {
      expect(errorOf(await listings.get(sku))).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
        message: `SKU '${sku}' not found in marketplace ${US}`,
      })
    },
  )

  test('a SKU of another marketplace', async () => {
    expect(errorOf(await listings.get('SOUK-SHOE-001-FBA', IN_DE))).toMatchObject({
      status: 404,
      message: expect.stringContaining(DE),
    })
  })

  test.each([
    ['', 'marketplaceIds'],
    ['marketplaceIds=', 'marketplaceIds'],
    ['marketplaceIds=NOWHERE', 'marketplaceIds'],
    [`${IN_US},NOWHERE`, 'marketplaceIds'],
    [`${IN_US}&includedData=secrets`, 'includedData[0]'],
    [`${IN_US}&includedData=`, 'includedData'],
    [`${IN_US}&issueLocale=x`, 'issueLocale'],
  ])('the query "%s"', async (query, place) => {
    expect(errorOf(await listings.get(SKU, query))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: `The request has missing or invalid parameters: [${place}]`,
    })
  })

  test.each(['marketplaceIds=A1VC38T7YXB528', `${IN_US},A1VC38T7YXB528`])(
    'a marketplace in which the seller does not participate: %s',
    async (query) => {
      expect(errorOf(await listings.get(SKU, query))).toMatchObject({ status: 403, code: 'Unauthorized' })
    },
  )

  test("another seller's listings, by either path", async () => {
    const others = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const { sellerId } = souk.demo.otherSeller
    expect(errorOf(await listingsClient(souk, others).get(SKU)).status).toBe(403)
    expect(errorOf(await listingsClient(souk, token, sellerId).get(SKU)).status).toBe(403)
    expect((await listingsClient(souk, others, sellerId).get(SKU)).statusCode).toBe(200)
    expect(errorOf(await listingsClient(souk, others, sellerId).get('SOUK-SHOE-001-FBA')).status).toBe(404)
  })

  test('a token without a seller, and a missing token', async () => {
    const grantless = await souk.grantlessToken(NOTIFICATIONS)
    expect(errorOf(await listingsClient(souk, grantless).get(SKU)).status).toBe(403)
    expect(errorOf(await souk.get(`/listings/2021-08-01/items/${souk.demo.sellerId}/${SKU}?${IN_US}`)).status).toBe(403)
  })
})
