import { beforeAll, describe, expect, test } from 'vitest'
import { notificationTypes } from '../../../src/areas/notifications/notification-types.ts'
import {
  eventBridge,
  type NotificationsClient,
  notificationsClient,
  payloadOf,
  SUBSCRIPTIONS,
  sqs,
} from '../../support/notifications.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: NotificationsClient
let other: NotificationsClient
let queue: string
let bus: string
beforeAll(async () => {
  souk = await startTestSouk()
  client = notificationsClient(souk)
  other = notificationsClient(souk, souk.demo.otherSeller.refreshToken)
  queue = await client.destination(sqs('subscriptions'))
  bus = await client.destination(eventBridge())
})

const get = (type: string, query = '') => client.send('GET', `${SUBSCRIPTIONS}/${type}${query}`, 'seller')
const byId = (type: string, id: string) => `${SUBSCRIPTIONS}/${type}/${id}`
const remove = (type: string, id: string) => client.send('DELETE', byId(type, id), 'seller')

describe('createSubscription', () => {
  test('creates a subscription that every read operation returns', async () => {
    const response = await client.createSubscription('PRICING_HEALTH', { payloadVersion: '1.0', destinationId: queue })
    const subscription = payloadOf(response)
    expect(subscription).toEqual({
      subscriptionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      payloadVersion: '1.0',
      destinationId: queue,
    })
    expect(payloadOf(await get('PRICING_HEALTH'))).toEqual(subscription)
    expect(payloadOf(await get('PRICING_HEALTH', '?payloadVersion=1.0'))).toEqual(subscription)
    const path = byId('PRICING_HEALTH', subscription.subscriptionId)
    expect(payloadOf(await client.send('GET', path, 'seller'))).toEqual(subscription)
    expect(payloadOf(await client.send('GET', path, 'grantless'))).toEqual(subscription)
    const list = await client.send('GET', `${SUBSCRIPTIONS}?notificationTypes=PRICING_HEALTH`, 'seller')
    expect(payloadOf(list)).toEqual({ subscriptions: [subscription] })
    if (modelsArePresent) {
      conformsTo('notifications.json', 'CreateSubscriptionResponse', response.json())
      conformsTo('notifications.json', 'GetSubscriptionsResponse', list.json())
    }
  })

  test('accepts ANY_OFFER_CHANGE, the name in the specification, for ANY_OFFER_CHANGED', async () => {
    const eventFilter = { eventFilterType: 'ANY_OFFER_CHANGE', marketplaceIds: ['ATVPDKIKX0DER'] }
    const fields = { payloadVersion: '1.0', destinationId: queue, processingDirective: { eventFilter } }
    const { processingDirective } = payloadOf(await client.createSubscription('ANY_OFFER_CHANGE', fields))
    expect(processingDirective.eventFilter.eventFilterType).toBe('ANY_OFFER_CHANGED')
    expect(payloadOf(await get('ANY_OFFER_CHANGED'))).toEqual(payloadOf(await get('ANY_OFFER_CHANGE')))
  })

  test('refuses a second subscription with 409, also for concurrent requests', async () => {
    const create = () => client.createSubscription('FEE_PROMOTION', { payloadVersion: '1.0', destinationId: queue })
    const responses = await Promise.all([create(), create(), create()])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    expect(errorOf(await create())).toMatchObject({ status: 409, code: 'Conflict' })
  })

  test('creates one subscription per payload version; getSubscription defaults to the newest', async () => {
    const type = 'LISTINGS_ITEM_ISSUES_CHANGE'
    const old = await client.subscription(type, bus)
    expect(payloadOf(await get(type)).subscriptionId).toBe(old)
    const recent = await client.subscription(type, bus, { payloadVersion: '2023-12-13' })
    expect(payloadOf(await get(type)).subscriptionId).toBe(recent)
    expect(payloadOf(await get(type, '?payloadVersion=1.0')).subscriptionId).toBe(old)
    const all = payloadOf(await client.send('GET', `${SUBSCRIPTIONS}?notificationTypes=${type}`, 'seller'))
    expect(all.subscriptions).toHaveLength(2)
    const some = await client.send('GET', `${SUBSCRIPTIONS}?notificationTypes=${type}&payloadVersion=1.0`, 'seller')
    expect(payloadOf(some).subscriptions).toMatchObject([{ subscriptionId: old }])
  })

  test.each([
    [
      'ORDER_CHANGE',
      {
        eventFilter: {
          eventFilterType: 'ORDER_CHANGE',
          marketplaceIds: ['ATVPDKIKX0DER'],
          orderChangeTypes: ['OrderStatusChange'],
        },
      },
    ],
    [
      'SHIPMENT_TRACKING_MILESTONE_CHANGED',
      { eventFilter: { eventFilterType: 'SHIPMENT_TRACKING_MILESTONE_CHANGED', trackingIdentifier: { aftn: 'A1' } } },
    ],
    ['B2B_ANY_OFFER_CHANGED', { filterExpression: "B2BAnyOfferChangedNotification.SellerId == 'A'" }],
  ])('stores the directive of %s unchanged', async (type, processingDirective) => {
    const { payloadVersions } = notificationTypes.get(type) as { payloadVersions: readonly string[] }
    const fields = { payloadVersion: payloadVersions[0], destinationId: queue, processingDirective }
    const { subscriptionId } = payloadOf(await client.createSubscription(type, fields))
    expect(payloadOf(await get(type)).processingDirective).toEqual(processingDirective)
    await remove(type, subscriptionId)
  })

  const ofSellers = [...notificationTypes.values()].filter(({ isAboutApplication }) => !isAboutApplication)

  test.each(ofSellers.map(({ name }) => name))('%s accepts only destinations of its transport', async (name) => {
    const type = notificationTypes.get(name)
    const [right, wrong] = type?.transport === 'sqs' ? [queue, bus] : [bus, queue]
    for (const payloadVersion of type?.payloadVersions ?? []) {
      const refused = await other.createSubscription(name, { payloadVersion, destinationId: wrong })
      expect(errorOf(refused)).toMatchObject({
        status: 400,
        details: expect.stringContaining('must be a destination'),
      })
      const accepted = await other.createSubscription(name, { payloadVersion, destinationId: right })
      expect(accepted.statusCode, accepted.body).toBe(200)
    }
  })
})

