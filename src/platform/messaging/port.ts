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
}

/** A message that the service rejected within an accepted request. */
export interface FailedMessage {
  id: string
  reason: string
  /** Whether a retry would fail too. */
  isPermanent: boolean
}

export const MAX_MESSAGES_PER_REQUEST = 10
// Both services accept requests of at least 256 KiB, including the data around the messages.
export const MAX_REQUEST_BYTES = 240 * 1024

export interface Messenger {
  /**
   * Sends up to ten messages in order. Returns those that were rejected. Throws if the whole request failed.
   */
  send(target: Target, messages: readonly Message[]): Promise<FailedMessage[]>
  close(): void
}
