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
import { requireReadable, type StoredEvent } from '../../../platform/outbox/outbox.ts'
import {
  findSubscriptions,
  listTopicSubscriptions,
  type Subscription,
  type Topic,
  topicId,
} from '../subscriptions/subscription-store.ts'
import { type FilterWork, MAX_FILTERED_NOTIFICATIONS } from './filter-work.ts'

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
  /** The page size to begin with. For such a topic, the next step must read the same page. */
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
  work: FilterWork
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
  requireReadable(event)
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
  const outgoing = matchSubscriptions(event, notifications, subscribed, options)
  if (!outgoing || outgoing.length > mostDeliveries(notifications, options)) return undefined
  return { outgoing, effects: [...effectsOf(expansion), ...effectsOf(page)] }
}

/**
 * Reduces the page until its deliveries and the work of its filters fit into a step. The subscriptions of a single topic
 * have their own pages.
 */
async function planExpandedPage(
  reader: Reader,
  event: InternalEvent,
  expander: Expander,
  progress: Progress,
  options: StepOptions,
): Promise<FanOutStep> {
  const { subscriptionId, ...fromStart } = progress
  const { after, context } = progress
  const { limit: begun = options.maxDeliveries } = progress
  const first = subscriptionId === undefined ? Math.min(begun, options.maxDeliveries) : begun
  for (let limit = first; ; limit = Math.ceil(limit / 4)) {
    await options.work.pause()
    const page = await expander.page(reader, event, context, { after, limit })
    const notifications = shareAll(page.notifications)
    const topics = topicsOf(notifications)
    const isSmall = limit === 1 || notifications.length <= MAX_FILTERED_NOTIFICATIONS
    if (topics.length <= 1 && (isSmall || subscriptionId !== undefined)) {
      const within = limit === progress.limit ? progress : { ...fromStart, limit }
      return planTopicPage(reader, event, notifications, page, within, options)
    }
    if (limit === 1) throw new Error(`The expander of ${event.type} returns several topics for a page of one`)
    const maxDeliveries = mostDeliveries(notifications, options)
    const subscriptions = await findSubscriptions(reader, topics, maxDeliveries)
    const outgoing = subscriptions && matchSubscriptions(event, notifications, subscriptions, options)
    if (!outgoing || outgoing.length > maxDeliveries) continue
    return { outgoing, effects: effectsOf(page), ...nextPage(page, { context, limit }, options) }
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
  const isSpent = options.work.startStep()
  const outgoing: OutgoingNotification[] = []
  let served = 0
  while (served < subscriptions.length && !(served > 0 && isSpent())) {
    const subscription = subscriptions[served++] as Subscription
    for (const notification of notifications) {
      if (isNotified(event, notification, subscription, options)) outgoing.push({ event, notification, subscription })
    }
  }
  const last = subscriptions[served - 1]
  if (last && (served < subscriptions.length || served === limit)) {
    // Effects record what was notified, and the next step reads the same page again: it must not find this one's record.
    return { outgoing, effects: [], next: { ...progress, subscriptionId: last.subscriptionId } }
  }
  return { outgoing, effects: effectsOf(page), ...nextPage(page, progress, options) }
}

/** After a page that had to be reduced, the next one is not much larger: it would be read and matched several times. */
function nextPage(
  { next: after }: Pick<NotificationPage, 'next'>,
  { context, limit = Number.POSITIVE_INFINITY }: Progress,
  { maxDeliveries }: StepOptions,
): Pick<FanOutStep, 'next'> {
  if (after === undefined) return {}
  return { next: { ...(context && { context }), after, ...(limit < maxDeliveries && { limit: limit * 2 }) } }
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

/** Matches notifications with subscriptions. Returns undefined if that is more filter work than a step may have. */
export function matchSubscriptions(
  event: Pick<StoredEvent, 'eventId' | 'occurredAt'>,
  notifications: readonly SharedNotification[],
  subscriptions: readonly Subscription[],
  options: Pick<StepOptions, 'work' | 'onFilterFailure'>,
): OutgoingNotification[] | undefined {
  const byTopic = Map.groupBy(subscriptions, topicId)
  const isSpent = options.work.startStep()
  const outgoing: OutgoingNotification[] = []
  for (const notification of notifications) {
    const topic = { notificationType: notification.type, sellerId: notification.sellerId }
    for (const subscription of byTopic.get(topicId(topic)) ?? []) {
      if (isSpent()) return undefined
      if (isNotified(event, notification, subscription, options)) outgoing.push({ event, notification, subscription })
    }
  }
  return outgoing
}

const isNotified = (
  event: Pick<StoredEvent, 'eventId' | 'occurredAt'>,
  notification: SharedNotification,
  subscription: Subscription,
  options: Pick<StepOptions, 'work' | 'onFilterFailure'>,
) => isNewTo(event, notification, subscription) && passesFilter(event, notification, subscription, options)

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
  { work, onFilterFailure }: Pick<StepOptions, 'work' | 'onFilterFailure'>,
): boolean {
  try {
    return work.matches(subscription.directive, payload.value)
  } catch (error) {
    onFilterFailure(subscription, event, error)
    return false
  }
}
