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