describe('createSubscription refuses with 400 and creates nothing', () => {
  const valid = () => ({ payloadVersion: '1.0', destinationId: queue })
  const offers = { eventFilterType: 'ANY_OFFER_CHANGED' }
  const directive = (processingDirective: unknown) => () => ({ ...valid(), processingDirective })
  const cases: [string, string, () => Record<string, unknown>, string][] = [
    ['an unknown type', 'NO_SUCH_CHANGE', valid, 'NO_SUCH_CHANGE'],
    ['a type that was removed', 'ORDER_STATUS_CHANGE', valid, 'ORDER_STATUS_CHANGE'],
    [
      'a payload version that does not exist',
      'ORDER_CHANGE',
      () => ({ ...valid(), payloadVersion: '9.9' }),
      'must be 1.0',
    ],
    ['no payload version', 'ORDER_CHANGE', () => ({ destinationId: queue }), 'payloadVersion is required'],
    ['no destination', 'ORDER_CHANGE', () => ({ payloadVersion: '1.0' }), 'destinationId is required'],
    ['a foreign destination', 'ORDER_CHANGE', () => ({ ...valid(), destinationId: 'b1b1' }), 'is not a destination'],
    ['an event filter on a type that has none', 'PRICING_HEALTH', directive({ eventFilter: offers }), 'not supported'],
    [
      'an expression on a type without filter expressions',
      'LISTINGS_ITEM_STATUS_CHANGE',
      directive({ filterExpression: 'true' }),
      'not supported',
    ],
    ['both directives', 'ORDER_CHANGE', directive({ eventFilter: offers, filterExpression: 'true' }), 'not have both'],
    ['the filter of another type', 'ORDER_CHANGE', directive({ eventFilter: offers }), 'must be ORDER_CHANGE'],
    [
      'an aggregation of orders',
      'ORDER_CHANGE',
      directive({
        eventFilter: {
          eventFilterType: 'ORDER_CHANGE',
          aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' },
        },
      }),
      'aggregationSettings is not supported',
    ],
    [
      'a period that does not exist',
      'ANY_OFFER_CHANGED',
      directive({ eventFilter: { ...offers, aggregationSettings: { aggregationTimePeriod: 'OneHour' } } }),
      'must be one of FiveMinutes, TenMinutes',
    ],
    ['a filter without its type', 'ORDER_CHANGE', directive({ eventFilter: {} }), 'eventFilterType is required'],
    [
      'two tracking identifiers',
      'SHIPMENT_TRACKING_MILESTONE_CHANGED',
      () => ({
        payloadVersion: '2026-01-30',
        destinationId: queue,
        processingDirective: {
          eventFilter: {
            eventFilterType: 'SHIPMENT_TRACKING_MILESTONE_CHANGED',
            trackingIdentifier: { aftn: 'A', id: 'B' },
          },
        },
      }),
      'exactly one',
    ],
    ['an expression that does not parse', 'ORDER_CHANGE', directive({ filterExpression: 'a == ' }), 'at position 6'],
    [
      'an expression with arithmetic',
      'ORDER_CHANGE',
      directive({ filterExpression: 'a + 1 > 2' }),
      'position 3: arithmetic',
    ],
    [
      'an expression with indexing',
      'ORDER_CHANGE',
      directive({ filterExpression: 'a[0] == 1' }),
      'position 2: indexing',
    ],
    ['an empty expression', 'ORDER_CHANGE', directive({ filterExpression: '' }), 'filterExpression'],
    [
      'an expression of 257 characters',
      'ORDER_CHANGE',
      directive({ filterExpression: ' '.repeat(257) }),
      'filterExpression',
    ],
  ]
  test.each(cases)('%s', async (_name, type, fields, details) => {
    const refused = errorOf(await client.createSubscription(type, fields()))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(details) })
    if (notificationTypes.has(type)) {
      const list = await client.send('GET', `${SUBSCRIPTIONS}?notificationTypes=${type}`, 'seller')
      const existing = payloadOf(list).subscriptions.map((one: { payloadVersion: string }) => one.payloadVersion)
      expect(existing.filter((version: string) => version === '9.9')).toEqual([])
      if (type === 'ORDER_CHANGE') expect(existing).toEqual([])
    }
  })
})

