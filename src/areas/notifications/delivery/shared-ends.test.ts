import { describe, expect, test } from 'vitest'
import { SharedText } from '../../../platform/shared-text.ts'
import { bundleDeliveries, readPayloadEnds } from './bundle.ts'
import type { PlannedDelivery } from './delivery.ts'
import { SharedEnds } from './shared-ends.ts'

const delivery = (destinationId: string, deliveryId: string, end: SharedText | undefined): PlannedDelivery => ({
  applicationId: 'app',
  destinationId,
  deliveryId,
  eventId: 'event',
  sellerId: 'seller',
  subscriptionId: 'subscription',
  notificationType: 'ANY_OFFER_CHANGED',
  payloadVersion: '1.0',
  dueAt: new Date(0),
  eventTime: new Date(0),
  payload: { start: '{', end },
})

/** The compressed payload ends of the bundle of one destination. */
function pack(...texts: string[]): Buffer {
  const deliveries = texts.map((text, index) => delivery('d', String(index), SharedText.ofText(text)))
  return bundleDeliveries(deliveries)[0]?.row.payload_ends as Buffer
}

const textsOf = (ends: readonly SharedText[]) => ends.map(({ text }) => text)

describe('the payload ends of a bundle', () => {
  const TEXTS = ['","', '\\', '"', '\\"', '","a","', '[]', '', '漢😀', '\\","']

  test.each(TEXTS)('are read unchanged, also if a text contains %j', (text) => {
    expect(textsOf(readPayloadEnds(pack('before', text, 'after')))).toEqual(['before', text, 'after'])
    expect(textsOf(readPayloadEnds(pack(text)))).toEqual([text])
  })

  test('are written once if deliveries have them in common', () => {
    const end = SharedText.ofText('end')
    const ends = [end, SharedText.ofText('other'), end, undefined]
    const [bundle] = bundleDeliveries(ends.map((one, index) => delivery('d', String(index), one)))
    expect(textsOf(readPayloadEnds(bundle?.row.payload_ends as Buffer))).toEqual(['end', 'other'])
  })
})

describe('payload ends that are read', () => {
  test('are the same object for all destinations', () => {
    const ends = new SharedEnds()
    expect(ends.ofBundle(pack('a', 'b'))).toBe(ends.ofBundle(pack('a', 'b')))
    expect(ends.ofBundle(pack('a', 'c'))).not.toBe(ends.ofBundle(pack('a', 'b')))
    expect(ends.ofText('a long text')).toBe(ends.ofText('a long text'))
  })

  test('are forgotten if they are too long together, those that were read first', () => {
    const ends = new SharedEnds(250)
    const packed = ['a', 'b', 'c'].map((text) => pack(text.repeat(100)))
    const [first, second, third] = packed.map((one) => ends.ofBundle(one))
    expect(ends.ofBundle(packed[2] as Buffer)).toBe(third)
    expect(ends.ofBundle(packed[1] as Buffer)).toBe(second)
    expect(ends.ofBundle(packed[0] as Buffer)).not.toBe(first)
  })
})
