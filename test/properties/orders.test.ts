import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Order, Package } from '../../src/marketplace/trade/order.ts'
import {
  canBecome,
  canCancel,
  findContradictions,
  ORDER_STATES,
  ORDER_STATUSES,
} from '../../src/marketplace/trade/order-states.ts'
import { type MoveStock, moveOrderStock } from '../../src/marketplace/trade/order-stock.ts'
import { OrderWriteError } from '../../src/marketplace/trade/order-write-error.ts'
import { findPackageContradictions } from '../../src/marketplace/trade/packages.ts'
import { cancelOrder, nextPackageReferenceId, shipOrder, shipPackage } from '../../src/marketplace/trade/shipments.ts'
import type { TradeTables } from '../../src/marketplace/trade/tables.ts'
import type { Transaction } from '../../src/platform/database/port.ts'
import { buildOrder } from '../support/orders.ts'
import { assertAsyncProperty, assertProperty } from '../support/property.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')
const [FIRST, SECOND] = ['1', '2']
const newOrder = (quantities: readonly number[]): Order => {
  const order = buildOrder(NOW, {
    sellerId: 'A',
    orderId: '900-0000000-0000001',
    status: 'Unshipped',
    deliveredAt: null,
  })
  const items = quantities.map((quantity, index) => ({
    ...(order.items[0] as Order['items'][number]),
    orderItemId: String(index + 1),
    sku: `SKU-${index + 1}`,
    quantity,
  }))
  return { ...order, items }
}

const pieces = fc.integer({ min: 1, max: 4 })
const packed = fc.uniqueArray(fc.record({ orderItemId: fc.constantFrom(FIRST, SECOND, '3'), quantity: pieces }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ orderItemId }) => orderItemId,
})
const act = fc.oneof(
  fc.record({ do: fc.constant('ship' as const), items: fc.oneof(packed, fc.constant([])) }),
  fc.record({ do: fc.constant('pack' as const), id: fc.constantFrom('1', '2', undefined), items: packed }),
  fc.record({ do: fc.constant('cancel' as const), by: fc.constantFrom('BUYER' as const, 'MERCHANT' as const) }),
)

describe('an order', () => {
  test('never goes back: each state has fewer states after it than those that lead to it', () => {
    for (const from of ORDER_STATUSES) {
      for (const to of ORDER_STATUSES) {
        if (from === to) continue
        expect(canBecome(from, to) && canBecome(to, from), `${from} and ${to}`).toBe(false)
        // Shipped pieces stay shipped, and canceled orders stay canceled.
        const ranks = ['none', 'some', 'all']
        const rank = (status: typeof from) => ranks.indexOf(ORDER_STATES[status].shipped)
        if (canBecome(from, to)) expect(rank(to)).toBeGreaterThanOrEqual(rank(from))
        if (canBecome(from, to) && !ORDER_STATES[from].isSale) throw new Error(`${from} ends the sale`)
      }
    }
  })

  test('has no contradiction after any sequence of shipments, packages and cancellations', () => {
    const acts = fc.array(act, { maxLength: 8 })
    const quantities = fc.tuple(pieces, pieces)
    assertProperty(
      fc.property(quantities, acts, (quantities, acts) => {
        let order = newOrder(quantities)
        let packages: Package[] = []
        for (const act of acts) {
          const before = order
          if (act.do === 'cancel') {
            const canceled = cancelOrder(order, { by: act.by }, NOW)
            expect('error' in canceled).toBe(!canCancel(before.status))
            if (!('error' in canceled)) order = canceled
          } else if (act.do === 'ship') {
            const shipped = shipOrder(order, { items: act.items, shippedAt: NOW }, NOW)
            if (!('error' in shipped)) order = shipped
          } else {
            const packageReferenceId = act.id ?? nextPackageReferenceId(packages)
            const one = { packageReferenceId, carrierCode: 'UPS', shippedAt: NOW.toISOString(), items: act.items }
            const shipped = shipPackage(order, packages, one, NOW)
            if ('error' in shipped) continue
            order = shipped.order
            packages = [...packages.filter((other) => other.packageReferenceId !== packageReferenceId), shipped.package]
          }
          expect(findContradictions(before, order)).toEqual([])
          expect(findPackageContradictions({ ...order, packages })).toEqual([])
          const left = order.items.map(({ quantity, quantityShipped = 0 }) => quantity - quantityShipped)
          expect(Math.min(...left)).toBeGreaterThanOrEqual(0)
          const isShipped = left.every((pieces) => pieces === 0)
          if (order.status === 'Shipped' || isShipped) expect(order.status === 'Shipped').toBe(isShipped)
          if (act.do === 'ship' && act.items.length === 0 && order !== before) expect(isShipped).toBe(true)
        }
      }),
      300,
    )
  })

  test('is not changed by a shipment that is refused, and repeated packages ship once', () => {
    assertProperty(
      fc.property(fc.tuple(pieces, pieces), packed, (quantities, items) => {
        const order = newOrder(quantities)
        const text = JSON.stringify(order)
        const one = { packageReferenceId: '1', carrierCode: 'UPS', shippedAt: NOW.toISOString(), items }
        const first = shipPackage(order, [], one, NOW)
        expect(JSON.stringify(order)).toBe(text)
        const isPossible = items.every(
          ({ orderItemId, quantity }) => quantity <= (quantities[Number(orderItemId) - 1] ?? 0),
        )
        expect('error' in first).toBe(!isPossible)
        if ('error' in first) return
        const again = shipPackage(first.order, [first.package], one, NOW)
        expect(again).toEqual(first)
      }),
    )
  })
})

