import { describe, expect, test } from 'vitest'
import type { JsonText } from '../../../platform/outbox/event-payload.ts'
import { SharedText } from '../../../platform/shared-text.ts'
import type { PlannedDelivery } from './delivery.ts'
import { type BundleKey, RecentPayloads, type WrittenBundle } from './recent-payloads.ts'

const delivery = (deliveryId: string, payload: JsonText): PlannedDelivery => ({
  applicationId: 'app',
  destinationId: 'destination',
  deliveryId,
  eventId: 'event',
  sellerId: 'seller',
  subscriptionId: 'subscription',
  notificationType: 'ANY_OFFER_CHANGED',
  payloadVersion: '1.0',
  dueAt: new Date(0),
  eventTime: new Date(0),
  payload,
})
const stored = (...deliveries: PlannedDelivery[]) => ({ stored: deliveries, bundles: [] })
const bundled = (...bundles: WrittenBundle[]) => ({ stored: [], bundles })
const LENGTH = 50_000
const end = SharedText.ofText('e'.repeat(LENGTH))
const another = () => SharedText.ofText('e'.repeat(LENGTH))

describe('the payloads of deliveries that this relay has written', () => {
  test('are returned once, to the destination that they are for', () => {
    const recent = new RecentPayloads()
    const one = delivery('1', { start: 'a', end })
    recent.keep(stored(one, { ...one, destinationId: 'other', payload: { start: 'b', end } }))
    expect(recent.take(one)).toEqual({ start: 'a', end })
    expect(recent.take(one)).toBeUndefined()
    expect(recent.take({ ...one, destinationId: 'other' })).toEqual({ start: 'b', end })
    expect(recent.take({ ...one, deliveryId: '2' })).toBeUndefined()
  })

  test('are dropped if they are too long together, those that were written first', () => {
    const recent = new RecentPayloads(250_000)
    const all = ['1', '2', '3', '4'].map((id) => delivery(id, { start: '', end: another() }))
    for (const one of all) recent.keep(stored(one))
    expect(all.map((one) => recent.take(one) !== undefined)).toEqual([false, false, true, true])
  })

  test('count a common end once, until the last one is taken', () => {
    const recent = new RecentPayloads(250_000)
    const all = Array.from({ length: 50 }, (_, index) => delivery(String(index), { start: `${index}`, end }))
    recent.keep(stored(...all))
    expect(all.every((one) => recent.take(one) !== undefined)).toBe(true)
    const others = ['a', 'b'].map((id) => delivery(id, { start: '', end: another() }))
    recent.keep(stored(...others))
    expect(others.every((one) => recent.take(one) !== undefined)).toBe(true)
  })
})

describe('the bundles that this relay has written', () => {
  const key: BundleKey = {
    application_id: 'app',
    destination_id: 'destination',
    bundle_number: 1,
    due_at: '2026-06-01T12:00:00.000Z',
    size: 2,
  }
  const deliveries = ['1', '2'].map((id) => delivery(id, { start: id, end }))

  test('are returned once', () => {
    const recent = new RecentPayloads()
    recent.keep(bundled({ key, deliveries }))
    expect(recent.takeBundle(key)).toBe(deliveries)
    expect(recent.takeBundle(key)).toBeUndefined()
  })

  test.each([{ bundle_number: 2 }, { due_at: '2026-06-01T12:00:00.001Z' }, { size: 3 }, { destination_id: 'other' }])(
    'are not taken for another one, with %j',
    (other) => {
      const recent = new RecentPayloads()
      recent.keep(bundled({ key, deliveries }))
      expect(recent.takeBundle({ ...key, ...other })).toBeUndefined()
    },
  )

  test('are dropped if they are too long together, and count a common end once', () => {
    const recent = new RecentPayloads(250_000)
    const bundles = [1, 2, 3].map((number) => ({
      key: { ...key, bundle_number: number },
      deliveries: [delivery(`a${number}`, { start: '', end: another() })].flatMap((one) => [one, one]),
    }))
    recent.keep(bundled(...bundles))
    expect(bundles.map((one) => recent.takeBundle(one.key) !== undefined)).toEqual([false, true, true])
  })
})
