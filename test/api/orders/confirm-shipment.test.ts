import { beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../../src/marketplace/trade/order.ts'
import { OrdersClient, V0, V2026 } from '../../support/order-client.ts'
import { DAY, DE, JP, MINUTE, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk)
})

const shippedOf = ({ items }: Order) => items.map(({ quantityShipped }) => quantityShipped)
const all = [
  { orderItemId: '11', quantity: 3 },
  { orderItemId: '22', quantity: 1 },
]

const withCodes = (orderItemId: string, quantity: number, codes: number, length = 38) => ({
  orderItemId,
  quantity,
  transparencyCodes: Array.from({ length: codes }, (_, index) => String(index).padStart(length, '0')),
})

describe('confirmShipment', () => {
  test('ships an order in several packages, and both versions and the operator agree after each', async () => {
    const orderId = await client.place()
    souk.clock.advance(1000)
    const first = await client.confirm(orderId)
    expect([first.statusCode, first.body]).toEqual([204, ''])
    expect(await client.order(orderId)).toMatchObject({
      OrderStatus: 'PartiallyShipped',
      NumberOfItemsShipped: 2,
      NumberOfItemsUnshipped: 2,
      LastUpdateDate: client.ago(0),
    })
    const rest = [
      { orderItemId: '11', quantity: 1 },
      { orderItemId: '22', quantity: 1 },
    ]
    const second = { packageReferenceId: '2', carrierCode: 'Other', carrierName: 'Camel', orderItems: rest }
    expect((await client.confirm(orderId, second)).statusCode).toBe(204)
    expect(await client.order(orderId)).toMatchObject({ OrderStatus: 'Shipped', NumberOfItemsUnshipped: 0 })
    const { order } = await client.body(`${V2026}/${orderId}?includedData=FULFILLMENT,PACKAGES`)
    expect(order).toMatchObject({
      fulfillment: { fulfillmentStatus: 'SHIPPED' },
      packages: [
        { packageReferenceId: '1', carrier: 'UPS', trackingNumber: '1Z50', packageStatus: { status: 'SHIPPED' } },
        { packageReferenceId: '2', carrier: 'Camel', packageItems: rest },
      ],
    })
    const stored = await client.stored(orderId)
    expect(stored).toMatchObject({ status: 'Shipped', packages: [{ carrierCode: 'UPS' }, { carrierCode: 'Other' }] })
    expect(shippedOf(stored)).toEqual([3, 1])
  })

  test('edits a package that has the same id, also of a shipped order', async () => {
    const orderId = await client.place()
    await client.confirm(orderId, { orderItems: all })
    souk.clock.advance(1000)
    expect((await client.confirm(orderId, { orderItems: all, trackingNumber: 'NEW' })).statusCode).toBe(204)
    const stored = await client.stored(orderId)
    expect(stored.packages).toMatchObject([{ packageReferenceId: '1', trackingNumber: 'NEW', items: all }])
    expect(stored.packages).toHaveLength(1)
    expect(shippedOf(stored)).toEqual([3, 1])
  })

  test('adds pieces to a package, and takes none out', async () => {
    const orderId = await client.place()
    await client.confirm(orderId)
    expect((await client.confirm(orderId, { orderItems: all })).statusCode).toBe(204)
    expect(await client.stored(orderId)).toMatchObject({ status: 'Shipped' })
    for (const orderItems of [[{ orderItemId: '11', quantity: 1 }, all[1]], [all[0]]]) {
      expect(errorOf(await client.confirm(orderId, { orderItems }))).toMatchObject({
        status: 400,
        details: expect.stringContaining('already confirmed'),
      })
    }
  })

  test('keeps transparency codes, at most 1,000 in a package', async () => {
    const items = client.build().items.map((item) => ({ ...item, quantity: 600 }))
    const orderId = await client.place({ items })
    const tooMany = [withCodes('11', 600, 600), withCodes('22', 600, 401)]
    expect(errorOf(await client.confirm(orderId, { orderItems: tooMany }))).toMatchObject({
      status: 400,
      details: 'packageDetail.orderItems[1].transparencyCodes must be at most 1000 in a package.',
    })
    const orderItems = [withCodes('11', 600, 600), withCodes('22', 600, 400)]
    expect((await client.confirm(orderId, { orderItems })).statusCode).toBe(204)
    expect((await client.stored(orderId)).packages).toMatchObject([{ items: orderItems }])
  })

  test('accepts the day of the order as a date, and no day before', async () => {
    const purchasedAt = client.ago(MINUTE)
    const orderId = await client.place({ purchasedAt })
    const day = (milliseconds: number) => client.ago(milliseconds).slice(0, 10)
    expect(errorOf(await client.confirm(orderId, { shipDate: day(DAY) }))).toMatchObject({
      status: 400,
      details: 'packageDetail.shipDate must not be before the order was placed.',
    })
    expect((await client.confirm(orderId, { shipDate: day(0) })).statusCode).toBe(204)
    expect((await client.stored(orderId)).packages).toMatchObject([{ shippedAt: purchasedAt }])
  })

  test('has the same effect if it is sent twice', async () => {
    const orderId = await client.place()
    const twice = [await client.confirm(orderId), await client.confirm(orderId)]
    expect(twice.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    expect(shippedOf(await client.stored(orderId))).toEqual([2, 0])
  })

  test.each<[string, object, object, string]>([
    ['an unknown item', { orderItems: [all[1], { orderItemId: '33', quantity: 1 }] }, {}, 'has no item 33'],
    ['too many pieces', { orderItems: [{ orderItemId: '11', quantity: 4 }] }, {}, 'Only 3 of item 11 remain'],
    ['no pieces', { orderItems: [{ orderItemId: '11', quantity: 0 }] }, {}, 'quantity'],
    ['no items', { orderItems: [] }, {}, 'orderItems'],
    [
      'more transparency codes than pieces',
      { orderItems: [withCodes('22', 1, 1), withCodes('11', 2, 3)] },
      {},
      'orderItems[1].transparencyCodes must be at most one per piece: 2',
    ],
    ['a long transparency code', { orderItems: [withCodes('11', 1, 1, 101)] }, {}, 'transparencyCodes'],
    ['the same item twice', { orderItems: [all[1], all[1]] }, {}, 'orderItems[1].orderItemId is duplicated'],
    ['101 items', { orderItems: Array(101).fill(all[0]) }, {}, 'orderItems'],
    ['a package id of letters', { packageReferenceId: 'A' }, {}, 'packageReferenceId'],
    ['the package id 0', { packageReferenceId: '0' }, {}, 'packageReferenceId'],
    ['no carrier', { carrierCode: undefined }, {}, 'carrierCode is required'],
    ['another carrier without a name', { carrierCode: 'Other' }, {}, 'carrierName is required'],
    ['no tracking number', { trackingNumber: undefined }, {}, 'trackingNumber is required'],
    ['a date in the future', { shipDate: '2030-01-01T00:00:00Z' }, {}, 'shipDate must not be in the future'],
    ['a date before the order', { shipDate: '2020-01-01T00:00:00Z' }, {}, 'shipDate must not be before'],
    ['a date that is none', { shipDate: 'today' }, {}, 'ISO 8601'],
    ['another marketplace', {}, { marketplaceId: DE }, `must be the marketplace of the order: ${US}`],
    ['no marketplace', {}, { marketplaceId: undefined }, 'marketplaceId is required'],
    ['no package', {}, { packageDetail: undefined }, 'packageDetail is required'],
  ])('refuses %s, and writes nothing', async (_what, overrides, body, details) => {
    const orderId = await client.place()
    const before = await client.stored(orderId)
    expect(errorOf(await client.confirm(orderId, overrides, body))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(details),
    })
    expect(await client.stored(orderId)).toEqual(before)
  })

  test.each<[string, Partial<Order>, string]>([
    ['pending', { status: 'Pending' }, 'is Pending and cannot be shipped'],
    ['canceled', { status: 'Canceled' }, 'is Canceled and cannot be shipped'],
    ['shipped', { status: 'Shipped' }, 'is Shipped and cannot be shipped'],
    ["the marketplace's to ship", { fulfillmentChannel: 'AFN' }, 'marketplace fulfills'],
  ])('refuses an order that is %s', async (_what, overrides, details) => {
    const orderId = await client.place(overrides)
    expect(errorOf(await client.confirm(orderId))).toMatchObject({
      status: 400,
      details: expect.stringContaining(details),
    })
  })

  test("refuses an unknown order and another seller's", async () => {
    const theirs = new OrdersClient(souk, souk.demo.otherSeller.refreshToken, souk.demo.otherSeller.sellerId)
    const orderId = await theirs.place({ orderId: '911-0000000-0000001' })
    for (const asked of [orderId, '999-9999999-9999999']) {
      expect(errorOf(await client.confirm(asked))).toMatchObject({ status: 404, code: 'NotFound' })
    }
  })

  test('ships each piece once if two packages are confirmed at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const orderId = await client.place()
      const packages = ['1', '2', '3'].map((packageReferenceId) => client.confirm(orderId, { packageReferenceId }))
      const statuses = (await Promise.all(packages)).map(({ statusCode }) => statusCode)
      expect(statuses.sort()).toEqual([204, 400, 400])
      const stored = await client.stored(orderId)
      expect(shippedOf(stored)).toEqual([2, 0])
      expect(stored.packages).toHaveLength(1)
    }
  })
})

