import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/port.ts'
import type { Expanders, InternalEvent } from '../../../src/platform/outbox/expander.ts'
import { readEvents } from '../../../src/platform/outbox/outbox.ts'
import { listingsClient, setPrice, setQuantity, US } from '../../support/listings.ts'
import {
  type NotificationsClient,
  notificationsClient,
  payloadOf,
  receive,
  SUBSCRIPTIONS,
  sqs,
} from '../../support/notifications.ts'
import { append } from '../../support/relay.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const MINUTE = 60_000
const TYPE = 'ANY_OFFER_CHANGED'

let souk: TestSouk
let database: Database
let client: NotificationsClient
let queue: string
let expansions: InternalEvent[] = []

/** Like the expander of pricing, but the payload contains only the subject. */
const expanders: Expanders = {
  OFFER_CHANGE: {
    produces: [TYPE],
    subjectOf: ({ payload }) => `${payload.marketplaceId} ${payload.asin}`,
    async begin(_reader, event) {
      expansions.push(event)
      return { context: {} }
    },
    async page(_reader, event) {
      const { marketplaceId: MarketplaceId, asin: ASIN } = event.payload
      const OfferChangeTrigger = { MarketplaceId, ASIN, TimeOfOfferChange: event.occurredAt.toISOString() }
      const { demo } = souk
      return {
        notifications: [demo.sellerId, demo.otherSeller.sellerId].map((sellerId) => ({
          key: '',
          sellerId,
          type: TYPE,
          payload: { AnyOfferChangedNotification: { SellerId: sellerId, OfferChangeTrigger } },
        })),
      }
    },
  },
}

beforeAll(async () => {
  ;({ souk, database } = await startWatchedSouk({ expanders }))
  client = notificationsClient(souk)
  queue = await client.destination(sqs('offers'))
})
beforeEach(() => {
  expansions = []
})

async function subscribed(processingDirective: object | undefined, work: () => Promise<void>) {
  const subscriptionId = await client.subscription(TYPE, queue, processingDirective ? { processingDirective } : {})
  await work()
  await client.send('DELETE', `${SUBSCRIPTIONS}/${TYPE}/${subscriptionId}`, 'seller')
}

const offerChange = (asin: string, occurredAt = souk.clock.now()) => ({
  sellerId: souk.demo.sellerId,
  type: 'OFFER_CHANGE',
  occurredAt,
  payload: { marketplaceId: US, asin, sku: 'ANY', conditionType: 'new_new' },
})
const arrived = async () => {
  await souk.idle()
  return (await receive(souk.queueUrl, 'offers')).map(({ Payload }) => {
    const { OfferChangeTrigger } = (
      Payload as { AnyOfferChangedNotification: { OfferChangeTrigger: { ASIN: string } } }
    ).AnyOfferChangedNotification
    return OfferChangeTrigger.ASIN
  })
}

test('patching a price sends ANY_OFFER_CHANGED', () =>
  subscribed(undefined, async () => {
    const listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
    const { summaries } = await listings.read('SOUK-SHOE-001')
    await listings.patch('SOUK-SHOE-001', [setPrice(71.25), setQuantity(8)])
    expect(await arrived()).toEqual([summaries[0].asin])
  }))

test('an offer that changes many times at once is expanded once', () =>
  subscribed(undefined, async () => {
    const changes = Array.from({ length: 40 }, (_, index) => offerChange(index % 2 === 0 ? 'B0AAAAAAAA' : 'B0BBBBBBBB'))
    await append(database, changes)
    expect((await arrived()).sort()).toEqual(['B0AAAAAAAA', 'B0BBBBBBBB'])
    expect(expansions).toHaveLength(2)
  }))

test('an offer change is not expanded while no subscription needs it', async () => {
  const other = await client.subscription('ORDER_CHANGE', queue)
  await append(database, [offerChange('B0AAAAAAAA')])
  expect(await arrived()).toEqual([])
  expect(expansions).toEqual([])
  await client.send('DELETE', `${SUBSCRIPTIONS}/ORDER_CHANGE/${other}`, 'seller')
})

const FIVE_MINUTES = {
  eventFilter: { eventFilterType: TYPE, aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' } },
}

test('aggregation over five minutes sends the first and the last of fifty changes of an ASIN', () =>
  subscribed(FIVE_MINUTES, async () => {
    const received: string[] = []
    for (let change = 0; change < 50; change++) {
      await append(database, [offerChange('B0AAAAAAAA'), ...(change === 0 ? [offerChange('B0BBBBBBBB')] : [])])
      received.push(...(await arrived()))
      souk.clock.advance(5_000)
    }
    expect(received.sort()).toEqual(['B0AAAAAAAA', 'B0BBBBBBBB'])
    souk.clock.advance(MINUTE)
    expect(await arrived()).toEqual(['B0AAAAAAAA'])
    souk.clock.advance(10 * MINUTE)
    expect(await arrived()).toEqual([])
  }))

test('aggregation sends the last change of a batch', () =>
  subscribed(FIVE_MINUTES, async () => {
    const start = souk.clock.now().getTime()
    await append(database, [offerChange('B0CCCCCCCC')])
    expect(await arrived()).toEqual(['B0CCCCCCCC'])
    await append(
      database,
      [1, 2, 3].map((index) => offerChange('B0CCCCCCCC', new Date(start + index))),
    )
    expect(await arrived()).toEqual([])
    souk.clock.advance(5 * MINUTE)
    expect(await arrived()).toEqual(['B0CCCCCCCC'])
  }))

test('a new subscription receives no earlier changes, however many there are', async () => {
  const before = Array.from({ length: 6_000 }, () => offerChange('B0EEEEEEEE'))
  await append(database, before)
  souk.clock.advance(1)
  await subscribed(undefined, async () => {
    await append(database, [offerChange('B0FFFFFFFF')])
    expect(await arrived()).toEqual(['B0FFFFFFFF'])
    expect(await database.transact((tx) => readEvents(tx, 1))).toEqual([])
  })
})

test('reset() deletes destinations, subscriptions and messages', async () => {
  const other = await startTestSouk()
  const itsClient = notificationsClient(other)
  const { destinationId } = await itsClient.listen('reset', 'ORDER_CHANGE')
  await itsClient.test('ORDER_CHANGE', destinationId, '1.0')
  await other.idle()
  await other.reset()
  const again = notificationsClient(other)
  expect(payloadOf(await again.send('GET', '/notifications/v1/destinations', 'grantless'))).toEqual([])
  await again.listen('reset', 'ORDER_CHANGE')
  expect(await receive(other.queueUrl, 'reset')).toEqual([])
})

test('marketplaces that the filter does not name are not notified', () =>
  subscribed({ eventFilter: { eventFilterType: TYPE, marketplaceIds: ['A1PA6795UKMFR9'] } }, async () => {
    await append(database, [offerChange('B0DDDDDDDD')])
    expect(await arrived()).toEqual([])
  }))
