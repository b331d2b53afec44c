import type { Reader } from '../../platform/database/port.ts'
import type { NewEvent } from '../../platform/outbox/outbox.ts'

/** Something that happened inside of the marketplace, and that amounts to notifications only when it is looked into. */
export interface InnerEvent extends Omit<NewEvent, 'payload'> {
  // biome-ignore lint/suspicious/noExplicitAny: each expander knows the payload of its own kind.
  payload: any
}

/** Makes of one kind of inner event what sellers are told of it. */
export interface Expander {
  /** The types of notification that it makes. While nobody subscribes to any of them, it is not asked. */
  yields: readonly string[]
  /** What the event is about. Of several about the same, in short succession, only the last is looked into. */
  subjectOf(event: InnerEvent): string
  /** All that is to be told, to whomever. It may be asked again after a crash. */
  expand(reader: Reader, event: InnerEvent): Promise<NewEvent[]>
}

/** By the type of the inner event. */
export type Expanders = Readonly<Record<string, Expander>>
