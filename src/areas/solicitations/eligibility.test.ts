import { describe, expect, test } from 'vitest'
import { explainWindow, findIneligibility, type SolicitableOrder } from './eligibility.ts'

const window = { opensAfterDays: 5, closesAfterDays: 30 }
const now = new Date('2026-06-15T00:00:00Z')
const order: SolicitableOrder = {
  marketplaceId: 'M',
  deliveredAt: '2026-06-02T00:00:00.000Z',
  earliestDeliveryAt: '2026-06-01T00:00:00.000Z',
  latestDeliveryAt: '2026-06-03T00:00:00.000Z',
  buyerAcceptsRequests: true,
  sentThrough: undefined,
}

describe('an order', () => {
  test('is eligible when delivered, in the window, not solicited and not opted out', () => {
    expect(findIneligibility(order, now, window)).toBeUndefined()
  })

  test.each([
    ['alreadySent', { sentThrough: 'api' }],
    ['alreadySent', { sentThrough: 'console' }],
    ['notDelivered', { deliveredAt: null }],
    ['optedOut', { buyerAcceptsRequests: false }],
    ['tooEarly', { earliestDeliveryAt: '2026-06-10T00:00:00.001Z' }],
    ['tooLate', { latestDeliveryAt: '2026-05-15T23:59:59.999Z' }],
  ] as const)('is ineligible: %s', (reason, change) => {
    expect(findIneligibility({ ...order, ...change }, now, window)).toBe(reason)
  })

  test('is eligible at both ends of the window', () => {
    expect(findIneligibility({ ...order, earliestDeliveryAt: '2026-06-10T00:00:00.000Z' }, now, window)).toBeUndefined()
    expect(findIneligibility({ ...order, latestDeliveryAt: '2026-05-16T00:00:00.000Z' }, now, window)).toBeUndefined()
  })

  test('without promised dates uses its delivery date', () => {
    const unpromised = { ...order, earliestDeliveryAt: null, latestDeliveryAt: null }
    expect(findIneligibility(unpromised, now, window)).toBeUndefined()
    expect(findIneligibility({ ...unpromised, deliveredAt: '2026-06-11T00:00:00.000Z' }, now, window)).toBe('tooEarly')
    expect(findIneligibility({ ...unpromised, deliveredAt: '2026-05-01T00:00:00.000Z' }, now, window)).toBe('tooLate')
  })

  test('is explained with the dates from which the days count', () => {
    const early = new Date('2026-06-05T00:00:00Z')
    const { rule, facts, change } = explainWindow('tooEarly', order, early, window)
    expect(rule).toContain('from 5 days after the earliest promised delivery to 30 days after the latest')
    expect(facts).toMatchObject({
      deliveredAt: '2026-06-02T00:00:00.000Z',
      earliestDeliveryAt: '2026-06-01T00:00:00.000Z',
      latestDeliveryAt: '2026-06-03T00:00:00.000Z',
      opensAt: new Date('2026-06-06T00:00:00Z'),
      opensAtCountsFrom: 'earliestDeliveryAt',
      closesAt: new Date('2026-07-03T00:00:00Z'),
      closesAtCountsFrom: 'latestDeliveryAt',
    })
    expect(change).toEqual({ notBefore: new Date('2026-06-06T00:00:00Z') })
    const unpromised = { ...order, earliestDeliveryAt: null, latestDeliveryAt: null }
    expect(explainWindow('tooEarly', unpromised, early, window).facts).toMatchObject({
      opensAt: new Date('2026-06-07T00:00:00Z'),
      opensAtCountsFrom: 'deliveredAt',
      closesAtCountsFrom: 'deliveredAt',
    })
  })

  test('that was solicited reports this before any other reason', () => {
    const sent = { ...order, sentThrough: 'api', deliveredAt: null, buyerAcceptsRequests: false } as const
    expect(findIneligibility(sent, now, window)).toBe('alreadySent')
  })
})
