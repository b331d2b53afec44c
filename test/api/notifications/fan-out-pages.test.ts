import { expect, test } from 'vitest'
import { FilterWork } from '../../../src/areas/notifications/fan-out/filter-work.ts'
import { type Progress, planStep } from '../../../src/areas/notifications/fan-out/step.ts'
import { MAX_STEPS } from '../../../src/areas/notifications/filters/expression-budget.ts'
import { EventPayload } from '../../../src/platform/outbox/event-payload.ts'
import type { Expander } from '../../../src/platform/outbox/expander.ts'
import { addSubscribedSellers, addSubscribers } from '../../support/subscribers.ts'
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
    const maxDeliveries = 10 + (round % 3) * 10
    const options = { maxDeliveries, maxBytes: 1_000_000, work: new FilterWork(), onFilterFailure: () => {} }
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

test('what has not changed is not repeated to subscribers that are served in a later step', async () => {
  const { souk, database } = await startWatchedSouk()
  const { sellerId } = souk.demo.otherSeller
  const createdAt = souk.clock.now()
  const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:unchanged' } as const
  await addSubscribers(database, sellerId, { type: TYPE, count: SUBSCRIBERS, createdAt, target })
  const payload = EventPayload.ofText('{}')
  const event = { eventId: 'event', sellerId, type: 'OFFER_CHANGE', occurredAt: createdAt, payload }
  let recorded = 0
  const expander: Expander = {
    ...expanderOf(sellerId, []),
    page: async () => ({
      notifications: [{ key: '', sellerId, type: TYPE, payload: {}, ...(!recorded && { unchangedSince: createdAt }) }],
      effect: async () => void recorded++,
    }),
  }
  for (let progress: Progress | undefined = {}; progress; ) {
    const from: Progress = progress
    const options = { maxDeliveries: 10, maxBytes: 1_000_000, work: new FilterWork(), onFilterFailure: () => {} }
    const step = await database.read((reader) => planStep(reader, event, expander, from, options))
    expect(step.outgoing).toEqual([])
    await database.transact(async (tx) => {
      for (const effect of step.effects) await effect(tx)
    })
    progress = step.next
  }
  expect(recorded).toBe(1)
})

const LIST = Array.from({ length: 34 }, (_, index) => index)
/** Takes nearly as many steps as a filter may. */
const COSTLY = { filterExpression: 'list.all(a, list.all(b, a >= 0 && b >= 0))' }

/** Notifies each seller of the same number of offers. */
const expanderOfSellers = (sellerIds: readonly string[], offers: number): Expander => ({
  ...expanderOf('', []),
  async page(_reader, _event, _context, { after = '0', limit }) {
    const start = Number(after)
    const end = start + limit
    const all = sellerIds.flatMap((sellerId) => Array.from({ length: offers }, (_, key) => ({ sellerId, key })))
    return {
      notifications: all
        .slice(start, end)
        .map(({ sellerId, key }) => ({ key: String(key), sellerId, type: TYPE, payload: { key, list: LIST } })),
      ...(end < all.length && { next: String(end) }),
    }
  },
})

test.each([
  ['many applications with a seller', { sellers: 1, applications: SUBSCRIBERS, offers: 3 }],
  ['an application with many sellers', { sellers: SUBSCRIBERS, applications: 1, offers: 3 }],
  ['an application with a seller of many offers', { sellers: 1, applications: 1, offers: 200 }],
  ['some applications with a seller of many offers', { sellers: 1, applications: 3, offers: 100 }],
])(
  'costly filters of %s take several short steps, and each is notified once',
  async (_who, load) => {
    const { souk, database } = await startWatchedSouk()
    const { sellerId, applicationId } = { ...souk.demo, ...souk.demo.otherSeller }
    const createdAt = souk.clock.now()
    const target = { kind: 'sqs', target: 'arn:aws:sqs:us-east-1:123456789012:costly' } as const
    const subscribers = { type: TYPE, createdAt, target, directive: COSTLY }
    const sellerIds =
      load.sellers > 1
        ? await addSubscribedSellers(database, applicationId, { ...subscribers, count: load.sellers })
        : [sellerId]
    if (load.sellers === 1) await addSubscribers(database, sellerId, { ...subscribers, count: load.applications })
    const payload = EventPayload.ofText('{}')
    const event = { eventId: 'event', sellerId, type: 'OFFER_CHANGE', occurredAt: createdAt, payload }
    const served: string[] = []
    let work = 0
    for (let progress: Progress | undefined = {}; progress; ) {
      const from: Progress = progress
      const options = { maxDeliveries: 250, maxBytes: 4_000_000, work: new FilterWork(), onFilterFailure: () => {} }
      const expander = expanderOfSellers(sellerIds, load.offers)
      const step = await database.read((reader) => planStep(reader, event, expander, from, options))
      // Includes pages that were too large.
      expect(options.work.steps).toBeLessThan(1_000_000)
      work += options.work.steps
      for (const { notification, subscription } of step.outgoing) {
        served.push(`${notification.sellerId} ${notification.key} ${subscription.subscriptionId}`)
      }
      progress = step.next
    }
    expect(served).toHaveLength(load.sellers * load.applications * load.offers)
    expect(new Set(served).size).toBe(served.length)
    expect(work).toBeGreaterThan(served.length * 0.8 * MAX_STEPS)
    expect(work).toBeLessThan(served.length * 4 * MAX_STEPS)
  },
  60_000,
)
