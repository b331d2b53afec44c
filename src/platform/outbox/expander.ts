import type { Reader, Transaction } from '../database/port.ts'
import type { JsonText } from './event-payload.ts'
import type { NewEvent } from './outbox.ts'

/** An event that an expander turns into notifications. */
export interface InternalEvent extends Omit<NewEvent, 'payload'> {
  eventId: string
  // biome-ignore lint/suspicious/noExplicitAny: each expander knows the payload of its own kind.
  payload: any
}

/** A notification to every subscription of its type and seller. */
export interface Notification {
  /** Distinguishes the notifications of one type and seller from one event. */
  key: string
  sellerId: string
  type: string
  payload: object
  /** Serializes the payload with what notifications of other sellers have in common, which is serialized once. */
  serialize?(): JsonText
  /** Present if the last notification had the same content: subscriptions older than it are skipped. */
  unchangedSince?: Date
}

export interface NotificationPage {
  notifications: Notification[]
  /** The start of the next page, if there is one. */
  next?: string
  /** Written in the transaction that writes the deliveries of the page, or the last of them if they take several steps. */
  effect?(tx: Transaction): Promise<void>
}

export interface Expansion {
  /** Shared by all pages. Stored as JSON during the fan-out. */
  context: object
  /** Written in the transaction that writes the deliveries of the first page. */
  effect?(tx: Transaction): Promise<void>
}

/** An event that has begun, with its first page. */
export interface BegunExpansion {
  expansion: Expansion
  page: NotificationPage
}

/**
 * Thrown by an effect if another worker has changed what it was computed from. Nothing is written, and the events are
 * expanded again.
 */
export class OutdatedExpansionError extends Error {
  override name = 'OutdatedExpansionError'
}

/** Turns one type of internal event into notifications, a page at a time. Any call may be repeated after a crash. */
export interface Expander {
  /** The types of its notifications. It is not called while none has a subscription. */
  produces: readonly string[]
  /** The subject of the event. Of several events in short succession about a subject, only the last is expanded. */
  subjectOf(event: InternalEvent): string
  /**
   * Events of one lane are expanded in order. Default: all events of the type. If events of several sellers share a lane,
   * two workers may expand them at the same time, and the effects see to it that only one commits.
   */
  laneOf?(event: InternalEvent): string
  /** Returns undefined if there is nothing to notify of. */
  begin(reader: Reader, event: InternalEvent): Promise<Expansion | undefined>
  /** Notifications of at most `limit` sellers or offers: those after the page that ended with `after`. */
  page(
    reader: Reader,
    event: InternalEvent,
    // biome-ignore lint/suspicious/noExplicitAny: the result of its own `begin`, parsed from JSON.
    context: any,
    page: { after: string | undefined; limit: number },
  ): Promise<NotificationPage>
  /**
   * Begins several events and lists the first page of each, with as few reads as for one. Returns them by event id,
   * without those that have nothing to notify of. Without it, or if it returns undefined because there is too much to read
   * at once, events are expanded one after the other.
   */
  beginAll?(
    reader: Reader,
    events: readonly InternalEvent[],
    limit: number,
  ): Promise<ReadonlyMap<string, BegunExpansion> | undefined>
}

/** By the type of the internal event. */
export type Expanders = Readonly<Record<string, Expander>>
