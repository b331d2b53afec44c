import { beforeAll, describe, expect, test } from 'vitest'
import {
  FeedsClient,
  type Message,
  type ProcessingReport,
  partialUpdate,
  patch,
  remove,
  update,
} from '../../support/feeds.ts'
import {
  IN_US,
  type ListingsClient,
  newOffer,
  newShoe,
  priceOf,
  setAttribute,
  setPrice,
  setQuantity,
  startWatchedListings,
  type Watch,
} from '../../support/listings.ts'

const offerOnly = { requirements: 'LISTING_OFFER_ONLY' }
const family = { parentage_level: [{ value: 'child' }], variation_theme: [{ name: 'COLOR' }] }
const childOf = (parent: string) => newShoe({ ...family, child_parent_sku_relationship: [{ parent_sku: parent }] })

/** Valid and invalid changes of all kinds, per SKU. */
const stories: Record<string, Message[]> = {
  'a new listing': [update('T-1', newShoe())],
  'numbers as text': [
    update(
      'T-2',
      newShoe({ purchasable_offer: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: '7.50' }] }] }] }),
    ),
  ],
  'price and quantity': [update('T-3', newShoe()), patch('T-3', setPrice('55.5'), setQuantity('6'))],
  'a partial update': [
    update('T-4', newShoe()),
    partialUpdate('T-4', { item_name: [{ value: 'Other' }], bullet_point: [{ value: 'One' }] }),
  ],
  'no image': [update('T-5', newShoe({ main_product_image_locator: undefined }))],
  'a bad image': [update('T-6', newShoe({ main_product_image_locator: [{ media_location: 'nowhere' }] }))],
  'no price': [update('T-7', newShoe()), patch('T-7', { op: 'delete', path: '/attributes/purchasable_offer' })],
  'a price out of bounds': [
    update(
      'T-8',
      newShoe({
        purchasable_offer: [{ currency: 'USD', our_price: priceOf(5), minimum_seller_allowed_price: priceOf(6) }],
      }),
    ),
  ],
  'another currency': [update('T-9', newShoe()), patch('T-9', setPrice(5, 'EUR'))],
  'sold out': [update('T-10', newShoe()), patch('T-10', setQuantity(0))],
  "the marketplace's own channel": [
    update('T-11', newShoe({ fulfillment_availability: [{ fulfillment_channel_code: 'AMAZON_NA' }] })),
  ],
  'an offer for a catalog item': [
    update('T-12', { ...newOffer(), merchant_suggested_asin: [{ value: 'B0SOUK0002' }] }, offerOnly),
  ],
  'an offer for nothing': [
    update('T-13', { ...newOffer(), merchant_suggested_asin: [{ value: 'B0NOTTHERE' }] }, offerOnly),
  ],
  'an offer that needs an approval': [
    update('T-14', { ...newOffer(), merchant_suggested_asin: [{ value: 'B0SOUK0012' }] }, offerOnly),
  ],
  'the product alone': [update('T-15', newShoe(), { requirements: 'LISTING_PRODUCT_ONLY' })],
  'an unknown SKU': [patch('T-16', setQuantity(3)), patch('T-16', setPrice(4))],
  'an unknown SKU that comes later': [patch('T-17', setQuantity(3)), update('T-17', newShoe())],
  'a variation': [update('T-18', childOf('T-1'))],
  'a variation that comes before its parent': [update('T-27', childOf('T-28')), update('T-28', newShoe())],
  'a variation that leaves its family': [update('T-29', childOf('T-1')), update('T-29', newShoe())],
  'a variation that is removed and made again without a parent': [
    update('T-30', childOf('T-1')),
    remove('T-30'),
    update('T-30', newShoe()),
  ],
  'a variation that joins later, and is removed': [
    update('T-31', newShoe()),
    partialUpdate('T-31', { child_parent_sku_relationship: [{ parent_sku: 'T-1' }] }),
    remove('T-31'),
  ],
  'removed and made again': [
    update('T-19', newShoe()),
    remove('T-19'),
    update('T-19', newShoe({ style: [{ value: 'x' }] })),
  ],
  'removed and changed at once': [remove('SOUK-SHOE-003'), patch('SOUK-SHOE-003', setQuantity(3))],
  'removed for good': [update('T-20', newShoe()), remove('T-20')],
  'required attributes missing': [update('T-21', { item_name: [{ value: 'Boot' }] })],
  'an unknown attribute': [
    update('T-22', newShoe({ wheels: [{ value: 4 }] })),
    patch('T-1', setAttribute('wheels', { value: 4 })),
  ],
  'wrong values': [
    update('T-23', newShoe()),
    patch('T-23', setPrice('cheap')),
    patch('T-23', setQuantity(1.5)),
    patch('T-23', setAttribute('condition_type', { value: 'rotten' })),
    partialUpdate('T-23', { item_name: 'text', brand: null, bullet_point: [] }),
    partialUpdate('T-23', { item_name: [{ value: 'x'.repeat(5000) }] }),
  ],
  'what is required removed': [update('T-24', newShoe()), patch('T-24', { op: 'delete', path: '/attributes/brand' })],
  'whatever it is already': [update('T-25', newShoe()), { ...patch('T-25', setQuantity(2)), productType: 'PRODUCT' }],
  'one attribute twice in a message': [update('T-26', newShoe()), patch('T-26', setQuantity(1), setQuantity(2))],
  'the SKU of another spelling': [update('t-1 /ü%', newShoe())],
}
const messages = Object.values(stories).flat()

