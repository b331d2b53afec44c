import { expect, test } from 'vitest'
import { type Progress, planStep } from '../../../src/areas/notifications/fan-out/step.ts'
import { EventPayload } from '../../../src/platform/outbox/event-payload.ts'
import type { Expander } from '../../../src/platform/outbox/expander.ts'
import { addSubscribers } from '../../support/subscribers.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const SUBSCRIBERS = 60
const TYPE = 'PRICING_HEALTH'

/** Reads ten offers of one seller and notifies for the notable ones. */
const expanderOf = (sellerId: string, notable: readonly number[]): Expander => ({
  produces: [TYPE],
  subjectOf: () => '',
  begin: async () => ({ context: {} }),
  async page(_reader, _event, _context, { after = '0', limit }) {
    const end = Math.min(10, Number(after) + limit)
    const keys = notable.filter((key) => key > Number(after) && key <= end)
    return {
      notifications: keys.map((key) => ({ key: String(key), sellerId, type: TYPE, payload: { key } })),
      ...(end < 10 && { next: String(end) }),
    }
  },
})

test.each([
  ['one offer in the middle of a page', [5]],
  ['several offers of one seller', [2, 3, 9]],
])('more subscribers than fit in one step are each notified once of %s', async (_what, notable) => {
  const { souk, database } = await startWatchedSouk()
  const { sellerId } = souk.demo.otherSeller
  const createdAt = souk.clock.now()
  const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:pages' } as const
  await addSubscribers(database, sellerId, { type: TYPE, count: SUBSCRIBERS, createdAt, target })
  const payload = EventPayload.ofText('{}')
  const event = { eventId: 'event', sellerId, type: 'OFFER_CHANGE', occurredAt: createdAt, payload }
  const served: string[] = []
  let progress: Progress | undefined = {}
  // In production the size of a step depends on the speed of the machine.
  for (let round = 0; progress; round++) {
    const options = { maxDeliveries: 10 + (round % 3) * 10, maxBytes: 1_000_000, onFilterFailure: () => {} }
    const from: Progress = progress
    const step = await database.read((reader) => planStep(reader, event, expanderOf(sellerId, notable), from, options))
    expect(step.outgoing.length).toBeLessThanOrEqual(options.maxDeliveries)
    served.push(
      ...step.outgoing.map((outgoing) => `${outgoing.notification.key} ${outgoing.subscription.subscriptionId}`),
    )
    progress = step.next
  }
  expect(served).toHaveLength(SUBSCRIBERS * notable.length)
  expect(new Set(served).size).toBe(served.length)
})
