import type { IncomingMessage } from 'node:http'
import { MAX_MESSAGE_BYTES } from './queue.ts'
import { QueueError } from './queue-error.ts'

// A character of a message takes up to six bytes in JSON and nine in a form.
const MAX_BODY_BYTES = 9 * MAX_MESSAGE_BYTES + 65_536

/** Throws for a body that is too long, and when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // The socket must stay open for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new QueueError('RequestTooLarge', 'The request is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