describe('the stock', () => {
  type Taken = TradeTables['stock_taken']

  /** A shelf that counts, with the rows that one order has written. */
  function stockOf(quantities: Record<string, number>) {
    const left = new Map(Object.entries(quantities))
    let rows: Taken[] = []
    const moveStock: MoveStock = async (_, movements) => {
      const after = new Map(left)
      const shortages = movements.flatMap(({ sku, pieces }, index) => {
        const had = after.get(sku)
        if (had === undefined || pieces > had) return [{ index, left: had }]
        after.set(sku, had - pieces)
        return []
      })
      if (shortages.length === 0) for (const [sku, pieces] of after) left.set(sku, pieces)
      return { shortages, stockIds: movements.map(({ pieces }) => (pieces > 0 ? 'first' : undefined)) }
    }
    const tx = { all: async () => structuredClone(rows) } as unknown as Transaction
    return {
      left,
      rows: () => rows,
      async write(before: Order | undefined, after: Order) {
        const known = new Map(before ? [[`${before.sellerId} ${before.orderId}`, before]] : [])
        const taken = await moveOrderStock(tx, moveStock, known, [after])
        if (taken) rows = [...taken.rows]
      },
    }
  }

  test('is neither made nor lost by any sequence of changes of an order', async () => {
    const change = fc.record({
      quantities: fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })),
      status: fc.constantFrom('Pending' as const, 'Unshipped' as const, 'Shipped' as const, 'Canceled' as const),
      fulfillmentChannel: fc.constantFrom('MFN' as const, 'MFN' as const, 'AFN' as const),
      takesStock: fc.constantFrom(true, true, false),
    })
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const stock = stockOf({ 'SKU-1': 5, 'SKU-2': 5 })
        let order: Order | undefined
        for (const { quantities, ...facts } of changes) {
          const after = { ...newOrder(quantities), ...facts }
          const had = new Map(stock.left)
          const isCounted = after.takesStock && ORDER_STATES[after.status].isSale && after.fulfillmentChannel === 'MFN'
          const short = isCounted ? quantities.flatMap((quantity, index) => (quantity > 5 ? [index] : [])) : []
          try {
            await stock.write(order, after)
            expect(short).toEqual([])
          } catch (error) {
            // Refused as a whole, for each item of which there is not enough.
            if (!(error instanceof OrderWriteError)) throw error
            expect(error.violations.map(({ index, field }) => `${index} ${field}`)).toEqual(
              short.map((item) => `0 items[${item}].quantity`),
            )
            expect(stock.left).toEqual(had)
            continue
          }
          order = after
          for (const [index, sku] of ['SKU-1', 'SKU-2'].entries()) {
            const taken = stock
              .rows()
              .filter((row) => row.sku === sku)
              .reduce((sum, { pieces }) => sum + pieces, 0)
            expect(stock.left.get(sku)).toBe(5 - taken)
            expect(taken).toBe(isCounted ? quantities[index] : 0)
          }
        }
      }),
      300,
    )
  })
})