describe('updateShipmentStatus', () => {
  const update = (orderId: string, shipmentStatus: string, more: object = {}) =>
    client.post(`${V0}/${orderId}/shipment`, { marketplaceId: US, shipmentStatus, ...more })

  test('follows an order that the buyer picks up in parts', async () => {
    const orderId = await client.place({ isPickup: true })
    expect((await update(orderId, 'ReadyForPickup')).statusCode).toBe(204)
    expect(await client.stored(orderId)).toMatchObject({ status: 'Unshipped', pickupStatus: 'ReadyForPickup' })
    expect((await update(orderId, 'PickedUp', { orderItems: [all[0]] })).statusCode).toBe(204)
    expect(await client.stored(orderId)).toMatchObject({ status: 'PartiallyShipped' })
    expect((await update(orderId, 'PickedUp')).statusCode).toBe(204)
    expect(await client.order(orderId)).toMatchObject({ OrderStatus: 'Shipped', IsISPU: true })
    expect(errorOf(await update(orderId, 'RefusedPickup'))).toMatchObject({ status: 400 })
  })

  test('cancels an order that the buyer refuses', async () => {
    const orderId = await client.place({ isPickup: true })
    expect(errorOf(await update(orderId, 'RefusedPickup', { orderItems: [all[1]] }))).toMatchObject({ status: 400 })
    expect((await update(orderId, 'RefusedPickup')).statusCode).toBe(204)
    expect(await client.order(orderId)).toMatchObject({ OrderStatus: 'Canceled' })
    const { order } = await client.body(`${V2026}/${orderId}?includedData=CANCELLATION`)
    expect(order.orderItems[0].cancellation.cancellationExecution).toMatchObject({ cancelledBy: 'BUYER' })
  })

  test.each<[string, Partial<Order>, string, object]>([
    ['an order that is delivered', {}, 'PickedUp', {}],
    ['an unknown status', { isPickup: true }, 'Lost', {}],
    ['an unknown item', { isPickup: true }, 'ReadyForPickup', { orderItems: [{ orderItemId: '9', quantity: 1 }] }],
    ['too many pieces', { isPickup: true }, 'PickedUp', { orderItems: [{ orderItemId: '11', quantity: 9 }] }],
    ['a pickup of what the marketplace ships', { isPickup: true, fulfillmentChannel: 'AFN' }, 'ReadyForPickup', {}],
    ['a refusal of what the marketplace ships', { isPickup: true, fulfillmentChannel: 'AFN' }, 'RefusedPickup', {}],
    ['another marketplace', { isPickup: true }, 'PickedUp', { marketplaceId: JP }],
    ['the same item twice', { isPickup: true }, 'PickedUp', { orderItems: [all[1], all[1]] }],
  ])('refuses %s, and writes nothing', async (_what, overrides, status, more) => {
    const orderId = await client.place(overrides)
    const before = await client.stored(orderId)
    souk.clock.advance(DAY / 24)
    expect(errorOf(await update(orderId, status, more))).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(await client.stored(orderId)).toEqual(before)
  })
})

