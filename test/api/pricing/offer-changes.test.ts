import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { offerChanges } from '../../../src/areas/pricing/notifications/offer-change.ts'
import { listOffersByProduct } from '../../../src/marketplace/offers/offers.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import { joinText } from '../../../src/platform/outbox/event-payload.ts'
import type { NewEvent } from '../../../src/platform/outbox/outbox.ts'
import { eventsIn } from '../../support/events.ts'
import { startWatchedListings } from '../../support/listings.ts'
import { buildCompetitorOffer, type MarketClient, marketClient, US } from '../../support/market.ts'
import { modelsArePresent, readModel } from '../../support/public-models.ts'
import type { TestSouk } from '../../support/souk.ts'

describe('a changed offer', () => {
  let souk: TestSouk
  let market: MarketClient
  let database: Database
  beforeAll(async () => {
    const started = await startWatchedListings()
    ;({ souk, database } = started)
    market = marketClient(souk, started.token)
  })

  const changesOf = async (asin: string) => {
    const events = (await eventsIn(database)).filter(({ type }) => type === 'OFFER_CHANGE')
    return events.map(({ sellerId, payload }) => ({ sellerId, ...payload })).filter((change) => change.asin === asin)
  }
  const notify = (asin: string, conditionType = 'new_new', limit = 100) =>
    database.transact(async (tx) => {
      const payload = { marketplaceId: US, asin, conditionType }
      const change = { eventId: 'any', sellerId: 'any', type: 'OFFER_CHANGE', occurredAt: souk.clock.now(), payload }
      const begun = await offerChanges.begin(tx, change)
      const notifications: Omit<NewEvent, 'occurredAt'>[] = []
      for (let after: string | undefined = ''; begun && after !== undefined; ) {
        const page = await offerChanges.page(tx, change, begun.context, { after: after || undefined, limit })
        for (const { serialize, ...notification } of page.notifications) {
          if (serialize) expect(joinText(serialize())).toBe(JSON.stringify(notification.payload))
          notifications.push(notification)
        }
        after = page.next
      }
      return notifications
    })

  test('of a competitor is recorded once per product and condition, with its seller', async () => {
    await market.addProducts('B0CHANGE01', 'B0CHANGE02')
    await market.offer(
      buildCompetitorOffer('AONE', { asin: 'B0CHANGE01' }),
      buildCompetitorOffer('ATWO', { asin: 'B0CHANGE01' }),
      buildCompetitorOffer('ATHREE', { asin: 'B0CHANGE01', conditionType: 'used_good' }),
      buildCompetitorOffer('ATWO', { asin: 'B0CHANGE02' }),
    )
    const change = { marketplaceId: US, asin: 'B0CHANGE01' }
    const recorded = await changesOf('B0CHANGE01')
    expect(recorded).toHaveLength(2)
    expect(recorded).toEqual(
      expect.arrayContaining([
        { sellerId: 'AONE', ...change, conditionType: 'new_new' },
        { sellerId: 'ATHREE', ...change, conditionType: 'used_good' },
      ]),
    )
    expect(await changesOf('B0CHANGE02')).toMatchObject([{ sellerId: 'ATWO' }])
  })

  test('is recorded when it is deleted or its condition changes, and not when it is written again unchanged', async () => {
    const asin = 'B0CHANGE03'
    const offer = buildCompetitorOffer('AONE', { asin, terms: { prime: 'NATIONAL', points: { number: 1 } } })
    await market.addProducts(asin)
    await market.offer(offer)
    expect(await changesOf(asin)).toHaveLength(1)
    await market.offer({ ...offer, terms: { points: { number: 1 }, prime: 'NATIONAL' } })
    expect(await changesOf(asin)).toHaveLength(1)
    await market.offer({ ...offer, conditionType: 'used_good' })
    expect((await changesOf(asin)).map(({ conditionType }) => conditionType).sort()).toEqual([
      'new_new',
      'new_new',
      'used_good',
    ])
    await market.withdraw({ ...offer, conditionType: 'used_good' })
    expect(await changesOf(asin)).toHaveLength(4)
    await market.withdraw(offer)
    expect(await changesOf(asin)).toHaveLength(4)
  })

  test('notifies every known seller with an offer for the product, and no other seller', async () => {
    const { sellerId, otherSeller } = souk.demo
    const notifications = await notify('B0SOUK0001')
    expect(notifications.map((event) => [event.type, event.sellerId])).toEqual([
      ['ANY_OFFER_CHANGED', sellerId],
      ['ANY_OFFER_CHANGED', otherSeller.sellerId],
    ])
    expect(await notify('B0SOUK0001', 'new_new', 1)).toEqual(notifications)
    // Only competitors sell the last colors.
    expect(await notify('B0SOUK0401')).toEqual([])
    expect(await notify('B0NOTHING0')).toEqual([])
  })

  test('counts the offers of the products of a round no further than can be loaded together', async () => {
    const products = ['B0SOUK0001', 'B0SOUK0006'].map((asin) => ({ marketplaceId: US, asin }))
    const offersUpTo = (limit: number) =>
      database.read(async (reader) => (await listOffersByProduct(reader, products, limit)).length)
    const all = await offersUpTo(10_000)
    expect(all).toBeGreaterThan(2)
    expect(await offersUpTo(all - 1)).toBe(all - 1)
    expect(await offersUpTo(all + 1)).toBe(all)
  })

  test('notifies with the current market', async () => {
    const [event] = await notify('B0SOUK0001', 'used_good')
    const { AnyOfferChangedNotification: content } = (event as NewEvent).payload as {
      AnyOfferChangedNotification: { Summary: Record<string, unknown>; Offers: { SubCondition: string }[] }
    }
    const v0 = await market.get(`/items/B0SOUK0001/offers?MarketplaceId=${US}&ItemCondition=Used`)
    const { Summary, Offers } = v0.json().payload
    expect(content).toMatchObject({
      SellerId: souk.demo.sellerId,
      OfferChangeTrigger: {
        MarketplaceId: US,
        ASIN: 'B0SOUK0001',
        ItemCondition: 'Used',
        TimeOfOfferChange: souk.clock.now().toISOString(),
        OfferChangeType: 'Internal',
      },
      Summary: {
        BuyBoxPrices: [{ Condition: 'new', LandedPrice: Summary.BuyBoxPrices[0].LandedPrice }],
        CompetitivePriceThreshold: Summary.CompetitivePriceThreshold,
        SuggestedLowerPricePlusShipping: Summary.SuggestedLowerPricePlusShipping,
        SalesRankings: Summary.SalesRankings,
      },
    })
    expect(content.Offers.map(({ SubCondition }) => SubCondition)).toEqual(
      Offers.map((offer: { SubCondition: string }) => offer.SubCondition),
    )
    expect(content.Offers.length).toBeGreaterThan(0)
  })

  test('sends PRICING_HEALTH to sellers whose price disqualifies their offer', async () => {
    const notifications = await notify('B0SOUK0006')
    const health = notifications.filter(({ type }) => type === 'PRICING_HEALTH')
    expect(new Set(health.map(({ sellerId }) => sellerId))).toEqual(new Set([souk.demo.sellerId]))
    expect(health[0]?.payload).toMatchObject({
      issueType: 'BuyBoxDisqualification',
      merchantOffer: { condition: 'new', listingPrice: { amount: 62.3, currencyCode: 'USD' } },
      summary: {
        buyBoxEligibleOffers: [],
        buyBoxPrices: [],
        referencePrice: { competitivePriceThreshold: { currencyCode: 'USD' } },
      },
    })
    expect((await notify('B0SOUK0006', 'used_good')).every(({ type }) => type === 'ANY_OFFER_CHANGED')).toBe(true)
  })

  test.runIf(modelsArePresent)('notifies with payloads that conform to the public schemas', async () => {
    await market.addProducts('B0SCHEMA01')
    await market.offer(buildCompetitorOffer(souk.demo.sellerId, { asin: 'B0SCHEMA01' }))
    const everything = await Promise.all(['B0SOUK0001', 'B0SOUK0006', 'B0SCHEMA01'].map((asin) => notify(asin)))
    for (const { type, payload } of everything.flat()) {
      const [file, envelope] =
        type === 'PRICING_HEALTH' ? (['PricingHealth', camelCase] as const) : (['AnyOfferChanged', pascalCase] as const)
      const ajv = new Ajv({ strict: false, validateFormats: false })
      const isValid = ajv.validate(readModel(`notifications/${file}Notification.json`), envelope(type, payload))
      expect(isValid, ajv.errorsText()).toBe(true)
    }
  })
})

const time = '2026-06-01T12:00:00.000Z'
const pascalCase = (type: string, payload: object) => ({
  NotificationVersion: '1.0',
  NotificationType: type,
  PayloadVersion: '1.0',
  EventTime: time,
  Payload: payload,
  NotificationMetadata: { ApplicationId: 'a', SubscriptionId: 's', PublishTime: time, NotificationId: 'n' },
})
const camelCase = (type: string, payload: object) => ({
  notificationVersion: '1.0',
  notificationType: type,
  payloadVersion: '1.0',
  eventTime: time,
  payload,
  notificationMetadata: { applicationId: 'a', subscriptionId: 's', publishTime: time, notificationId: 'n' },
})
