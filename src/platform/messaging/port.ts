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
export interface Refusal {
  id: string
  reason: string
  /** Whether it would refuse the same message again. */
  isFinal: boolean
}

export const MOST_MESSAGES = 10
// Both services take a request of a quarter of a mebibyte at the least; what is around the messages needs room too.
export const MOST_BYTES = 240 * 1024

/** Sends messages to where others wait for them. */
export interface Messenger {
  /**
   * Sends up to ten messages in their order, and answers those that were not taken. Throws when none was, for a reason
   * that is not theirs.
   */
  send(target: Target, messages: readonly Message[]): Promise<Refusal[]>
  close(): void
}
