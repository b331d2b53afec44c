import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { createListingWriter, loadBatch } from '../../../src/areas/listings/submission/writer.ts'
import { createOfferWriter } from '../../../src/marketplace/offers/offers.ts'
import { type ProductType, ProductTypes } from '../../../src/marketplace/product-types/index.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { SequentialIds } from '../../../src/platform/ids/sequential-ids.ts'
import { createJobQueue } from '../../../src/platform/jobs/job-queue.ts'
import { createOutbox } from '../../../src/platform/outbox/outbox.ts'
import { isTimestamp } from '../../../src/platform/timestamps.ts'
import {
  IN_BOTH,
  IN_US,
  type ListingsClient,
  newShoe,
  priceOf,
  setAttribute,
  setPrice,
  setQuantity,
  startWatchedListings,
  US,
  type Watch,
} from '../../support/listings.ts'
import { modelsArePresent, readModel } from '../../support/public-models.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let listings: ListingsClient
let watch: Watch
let database: Database
beforeAll(async () => {
  ;({ souk, listings, watch, database } = await startWatchedListings())
})

const STATUS = 'LISTINGS_ITEM_STATUS_CHANGE'
const ISSUES = 'LISTINGS_ITEM_ISSUES_CHANGE'
const QUANTITY = 'LISTINGS_ITEM_MFN_QUANTITY_CHANGE'
const OFFER = 'OFFER_CHANGE'

/** The events that a request causes, its processing included, in the order of their types. */
async function eventsOf(sku: string, request: () => Promise<unknown>) {
  const before = await watch.events(sku)
  await request()
  await souk.idle()
  const events = [...(await watch.events(sku))].filter(([id]) => !before.has(id)).map(([, event]) => event)
  return events.sort((one, other) => (one.type < other.type ? -1 : 1))
}
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type)
const create = (sku: string, overrides: Parameters<typeof newShoe>[0] = {}) =>
  eventsOf(sku, () => listings.put(sku, newShoe(overrides)))
const patch = (sku: string, ...patches: unknown[]) => eventsOf(sku, () => listings.patch(sku, patches))

describe('a listing publishes', () => {
  test('its status, quantity and offer when it is created', async () => {
    const events = await create('EVENT-1')
    const { asin } = (await listings.read('EVENT-1')).summaries[0]
    const { sellerId } = souk.demo
    const item = { SellerId: sellerId, MarketplaceId: US, Asin: asin, Sku: 'EVENT-1' }
    expect(events).toEqual([
      {
        type: QUANTITY,
        sellerId,
        payload: {
          SellerId: sellerId,
          MarketplaceId: US,
          FulfillmentChannelCode: 'DEFAULT',
          Sku: 'EVENT-1',
          Quantity: 4,
        },
      },
      {
        type: STATUS,
        sellerId,
        payload: { ...item, CreatedDate: souk.clock.now().toISOString(), Status: ['BUYABLE', 'DISCOVERABLE'] },
      },
      { type: OFFER, sellerId, payload: { marketplaceId: US, asin, sku: 'EVENT-1', conditionType: 'new_new' } },
    ])
  })

  test('a new quantity, without an offer change', async () => {
    await create('EVENT-2')
    expect(await patch('EVENT-2', setQuantity(9))).toMatchObject([{ type: QUANTITY, payload: { Quantity: 9 } }])
  })

  test('a new price', async () => {
    await create('EVENT-3')
    expect(typesOf(await patch('EVENT-3', setPrice(12)))).toEqual([OFFER])
  })

  test('status changes when it sells out and is back in stock', async () => {
    await create('EVENT-4')
    expect(await patch('EVENT-4', setQuantity(0))).toMatchObject([
      { type: QUANTITY, payload: { Quantity: 0 } },
      { type: STATUS, payload: { Status: ['DISCOVERABLE'] } },
      { type: OFFER },
    ])
    expect(await patch('EVENT-4', setQuantity(1))).toMatchObject([
      { type: QUANTITY },
      { type: STATUS, payload: { Status: ['BUYABLE', 'DISCOVERABLE'] } },
      { type: OFFER },
    ])
  })

  test('new issues, and that they are resolved', async () => {
    const events = await create('EVENT-5', { main_product_image_locator: undefined })
    expect(events).toContainEqual(
      expect.objectContaining({
        type: ISSUES,
        payload: expect.objectContaining({ Severities: ['WARNING'], EnforcementActions: ['SEARCH_SUPPRESSED'] }),
      }),
    )
    const image = setAttribute('main_product_image_locator', { media_location: 'https://images.example/1.jpg' })
    expect(await patch('EVENT-5', image)).toMatchObject([
      { type: ISSUES, payload: { EnforcementActions: [] } },
      { type: STATUS, payload: { Status: ['BUYABLE', 'DISCOVERABLE'] } },
    ])
  })

  test('that its price suppresses it, as soon as it changes', async () => {
    await create('EVENT-6')
    const offer = { currency: 'USD', our_price: priceOf(5), minimum_seller_allowed_price: priceOf(6) }
    expect(await patch('EVENT-6', setAttribute('purchasable_offer', offer))).toMatchObject([
      { type: ISSUES, payload: { Severities: ['ERROR'], EnforcementActions: ['LISTING_SUPPRESSED'] } },
      { type: STATUS, payload: { Status: [] } },
      { type: OFFER },
    ])
  })

  test('that it is deleted', async () => {
    await create('EVENT-7')
    const events = await eventsOf('EVENT-7', () => listings.delete('EVENT-7'))
    expect(typesOf(events)).toEqual([STATUS, OFFER])
  })

  test('separate events for each marketplace', async () => {
    const events = await eventsOf('SOUK-SHOE-003', () => listings.patch('SOUK-SHOE-003', [setQuantity(77)], IN_BOTH))
    expect(typesOf(events)).toEqual([QUANTITY, QUANTITY])
    expect(new Set(events.map(({ payload }) => payload.MarketplaceId ?? payload.marketplaceId)).size).toBe(2)
  })

  test('only its issue for an unknown SKU', async () => {
    expect(await patch('EVENT-8', setQuantity(3), setPrice(3))).toMatchObject([
      { type: ISSUES, payload: { Severities: ['ERROR'], Asin: '' } },
    ])
    const healed = await create('EVENT-8', {
      fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 3 }],
    })
    expect(typesOf(healed)).toEqual([ISSUES, QUANTITY, STATUS, OFFER])
  })
})

