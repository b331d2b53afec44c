import type { EndDependencies } from './check-end.ts'
import type { Subscription } from './history.ts'
import { isSkuOfAnother } from './steps.ts'
import type { LoggedEvent } from './stored-work.ts'

interface Notification {
  id: string
  subscriptionId: string
  payload: string
}

/** Every event reached every subscription at least once, the first times in the order of the events. */
export function checkNotifications(
  { arrivals, history, marketplace, violate }: EndDependencies,
  events: readonly LoggedEvent[],
): void {
  const bySubscription = Map.groupBy(
    arrivals.map(({ message }) => parse(message.body)),
    ({ subscriptionId }) => subscriptionId,
  )
  for (const subscription of history.subscriptions) {
    const { seller, type, subscriptionId, after, isDeleted } = subscription
    const arrived = firstOfEach(bySubscription.get(subscriptionId) ?? [])
    const { sellerId } = marketplace.sellers[seller] as { sellerId: string }
    const own = events.filter((event) => event.sellerId === sellerId && event.type === type)
    const texts = own.map(({ payload }) => JSON.stringify(payload))
    const expected = own.filter(({ position }) => position > after).length
    for (const { payload } of arrived) {
      const [leaked] = payload.match(isSkuOfAnother(seller)) ?? []
      if (leaked) violate('no seller sees data of another', `${leaked} in ${payload}`)
    }
    // Events of the time of the subscription itself may have arrived too. They come before all others.
    const received = arrived.map(({ payload }) => payload)
    const wanted = isDeleted
      ? texts.slice(0, received.length)
      : texts.slice(texts.length - Math.max(received.length, expected))
    const isComplete = isDeleted ? isSubsequence(received, texts) : isEqual(received, wanted)
    if (!isComplete) violate('every event is delivered, in order', describe(subscription, received, wanted, expected))
  }
}

function parse(body: string): Notification {
  const message = JSON.parse(body) as Record<string, unknown>
  const metadata = (message.NotificationMetadata ?? message.notificationMetadata) as Record<string, string>
  return {
    id: metadata.NotificationId ?? metadata.notificationId ?? '',
    subscriptionId: metadata.SubscriptionId ?? metadata.subscriptionId ?? '',
    payload: JSON.stringify(message.Payload ?? message.payload),
  }
}

function firstOfEach(notifications: readonly Notification[]): Notification[] {
  const seen = new Set<string>()
  return notifications.filter(({ id }) => !seen.has(id) && seen.add(id))
}

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, index) => text === other[index])

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0
  for (const text of whole) if (next < part.length && part[next] === text) next++
  return next === part.length
}

function describe(
  { seller, type, subscriptionId, isDeleted }: Subscription,
  received: readonly string[],
  wanted: readonly string[],
  expected: number,
): string {
  const different = wanted.findIndex((text, index) => text !== received[index])
  return [
    `${type} of seller ${seller} (${subscriptionId}${isDeleted ? ', deleted' : ''}): ${received.length} arrived, at least ${expected} expected`,
    `  arrived at ${different}: ${received[different]}`,
    `  expected there: ${wanted[different]}`,
  ].join('\n')
}
