import type { Reader, Transaction } from '../database/port.ts'
import type { NewEvent } from './outbox.ts'

/** Something that happened inside of the marketplace, and that amounts to notifications only when it is looked into. */
export interface InternalEvent extends Omit<NewEvent, 'payload'> {
  eventId: string
  // biome-ignore lint/suspicious/noExplicitAny: each expander knows the payload of its own kind.
  payload: any
}

/** One thing to notify of, to every subscriber of its type and seller. */
export interface Notification {
  /** Tells apart the notifications of one type and seller that one event amounts to. */
  key: string
  sellerId: string
  type: string
  payload: object
  /** Present when the last notification said the same: subscriptions that are older than it need not hear it again. */
  unchangedSince?: Date
}

export interface NotificationPage {
  notifications: Notification[]
  /** Where the next page begins, if there is one. */
  next?: string
  /** Written in the transaction that writes the deliveries of the page. */
  effect?(tx: Transaction): Promise<void>
}

export interface Expansion {
  /** What all pages have in common. It is stored as JSON while the event is being fanned out. */
  context: object
  /** Written in the transaction that writes the deliveries of the first page. */
  effect?(tx: Transaction): Promise<void>
}

/** Turns one kind of inner event into notifications, a page at a time. All of it may be asked for again after a crash. */
export interface Expander {
  /** The types of notification that it makes. While nobody subscribes to any of them, it is not asked. */
  produces: readonly string[]
  /** What the event is about. Of several about the same, in short succession, only the last is looked into. */
  subjectOf(event: InternalEvent): string
  /** Nothing when there is nobody to notify. */
  begin(reader: Reader, event: InternalEvent): Promise<Expansion | undefined>
  /** Notifications of at most `limit` sellers or offers: those after the page that ended with `after`. */
  page(
    reader: Reader,
    event: InternalEvent,
    // biome-ignore lint/suspicious/noExplicitAny: what its own `begin` answered, read back from JSON.
    context: any,
    page: { after: string | undefined; limit: number },
  ): Promise<NotificationPage>
}

/** By the type of the inner event. */
export type Expanders = Readonly<Record<string, Expander>>