describe('a listing publishes nothing', () => {
  beforeAll(async () => {
    await create('SILENT')
  })

  test('when nothing has changed', async () => {
    expect(await patch('SILENT', setQuantity(4), setPrice(79.5))).toEqual([])
    expect(await patch('SILENT', setAttribute('style', { value: 'Chukka' }))).toEqual([])
  })

  test('when a change is invalid or a preview', async () => {
    expect(await patch('SILENT', setQuantity(7), setPrice(-1))).toEqual([])
    const preview = () => listings.patch('SILENT', [setQuantity(7)], `${IN_US}&mode=VALIDATION_PREVIEW`)
    expect(await eventsOf('SILENT', preview)).toEqual([])
    expect(await eventsOf('SILENT', () => listings.patch('SILENT', 'garbage'))).toEqual([])
  })

  test('when an unknown SKU is deleted', async () => {
    expect(await eventsOf('NOT-THERE', () => listings.delete('NOT-THERE'))).toEqual([])
  })
})

test('events are written with the change that causes them, or not at all', async () => {
  const ids = new SequentialIds()
  const writer = createListingWriter({
    clock: souk.clock,
    ids,
    jobs: createJobQueue(ids),
    outbox: createOutbox(ids),
    offers: createOfferWriter(async () => {}),
    delayMilliseconds: 0,
  })
  const productTypes = new ProductTypes()
  const submit = (thenFails: boolean) =>
    database.transact(async (tx) => {
      const productType = (await productTypes.find(tx, 'SHOES')) as ProductType
      const value = [{ fulfillment_channel_code: 'DEFAULT', quantity: 321 }]
      const target = {
        sellerId: souk.demo.sellerId,
        sku: 'SOUK-SHOE-001',
        marketplaces: [{ marketplaceId: US, currencyCode: 'USD', languageCode: 'en_US' }],
      }
      const patches = [{ op: 'replace' as const, attribute: 'fulfillment_availability', value }]
      const change = { operation: 'PATCH' as const, productType, patches }
      await writer.submit(tx, { ...target, change }, await loadBatch(tx, target))
      if (thenFails) throw new Error('The disk is full')
    })
  const before = await watch.everything()
  await expect(submit(true)).rejects.toThrow('The disk is full')
  expect(await watch.changesSince(before)).toEqual([])
  await submit(false)
  expect(typesOf([...(await watch.events('SOUK-SHOE-001')).values()])).toEqual([QUANTITY])
})

test.skipIf(!modelsArePresent)('events of listings satisfy the public schemas', async () => {
  const files = {
    [STATUS]: 'ListingsItemStatusChangeNotification.json',
    [ISSUES]: 'ListingsItemIssuesChangeNotification_2023-12-13.json',
    [QUANTITY]: 'ListingsItemMfnQuantityChange.json',
  }
  const events = await create('PUBLIC', { main_product_image_locator: undefined })
  for (const [type, file] of Object.entries(files)) {
    const event = events.find((one) => one.type === type)
    expect(event, type).toBeDefined()
    const ajv = new Ajv({ strict: false, formats: { 'date-time': isTimestamp } })
    const { Payload } = readModel(`notifications/${file}`).properties
    expect(ajv.validate(Payload, event?.payload), ajv.errorsText()).toBe(true)
  }
})