let byCall: { listings: ListingsClient; watch: Watch; issues: object[][] }
let byFeed: { listings: ListingsClient; watch: Watch; report: ProcessingReport }

beforeAll(async () => {
  const called = await startWatchedListings()
  const issues: object[][] = []
  for (const message of messages) {
    issues.push(await submitAlone(called.listings, message))
    await called.souk.idle()
  }
  byCall = { ...called, issues }

  const fed = await startWatchedListings()
  const client = new FeedsClient(fed.souk)
  byFeed = { ...fed, report: await client.processText(client.document(messages), {}) }
})

/** Makes the same change through the listings API and returns its issues. */
async function submitAlone(listings: ListingsClient, message: Message): Promise<object[]> {
  const { operationType, attributes, patches, productType, requirements } = message
  const sku = message.sku as string
  const replacing = Object.entries(attributes ?? {}).map(([name, value]) => ({
    op: 'replace',
    path: `/attributes/${name}`,
    value,
  }))
  const calls: Record<string, () => ReturnType<ListingsClient['put']>> = {
    UPDATE: () =>
      listings.put(sku, attributes, IN_US, { productType, ...(requirements !== undefined && { requirements }) }),
    PARTIAL_UPDATE: () => listings.patch(sku, replacing, IN_US, productType as string),
    PATCH: () => listings.patch(sku, patches, IN_US, productType as string),
    DELETE: () => listings.delete(sku),
  }
  const response = await calls[operationType as string]?.()
  if (response?.statusCode === 400) return [{ refused: true }]
  expect(response?.statusCode, response?.body).toBe(200)
  return response?.json().issues.map(({ code, message, severity, attributeNames }: never) => ({
    code,
    message,
    severity,
    attributeName: attributeNames?.[0],
  }))
}

/** An ASIN that is new is another one each time. */
const withoutNewAsins = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/"B0(?!SOUK)[0-9A-Z]{8}"/g, '"ASIN"')
      .replace(/"X00\w{7}"/g, '"FNSKU"'),
  )

const skusOf = (story: readonly Message[]) => [...new Set(story.map(({ sku }) => sku as string))]

describe('a message has the effect of the same change through the listings API:', () => {
  test.each(Object.entries(stories))('%s', async (_name, story) => {
    for (const sku of skusOf(story)) {
      const [called, fed] = [await byCall.listings.get(sku), await byFeed.listings.get(sku)]
      expect(fed.statusCode).toBe(called.statusCode)
      expect(withoutNewAsins(await byFeed.watch.offers(sku))).toEqual(withoutNewAsins(await byCall.watch.offers(sku)))
      if (called.statusCode !== 200) continue
      expect(withoutNewAsins(await byFeed.listings.read(sku))).toEqual(withoutNewAsins(await byCall.listings.read(sku)))
    }
    for (const message of story) {
      const index = messages.indexOf(message)
      const own = byFeed.report.issues.filter(({ messageId }) => messageId === index + 1)
      const expected = byCall.issues[index]
      if (expected?.some((issue) => 'refused' in issue)) {
        expect(own.map(({ severity }) => severity)).toContain('ERROR')
        continue
      }
      expect(own).toEqual(
        expected?.map((issue) => ({ ...JSON.parse(JSON.stringify(issue)), messageId: index + 1, sku: message.sku })),
      )
    }
  })

  test('also for a later change through the listings API', async () => {
    for (const { listings } of [byCall, byFeed]) await listings.patch('T-3', [setPrice(3), setQuantity(33)])
    expect(withoutNewAsins(await byFeed.listings.read('T-3'))).toEqual(
      withoutNewAsins(await byCall.listings.read('T-3')),
    )
  })

  test('and writes the same relations', async () => {
    expect(await byFeed.watch.relations()).toEqual(await byCall.watch.relations())
  })
})
