import { describe, expect, test } from 'vitest'
import { ORDER_STATUSES, type Order } from '../../../../marketplace/trade/orders.ts'
import type { ShippedItem } from '../../../../marketplace/trade/shipments.ts'
import { applyOrderMessage } from './apply.ts'

const now = new Date('2026-06-01T12:00:00.000Z')
const shipDate = '2026-05-31T08:00:00.000Z'
const item = (orderItemId: string, quantity: number, quantityShipped?: number) => ({
  orderItemId,
  sku: 'SKU',
  asin: 'B000000001',
  title: 'Shoe',
  priceMinor: 1,
  quantity,
  ...(quantityShipped !== undefined && { quantityShipped }),
})
const order = (overrides: Partial<Order> = {}): Order => ({
  sellerId: 'A1',
  orderId: '900-0000000-0000001',
  marketplaceId: 'ATVPDKIKX0DER',
  status: 'Unshipped',
  fulfillmentChannel: 'MFN',
  purchasedAt: '2026-05-20T00:00:00.000Z',
  currencyCode: 'USD',
  items: [item('1', 3), item('2', 1)],
  ...overrides,
})

const message = { messageId: 1, orderId: '900-0000000-0000001' }
const ship = (before: Order, ...items: ShippedItem[]) =>
  applyOrderMessage(before, { ...message, kind: 'fulfillment', shipDate, items }, now)
const acknowledge = (before: Order, isAccepted: boolean) =>
  applyOrderMessage(before, { ...message, kind: 'acknowledgement', isAccepted }, now)
const shippedOf = (after: Order | { error: string }) =>
  'items' in after ? after.items.map(({ quantityShipped }) => quantityShipped) : after.error

describe('a fulfillment', () => {
  test('without items ships everything not yet shipped', () => {
    const after = ship(order({ items: [item('1', 3, 2), item('2', 1)] }))
    expect(after).toMatchObject({
      status: 'Shipped',
      shippedAt: '2026-05-31T08:00:00.000Z',
      updatedAt: '2026-06-01T12:00:00.000Z',
    })
    expect(shippedOf(after)).toEqual([3, 1])
  })

  test('of some items ships the order partially', () => {
    const after = ship(order(), { orderItemId: '1', quantity: 2 })
    expect(after).toMatchObject({ status: 'PartiallyShipped' })
    expect(shippedOf(after)).toEqual([2, 0])
  })

  test('of an item without a quantity ships its remaining quantity', () => {
    expect(shippedOf(ship(order({ items: [item('1', 3, 1), item('2', 1)] }), { orderItemId: '1' }))).toEqual([3, 0])
  })

  test('adds up duplicate items', () => {
    expect(shippedOf(ship(order(), { orderItemId: '1', quantity: 1 }, { orderItemId: '1', quantity: 2 }))).toEqual([
      3, 0,
    ])
  })

  test('of the remaining quantity completes the order', () => {
    const partly = order({ status: 'PartiallyShipped', items: [item('1', 3, 2), item('2', 1, 1)] })
    expect(ship(partly, { orderItemId: '1', quantity: 1 })).toMatchObject({ status: 'Shipped' })
  })

  test.each([
    ['more than the ordered quantity', [{ orderItemId: '1', quantity: 4 }], /Only 3 of item 1 remain/, 0],
    [
      'more than the ordered quantity in two parts',
      [
        { orderItemId: '1', quantity: 3 },
        { orderItemId: '1', quantity: 1 },
      ],
      /Only 0 of item 1 remain/,
      1,
    ],
    ['an item of another order', [{ orderItemId: '9' }], /has no item 9/, 0],
  ])('of %s is refused', (_what, items, reason, item) => {
    expect(ship(order(), ...items)).toMatchObject({ error: expect.stringMatching(reason), item })
  })

  test('accepts orders that can be shipped', () => {
    const shippable = ORDER_STATUSES.filter((status) => !('error' in ship(order({ status }))))
    expect(shippable).toEqual(['Unshipped', 'PartiallyShipped', 'InvoiceUnconfirmed'])
  })

  test('refuses orders that the marketplace fulfills', () => {
    expect(ship(order({ fulfillmentChannel: 'AFN' }))).toHaveProperty('error')
  })

  test('does not modify its argument', () => {
    const before = order()
    const copy = structuredClone(before)
    ship(before, { orderItemId: '1', quantity: 4 })
    ship(before)
    expect(before).toEqual(copy)
  })
})

describe('an acknowledgement', () => {
  test('of success records the time and keeps the status', () => {
    expect(acknowledge(order(), true)).toEqual({
      ...order(),
      acknowledgedAt: now.toISOString(),
      updatedAt: now.toISOString(),
    })
  })

  test('of failure cancels orders that are not shipped', () => {
    expect(acknowledge(order(), false)).toMatchObject({ status: 'Canceled', updatedAt: now.toISOString() })
    const cancellable = ORDER_STATUSES.filter((status) => !('error' in acknowledge(order({ status }), false)))
    expect(cancellable).toEqual(['Pending', 'Unshipped'])
    expect(acknowledge(order({ fulfillmentChannel: 'AFN' }), false)).toHaveProperty('error')
  })
})
