import { expect, test } from 'vitest'
import { type Progress, planStep } from '../../../src/areas/notifications/fan-out/step.ts'
import { EventPayload } from '../../../src/platform/outbox/event-payload.ts'
import type { Expander } from '../../../src/platform/outbox/expander.ts'
import { addSubscribers } from '../../support/subscribers.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const FOLLOWERS = 60
const TYPE = 'PRICING_HEALTH'

/** Looks at ten offers of one seller, of which some are worth a notification. */
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
])('more followers than a step serves are notified once of %s', async (_what, notable) => {
  const { souk, database } = await startWatchedSouk()
  const { sellerId } = souk.demo.otherSeller
  const createdAt = souk.clock.now()
  const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:pages' } as const
  await addSubscribers(database, sellerId, { type: TYPE, count: FOLLOWERS, createdAt, target })
  const payload = EventPayload.ofText('{}')
  const event = { eventId: 'event', sellerId, type: 'OFFER_CHANGE', occurredAt: createdAt, payload }
  const served: string[] = []
  let progress: Progress | undefined = {}
  // Steps of different sizes: they follow the speed of the machine.
  for (let step = 0; progress; step++) {
    const options = { maxDeliveries: 10 + (step % 3) * 10, onFilterFailure: () => {} }
    const from: Progress = progress
    const chunk = await database.read((reader) => planStep(reader, event, expanderOf(sellerId, notable), from, options))
    expect(chunk.outgoing.length).toBeLessThanOrEqual(options.maxDeliveries)
    served.push(...chunk.outgoing.map((pair) => `${pair.notification.key} ${pair.subscription.subscriptionId}`))
    progress = chunk.next
  }
  expect(served).toHaveLength(FOLLOWERS * notable.length)
  expect(new Set(served).size).toBe(served.length)
})
