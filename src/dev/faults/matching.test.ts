import { describe, expect, test } from 'vitest'
import { isHit, isInForce, matches } from './matching.ts'
import type { FaultRule, FaultSettings } from './public.ts'

const facts = {
  operation: 'getListingsItem',
  sellerId: 'A1',
  applicationId: 'app',
  subjects: { sku: ['SKU-1', 'SKU-2'] },
}

const ruleOf = (settings: Partial<FaultRule> = {}): FaultRule => ({
  id: '1',
  action: { kind: 'lose' },
  enabled: true,
  createdAt: '2026-06-01T12:00:00.000Z',
  calls: 1,
  hits: 0,
  ...settings,
})

describe('a rule matches a call', () => {
  test('if it asks for nothing', () => {
    expect(matches({}, facts)).toBe(true)
  })

  test('if the operation is the one, or one of those, that it names', () => {
    expect(matches({ operations: 'getListingsItem' }, facts)).toBe(true)
    expect(matches({ operations: ['getOrders', 'getListingsItem'] }, facts)).toBe(true)
    expect(matches({ operations: ['getOrders'] }, facts)).toBe(false)
  })

  test('if the seller, the application and one of the ids are the same', () => {
    expect(matches({ sellerId: 'A1', applicationId: 'app', sku: 'SKU-2' }, facts)).toBe(true)
    expect(matches({ sellerId: 'A2', sku: 'SKU-2' }, facts)).toBe(false)
    expect(matches({ sku: 'SKU-3' }, facts)).toBe(false)
    expect(matches({ orderId: 'SKU-1' }, facts)).toBe(false)
  })

  test('can be for pages of lists that are not the first, or only for others', () => {
    expect([true, false].map((nextPage) => matches({ nextPage }, { ...facts, nextPage: true }))).toEqual([true, false])
    expect([true, false].map((nextPage) => matches({ nextPage }, facts))).toEqual([false, true])
  })
})

describe('a rule is in force', () => {
  const at = (time: string, rule: Partial<FaultRule>) => isInForce(ruleOf(rule), new Date(`2026-06-01T${time}Z`))

  test('from its first instant up to its last, without it', () => {
    const span = { from: '2026-06-01T12:00:00Z', until: '2026-06-01T13:00:00Z' }
    expect(at('11:59:59', span)).toBe(false)
    expect(at('12:00:00', span)).toBe(true)
    expect(at('12:59:59', span)).toBe(true)
    expect(at('13:00:00', span)).toBe(false)
  })

  test('unless it is disabled', () => {
    expect(at('12:00:00', {})).toBe(true)
    expect(at('12:00:00', { enabled: false })).toBe(false)
  })
})

describe('a rule hits', () => {
  const hitsOf = (settings: Partial<FaultSettings>, calls: number) => {
    let hits = 0
    return Array.from({ length: calls }, (_, index) => {
      const isOne = isHit(ruleOf({ ...settings, calls: index + 1, hits }))
      if (isOne) hits++
      return isOne
    })
  }

  test('every matching call', () => {
    expect(hitsOf({}, 3)).toEqual([true, true, true])
  })

  test('only the call with its number', () => {
    expect(hitsOf({ nth: 2 }, 4)).toEqual([false, true, false, false])
  })

  test('no more calls than its count', () => {
    expect(hitsOf({ count: 2 }, 4)).toEqual([true, true, false, false])
  })

  test('about its percentage of the calls, the same ones for the same seed', () => {
    const hits = hitsOf({ percentage: 30, seed: 7 }, 2_000)
    expect(hits.filter(Boolean).length).toBeGreaterThan(520)
    expect(hits.filter(Boolean).length).toBeLessThan(680)
    expect(hitsOf({ percentage: 30, seed: 7 }, 2_000)).toEqual(hits)
    expect(hitsOf({ percentage: 30, seed: 8 }, 2_000)).not.toEqual(hits)
    expect(hitsOf({ percentage: 0 }, 100)).not.toContain(true)
    expect(hitsOf({ percentage: 100 }, 100)).not.toContain(false)
  })
})
