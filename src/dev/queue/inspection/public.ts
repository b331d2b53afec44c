// The local queue as `startSouk` has it. Users compile these types, so they refer to no dependency.

export interface LocalQueueSummary {
  name: string
  arn: string
  createdAt: string
  visibilityTimeoutSeconds: number
  retentionSeconds: number
  deadLetterQueue?: { arn: string; maxReceiveCount: number }
  /** Each counted up to 10,000. */
  messages: { visible: number; inFlight: number; delayed: number }
}

export interface LocalQueueMessage {
  messageId: string
  state: 'VISIBLE' | 'IN_FLIGHT' | 'DELAYED'
  sentAt: string
  visibleAt: string
  receiveCount: number
  firstReceivedAt?: string
  /** The ARN of the queue that it comes from. */
  deadLetterSource?: string
  attributes: Record<string, { DataType: string; StringValue?: string; BinaryValue?: string }>
  /** The first 262,144 characters. */
  body: string
  isBodyTruncated: boolean
}

export interface QueuePage {
  /** At most 100 queues, 50 messages. */
  pageSize?: number
  /** `nextToken` of the page before. */
  pageToken?: string
}

/** What is in the local queues. Nothing is received by looking. */
export interface LocalQueues {
  list(page?: QueuePage): Promise<{ queues: LocalQueueSummary[]; nextToken?: string }>
  /** In the order in which they can be received. */
  messages(queueName: string, page?: QueuePage): Promise<{ messages: LocalQueueMessage[]; nextToken?: string }>
}
