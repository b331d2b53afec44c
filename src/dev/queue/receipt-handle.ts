import { QueueError } from './queue-error.ts'

export interface Receipt {
  queueName: string
  messageId: string
  /** Differs for each receive of the message. */
  receipt: string
}

const CONTENT = /^([\w-]{1,80})\|([\w-]{1,64})\|([\w-]{1,64})$/
const MAX_LENGTH = 1024

export const renderReceiptHandle = ({ queueName, messageId, receipt }: Receipt) =>
  Buffer.from(`${queueName}|${messageId}|${receipt}`).toString('base64')

/** Throws for a handle that no message of the queue can have had. */
export function parseReceiptHandle(handle: string, queueName: string): Receipt {
  const content = handle.length > MAX_LENGTH ? '' : Buffer.from(handle, 'base64').toString()
  const [, queue, messageId, receipt] = CONTENT.exec(content) ?? []
  if (queue !== queueName || messageId === undefined || receipt === undefined) {
    throw new QueueError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.')
  }
  return { queueName, messageId, receipt }
}