describe('packages of the operator', () => {
  const box = (items: object[], packageReferenceId = '1') => ({
    packageReferenceId,
    carrierCode: 'UPS',
    shippedAt: client.ago(0),
    items,
  })

  test('are the shipped pieces of the order', async () => {
    const halves = [
      { orderItemId: '11', quantity: 2 },
      { orderItemId: '11', quantity: 1 },
    ]
    const order = {
      ...client.build({ status: 'Shipped' }),
      packages: halves.map((half, at) => box([half], `${at + 1}`)),
    }
    expect((await client.putOrders(order)).statusCode).toBe(200)
    expect((await client.stored(order.orderId)).packages).toMatchObject(order.packages)
    expect((await client.putOrders(await client.stored(order.orderId))).statusCode).toBe(200)
  })

  test.each<[string, Partial<Order>, () => object[], string]>([
    [
      'an unshipped order',
      { status: 'Unshipped' },
      () => [box(all)],
      'packages must be empty in an order that is Unsh',
    ],
    [
      'an item that is none of the order',
      {},
      () => [box([{ orderItemId: '3', quantity: 1 }])],
      '[0].items[0].orderItemId',
    ],
    [
      'the same item twice',
      {},
      () => [box([all[1], all[1]] as object[])],
      'packages[0].items[1].orderItemId is duplicated',
    ],
    [
      'the same package twice',
      {},
      () => [box(all.slice(1)), box(all.slice(0, 1))],
      '[1].packageReferenceId is duplicated',
    ],
    ['more pieces than were ordered', {}, () => [box([{ orderItemId: '11', quantity: 4 }])], 'in no package yet: 3'],
    [
      'more pieces than were ordered, in several packages',
      {},
      () => [box(all), box([{ orderItemId: '22', quantity: 1 }], '2')],
      'packages[1].items[0].quantity exceeds the shipped quantity that is in no package yet: 0',
    ],
    [
      'more codes than pieces',
      {},
      () => [box([withCodes('11', 1, 2)])],
      'transparencyCodes must be at most one per piece',
    ],
  ])('with %s are refused, and nothing is written', async (_what, overrides, packages, details) => {
    const order = client.build({ status: 'Shipped', ...overrides })
    await client.putOrders(order)
    const before = await client.stored(order.orderId)
    expect(errorOf(await client.putOrders({ ...order, packages: packages() }))).toMatchObject({
      status: 400,
      details: expect.stringContaining(details),
    })
    expect(await client.stored(order.orderId)).toEqual(before)
  })
})
