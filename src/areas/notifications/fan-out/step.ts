import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { EventPayload } from '../../../platform/outbox/event-payload.ts'
import type {
  Expander,
  Expansion,
  InternalEvent,
  Notification,
  NotificationPage,
} from '../../../platform/outbox/expander.ts'
import type { StoredEvent } from '../../../platform/outbox/outbox.ts'
import { matchesDirective } from '../filters/directive.ts'
import {
  findSubscriptions,
  listTopicSubscriptions,
  type Subscription,
  type Topic,
  topicId,
} from '../subscriptions/subscription-store.ts'

/** How many notifications one step delivers at most, and how many sellers or offers it looks at. */
export const MAX_DELIVERIES_PER_STEP = 250
/** How long the payloads of one step may be together: other writers wait for it. */
const MAX_STEP_BYTES = 512 * 1024

/** A notification whose payload is serialized at most once, for all its subscribers. */
export interface SharedNotification extends Omit<Notification, 'payload'> {
  payload: EventPayload
}

/** A notification of an event, for one subscription. */
export interface OutgoingNotification {
  event: Pick<StoredEvent, 'eventId' | 'occurredAt'>
  notification: SharedNotification
  subscription: Subscription
}

/** Where the next step of an event begins. It is stored as JSON. */
export interface Progress {
  context?: object
  after?: string
  /** The last subscription served, where one topic has more of them than one step delivers. */
  subscriptionId?: string
  /** How long the page is that such a topic was met on: the next step has to read the same page. */
  limit?: number
}

/** One step of an event: what is delivered, and where the next step begins. */
export interface FanOutStep {
  outgoing: OutgoingNotification[]
  next?: Progress
  effects: ((tx: Transaction) => Promise<void>)[]
}

/** The filter of a subscription failed, which is a problem of this subscription alone. */
export type OnFilterFailure = (subscription: Subscription, event: Pick<StoredEvent, 'eventId'>, error: unknown) => void

/** An event without an expander is its own notification. Throws if its payload is not JSON. */
export function toNotification({ sellerId, type, payload }: StoredEvent): SharedNotification {
  // Parsed here, so that an event that cannot be parsed fails instead of being delivered.
  void payload.value
  return { key: '', sellerId, type, payload }
}

/** What a step must keep to. */
export interface StepOptions {
  /** How many notifications it delivers at most. */
  maxDeliveries: number
  onFilterFailure: OnFilterFailure
}

/** Works the next step out. Nothing is written, and the work is bounded however many subscribers there are. */
export async function planStep(
  reader: Reader,
  event: StoredEvent,
  expander: Expander | undefined,
  progress: Progress,
  options: StepOptions,
): Promise<FanOutStep> {
  if (!expander) return planTopicPage(reader, event, [toNotification(event)], {}, progress, options)
  const inner = { ...event, payload: event.payload.value }
  const expansion: Expansion | undefined = progress.context
    ? { context: progress.context }
    : await expander.begin(reader, inner)
  if (!expansion) return { outgoing: [], effects: [] }
  const step = await planExpandedPage(reader, inner, expander, { ...progress, context: expansion.context }, options)
  return expansion.effect ? { ...step, effects: [expansion.effect, ...step.effects] } : step
}

/** Smaller pages until the subscriptions fit into a step; those of a single topic are then served in pages of their own. */
async function planExpandedPage(
  reader: Reader,
  event: InternalEvent,
  expander: Expander,
  progress: Progress,
  options: StepOptions,
): Promise<FanOutStep> {
  const { subscriptionId: _, ...fromStart } = progress
  const { after, context } = progress
  for (let limit = progress.limit ?? options.maxDeliveries; ; limit = Math.ceil(limit / 4)) {
    const page = await expander.page(reader, event, context, { after, limit })
    const notifications = shareAll(page.notifications)
    const topics = topicsOf(notifications)
    if (topics.length <= 1) {
      const within = limit === progress.limit ? progress : { ...fromStart, limit }
      return planTopicPage(reader, event, notifications, page, within, options)
    }
    if (limit === 1) throw new Error(`The expander of ${event.type} answers several topics for a page of one`)
    const most = mostDeliveries(notifications, options)
    const subscriptions = await findSubscriptions(reader, topics, most)
    const pairs = subscriptions && matchSubscriptions(event, notifications, subscriptions, options.onFilterFailure)
    if (!pairs || pairs.length > most) continue
    return {
      outgoing: pairs,
      effects: effectsOf(page),
      ...(page.next !== undefined && { next: { context, after: page.next } }),
    }
  }
}