describe('subscriptions can be read and deleted', () => {
  test('only by their owner and under their type', async () => {
    const subscriptionId = await client.subscription('TRANSACTION_UPDATE', queue)
    const path = byId('TRANSACTION_UPDATE', subscriptionId)
    for (const method of ['GET', 'DELETE'] as const) {
      expect(errorOf(await other.send(method, path, 'seller'))).toMatchObject({ status: 404, code: 'NotFound' })
      const elsewhere = byId('ORDER_CHANGE', subscriptionId)
      expect(errorOf(await client.send(method, elsewhere, 'seller'))).toMatchObject({ status: 404 })
      expect(errorOf(await client.send(method, byId('NO_SUCH', subscriptionId), 'seller'))).toMatchObject({
        status: 400,
      })
    }
    const deleted = await client.send('DELETE', path, 'grantless')
    expect([deleted.statusCode, deleted.json()]).toEqual([200, {}])
    expect(errorOf(await get('TRANSACTION_UPDATE'))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(errorOf(await client.send('DELETE', path, 'grantless'))).toMatchObject({ status: 404 })
  })

  test('only with a token of the required kind', async () => {
    const grantlessOnSellers = [
      await client.send('GET', `${SUBSCRIPTIONS}/ORDER_CHANGE`, 'grantless'),
      await client.send('POST', `${SUBSCRIPTIONS}/ORDER_CHANGE`, 'grantless', {}),
      await client.send('GET', `${SUBSCRIPTIONS}?notificationTypes=ORDER_CHANGE`, 'grantless'),
      await client.send('POST', `${SUBSCRIPTIONS}/ORDER_CHANGE/testNotification`, 'seller', {}),
    ]
    for (const response of grantlessOnSellers) expect(errorOf(response)).toMatchObject({ status: 403 })
  })

  test.each([
    ['no type', ''],
    ['an unknown type', '?notificationTypes=NO_SUCH'],
    ['two types', '?notificationTypes=ORDER_CHANGE,FEE_PROMOTION'],
    ['a page of 29', '?notificationTypes=ORDER_CHANGE&pageSize=29'],
    ['a page of 101', '?notificationTypes=ORDER_CHANGE&pageSize=101'],
    ['a version that does not exist', '?notificationTypes=ORDER_CHANGE&payloadVersion=7'],
    ['a page token that the service did not issue', '?notificationTypes=ORDER_CHANGE&nextToken=abc'],
  ])('getSubscriptions refuses %s with 400', async (_name, query) => {
    expect(errorOf(await client.send('GET', SUBSCRIPTIONS + query, 'seller'))).toMatchObject({ status: 400 })
  })

  test('no longer after the seller revoked the authorization', async () => {
    const headers = souk.operator
    const { applicationId } = souk.demo
    const { sellerId } = souk.demo.otherSeller
    const { subscriptionId } = payloadOf(await other.send('GET', `${SUBSCRIPTIONS}/ORDER_CHANGE`, 'seller'))
    await souk.delete(`/operator/v1/authorizations/${sellerId}/${applicationId}`, { headers })
    const path = byId('ORDER_CHANGE', subscriptionId)
    expect(errorOf(await client.send('GET', path, 'grantless'))).toMatchObject({ status: 404 })
  })
})
