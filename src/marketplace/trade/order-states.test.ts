import { describe, expect, test } from 'vitest'
import {
  canBecome,
  canCancel,
  canShip,
  findContradictions,
  isNewSale,
  ORDER_STATES,
  ORDER_STATUSES,
  shippedOf,
} from './order-states.ts'

describe('the states of an order', () => {
  test('can be left for later ones, and for no earlier one', () => {
    const reachable = Object.fromEntries(
      ORDER_STATUSES.map((from) => [from, ORDER_STATUSES.filter((to) => to !== from && canBecome(from, to))]),
    )
    const shipped = ['PartiallyShipped', 'Shipped', 'InvoiceUnconfirmed']
    expect(reachable).toEqual({
      PendingAvailability: ['Pending', 'Unshipped', ...shipped, 'Canceled', 'Unfulfillable'],
      Pending: ['Unshipped', ...shipped, 'Canceled', 'Unfulfillable'],
      Unshipped: [...shipped, 'Canceled', 'Unfulfillable'],
      PartiallyShipped: ['Shipped', 'InvoiceUnconfirmed'],
      InvoiceUnconfirmed: ['Shipped'],
      Shipped: [],
      Canceled: [],
      Unfulfillable: [],
    })
  })

  test('say who can ship and cancel, and which new orders are sales', () => {
    expect(ORDER_STATUSES.filter(canShip)).toEqual(['Unshipped', 'PartiallyShipped', 'InvoiceUnconfirmed'])
    expect(ORDER_STATUSES.filter(canCancel)).toEqual(['Pending', 'Unshipped'])
    expect(ORDER_STATUSES.filter(isNewSale)).toEqual(['PendingAvailability', 'Pending', 'Unshipped'])
  })

  test('without shipped pieces have no delivery', () => {
    const deliveredAt = '2026-06-01T00:00:00.000Z'
    const refused = ORDER_STATUSES.filter(
      (status) => findContradictions(undefined, { marketplaceId: 'M', status, deliveredAt, items: [] }).length > 0,
    )
    expect(refused).toEqual(ORDER_STATUSES.filter((status) => ORDER_STATES[status].shipped === 'none'))
  })

  test('give the shipped pieces of an item without a quantity', () => {
    expect(shippedOf('Shipped', { quantity: 3 })).toBe(3)
    expect(shippedOf('PartiallyShipped', { quantity: 3 })).toBe(0)
  })
})

describe('an order that is written', () => {
  const item = (orderItemId: string, quantity: number, quantityShipped?: number) => ({
    orderItemId,
    quantity,
    ...(quantityShipped !== undefined && { quantityShipped }),
  })
  const partly = { marketplaceId: 'M', status: 'PartiallyShipped' as const, items: [item('1', 3, 2), item('2', 1, 0)] }
  const fresh = { marketplaceId: 'M', status: 'Unshipped' as const, items: [item('1', 3)] }

  test('may ship more pieces, and lose an item of which none is shipped', () => {
    expect(findContradictions(partly, partly)).toEqual([])
    expect(findContradictions(partly, { ...partly, items: [item('1', 3, 3)] })).toEqual([])
    expect(findContradictions(partly, { ...partly, status: 'Shipped', items: [item('1', 3, 3)] })).toEqual([])
  })

  test('cannot go back, and cannot move to another marketplace', () => {
    expect(findContradictions(partly, { ...partly, marketplaceId: 'N', status: 'Unshipped' })).toEqual([
      { field: 'status', reason: 'cannot be Unshipped: the order is PartiallyShipped' },
      { field: 'marketplaceId', reason: 'cannot change: the order was placed in M' },
    ])
    expect(findContradictions(partly, { ...partly, marketplaceId: 'N' })).toEqual([
      { field: 'marketplaceId', reason: 'cannot change: the order was placed in M' },
    ])
  })

  test('keeps the pieces that are shipped', () => {
    expect(findContradictions(partly, { ...partly, items: [item('2', 1, 1)] })).toEqual([
      { field: 'items', reason: 'must contain item 1, of which 2 are shipped' },
    ])
    expect(findContradictions(partly, { ...partly, items: [item('2', 1, 0), item('1', 3, 1)] })).toEqual([
      { field: 'items[1].quantityShipped', reason: 'must be at least 2: they are shipped' },
    ])
  })

  test('has as many shipped pieces as its state allows', () => {
    const reasonOf = (status: typeof fresh.status | 'Shipped' | 'PartiallyShipped', shipped: number) =>
      findContradictions(undefined, { ...fresh, status, items: [item('1', 3, shipped)] })[0]?.reason
    expect(reasonOf('Unshipped', 0)).toBeUndefined()
    expect(reasonOf('Unshipped', 1)).toBe('must be 0 in an order that is Unshipped')
    expect(reasonOf('PartiallyShipped', 3)).toBeUndefined()
    expect(reasonOf('PartiallyShipped', 4)).toBe('exceeds the quantity: 3')
    expect(reasonOf('Shipped', 2)).toBe('must be 3 in an order that is Shipped')
    expect(reasonOf('Shipped', 3)).toBeUndefined()
  })

  test('has no delivery before it is shipped', () => {
    expect(findContradictions(undefined, { ...fresh, deliveredAt: '2026-06-01T00:00:00.000Z' })).toEqual([
      { field: 'deliveredAt', reason: 'must be absent from an order that is Unshipped' },
    ])
  })
})
