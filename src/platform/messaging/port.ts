/** Where messages go. */
export type Target = { kind: 'sqs'; arn: string } | { kind: 'eventBridge'; accountId: string; region: string }

export interface Message {
  id: string
  /** What kind of thing it tells of, for those who sort by that. */
  type: string
  /** Who tells it. */
  source: string
  time: Date
  /** JSON */
  body: string
}

/** A message that the other side did not take, though it took the request. */
export interface FailedMessage {
  id: string
  reason: string
  /** Whether it would refuse the same message again. */
  isPermanent: boolean
}

export const MAX_MESSAGES_PER_REQUEST = 10
// Both services take a request of a quarter of a mebibyte at the least; what is around the messages needs room too.
export const MAX_REQUEST_BYTES = 240 * 1024

/** Sends messages to where others wait for them. */
export interface Messenger {
  /**
   * Sends up to ten messages in their order, and answers those that were not taken. Throws when none was, for a reason
   * that is not theirs.
   */
  send(target: Target, messages: readonly Message[]): Promise<FailedMessage[]>
  close(): void
}
