import type { SharedText } from '../shared-text.ts'

export type Target = { kind: 'sqs'; arn: string } | { kind: 'eventBridge'; accountId: string; region: string }

export interface Message {
  id: string
  /** The type of the message. */
  type: string
  /** The source of the message. */
  source: string
  time: Date
  /** JSON */
  body: string
  /** The same in parts, of which other messages may have some in common with it. */
  bodyParts?: readonly (string | SharedText)[]
  /** What the message was sent for. */
  origin?: { applicationId: string; destinationId: string; sellerId?: string }
}

/** A message that the service rejected within an accepted request. */
export interface FailedMessage {
  id: string
  reason: string
  /** Whether a retry would fail too. */
  isPermanent: boolean
  /** It was not rejected, but is to be sent at this time instead. */
  postponedUntil?: Date
}

/** The response does not mention the message: it may come from something else, such as a proxy in front of the service. */
export const unconfirmed = (id: string, service: string): FailedMessage => ({
  id,
  reason: `${service} did not confirm the message`,
  isPermanent: false,
})

/** How much one request can contain. */
export interface RequestLimit {
  messages: number
  /** Of the bodies. A longer message is alone in its request. */
  bytes: number
}

// Both services accept ten messages, and requests of at least 256 KiB, including the data around the messages.
export const AWS_LIMIT: RequestLimit = { messages: 10, bytes: 240 * 1024 }

export interface Messenger {
  limitOf(target: Target): RequestLimit
  /**
   * Sends the messages of one request in order. Returns those that were rejected. Throws if the whole request failed.
   */
  send(target: Target, messages: readonly Message[]): Promise<FailedMessage[]>
  close(): void
}
