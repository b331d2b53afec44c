import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { EventPayload } from '../../../platform/outbox/event-payload.ts'
import type {
  BegunExpansion,
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

/** A notification whose payload is serialized at most once, for all its subscribers. */
export interface SharedNotification extends Omit<Notification, 'payload' | 'serialize'> {
  payload: EventPayload
}

/** A notification of an event, for one subscription. */
export interface OutgoingNotification {
  event: Pick<StoredEvent, 'eventId' | 'occurredAt'>
  notification: SharedNotification
  subscription: Subscription
}

/** The start of the next step of an event. Stored as JSON. */
export interface Progress {
  context?: object
  after?: string
  /** The last subscription served, if a topic has more subscriptions than one step delivers. */
  subscriptionId?: string
  /** The page size used for such a topic, because the next step must read the same page. */
  limit?: number
}

export interface FanOutStep {
  outgoing: OutgoingNotification[]
  next?: Progress
  effects: ((tx: Transaction) => Promise<void>)[]
}

/** The filter of a subscription failed. Other subscriptions are not affected. */
export type OnFilterFailure = (subscription: Subscription, event: Pick<StoredEvent, 'eventId'>, error: unknown) => void

/** An event without an expander is its own notification. Throws if its payload is not JSON. */
export function toNotification({ sellerId, type, payload }: StoredEvent): SharedNotification {
  // Parsed here, so that an event that cannot be parsed fails instead of being delivered.
  void payload.value
  return { key: '', sellerId, type, payload }
}

export interface StepOptions {
  /** Maximum number of deliveries of a step, and of sellers or offers it reads. */
  maxDeliveries: number
  /** Maximum total length of the payloads of a step. */
  maxBytes: number
  onFilterFailure: OnFilterFailure
}

/** Plans the next step without writing anything. The work does not grow with the number of subscribers. */
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

/** Plans a begun event with all of its notifications. Returns undefined if they do not fit into one step. */
export function planBegun(
  event: StoredEvent,
  { expansion, page }: BegunExpansion,
  subscriptions: ReadonlyMap<string, readonly Subscription[]>,
  options: StepOptions,
): FanOutStep | undefined {
  if (page.next !== undefined) return undefined
  const notifications = shareAll(page.notifications)
  const subscribed = topicsOf(notifications).flatMap((topic) => subscriptions.get(topicId(topic)) ?? [])
  const outgoing = matchSubscriptions(event, notifications, subscribed, options.onFilterFailure)
  if (outgoing.length > mostDeliveries(notifications, options)) return undefined
  return { outgoing, effects: [...effectsOf(expansion), ...effectsOf(page)] }
}

/** Reduces the page until its subscriptions fit into a step. The subscriptions of a single topic have their own pages. */
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
    if (limit === 1) throw new Error(`The expander of ${event.type} returns several topics for a page of one`)
    const maxDeliveries = mostDeliveries(notifications, options)
    const subscriptions = await findSubscriptions(reader, topics, maxDeliveries)
    const outgoing = subscriptions && matchSubscriptions(event, notifications, subscriptions, options.onFilterFailure)
    if (!outgoing || outgoing.length > maxDeliveries) continue
    return {
      outgoing,
      effects: effectsOf(page),
      ...(page.next !== undefined && { next: { context, after: page.next } }),
    }
  }
}

/** Plans notifications of one topic for a page of its subscriptions. */
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
function mostDeliveries([first]: readonly SharedNotification[], { maxDeliveries, maxBytes }: StepOptions): number {
  if (!first) return maxDeliveries
  return Math.max(1, Math.min(maxDeliveries, Math.floor(maxBytes / first.payload.length)))
}

const shareAll = (notifications: readonly Notification[]): SharedNotification[] =>
  notifications.map(({ serialize, ...notification }) => ({
    ...notification,
    payload: EventPayload.ofValue(notification.payload, serialize),
  }))

const effectsOf = ({ effect }: Pick<NotificationPage, 'effect'>) => (effect ? [effect] : [])

/** Returns the distinct topics of notifications. */
export function topicsOf(notifications: readonly Pick<Notification, 'type' | 'sellerId'>[]): Topic[] {
  const topics = notifications.map(({ type, sellerId }) => ({ notificationType: type, sellerId }))
  return [...new Map(topics.map((topic) => [topicId(topic), topic])).values()]
}

/** Matches notifications with subscriptions. */
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
