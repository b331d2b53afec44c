import { escapeText } from '../shared-text.ts'
import type { Message } from './port.ts'

/**
 * Serializes a SendMessageBatch request. A body is JSON within JSON. Notifications of one change to many sellers differ
 * at their start, so the long rest is escaped once.
 */
export function serializeBatch(queueUrl: string, messages: readonly Message[]): Buffer {
  const chunks: Buffer[] = []
  let text = `{"QueueUrl":${JSON.stringify(queueUrl)},"Entries":[`
  let separator = ''
  for (const message of messages) {
    text += `${separator}{"Id":${JSON.stringify(message.id)},"MessageBody":"`
    separator = ','
    for (const part of message.bodyParts ?? [message.body]) {
      if (typeof part === 'string') {
        text += escapeText(part)
        continue
      }
      chunks.push(Buffer.from(text), part.escaped)
      text = ''
    }
    text += '"}'
  }
  chunks.push(Buffer.from(`${text}]}`))
  return Buffer.concat(chunks)
}