/** Notifications that all are of one topic, for a page of its subscriptions. */
async function planTopicPage(
  reader: Reader,
  event: Pick<StoredEvent, 'eventId' | 'occurredAt'>,
  notifications: readonly SharedNotification[],
  page: Pick<NotificationPage, 'next' | 'effect'>,
  { subscriptionId, ...progress }: Progress,
  options: StepOptions,
): Promise<FanOutStep> {
  const [topic] = topicsOf(notifications)
  const limit = Math.max(1, Math.floor(mostDeliveries(notifications, options) / Math.max(1, notifications.length)))
  const subscriptions = topic ? await listTopicSubscriptions(reader, topic, { after: subscriptionId, limit }) : []
  const outgoing = matchSubscriptions(event, notifications, subscriptions, options.onFilterFailure)
  const last = subscriptions.at(-1)
  const step = { outgoing, effects: effectsOf(page) }
  if (last && subscriptions.length === limit) {
    return { ...step, next: { ...progress, subscriptionId: last.subscriptionId } }
  }
  const { context } = progress
  return page.next === undefined ? step : { ...step, next: { ...(context && { context }), after: page.next } }
}

/** Estimates from the first payload: those of one event have about the same length. */
function mostDeliveries([first]: readonly SharedNotification[], { maxDeliveries }: StepOptions): number {
  if (!first) return maxDeliveries
  return Math.max(1, Math.min(maxDeliveries, Math.floor(MAX_STEP_BYTES / first.payload.text.length)))
}

const shareAll = (notifications: readonly Notification[]): SharedNotification[] =>
  notifications.map((notification) => ({ ...notification, payload: EventPayload.ofValue(notification.payload) }))

const effectsOf = ({ effect }: Pick<NotificationPage, 'effect'>) => (effect ? [effect] : [])

/** Which types about which sellers the notifications are of, each once. */
export function topicsOf(notifications: readonly SharedNotification[]): Topic[] {
  const topics = notifications.map(({ type, sellerId }) => ({ notificationType: type, sellerId }))
  return [...new Map(topics.map((topic) => [topicId(topic), topic])).values()]
}

/** Who of the subscribers is to be notified of what. */
export function matchSubscriptions(
  event: Pick<StoredEvent, 'eventId' | 'occurredAt'>,
  notifications: readonly SharedNotification[],
  subscriptions: readonly Subscription[],
  onFilterFailure: OnFilterFailure,
): OutgoingNotification[] {
  const byTopic = Map.groupBy(subscriptions, topicId)
  return notifications.flatMap((notification) => {
    const topic = { notificationType: notification.type, sellerId: notification.sellerId }
    return (byTopic.get(topicId(topic)) ?? [])
      .filter((subscription) => isNewTo(event, notification, subscription))
      .filter((subscription) => passesFilter(event, notification, subscription, onFilterFailure))
      .map((subscription) => ({ event, notification, subscription }))
  })
}

function isNewTo(
  { occurredAt }: Pick<StoredEvent, 'occurredAt'>,
  { unchangedSince }: SharedNotification,
  to: Subscription,
) {
  if (to.createdAt > occurredAt) return false
  return unchangedSince === undefined || to.createdAt > unchangedSince
}

function passesFilter(
  event: Pick<StoredEvent, 'eventId'>,
  { payload }: SharedNotification,
  subscription: Subscription,
  onFilterFailure: OnFilterFailure,
): boolean {
  try {
    return matchesDirective(subscription.directive, payload.value)
  } catch (error) {
    onFilterFailure(subscription, event, error)
    return false
  }
}
