import type { IncomingMessage } from 'node:http'
import { ApiError } from '../platform/errors/api-error.ts'

type Done = (error: Error | null, bytes?: Buffer) => void

/** Reads a whole body. Fails immediately if it is too large, and discards the rest as it arrives. */
export function readBody(body: IncomingMessage, maxBytes: number, done: Done): void {
  const tooLarge = () =>
    new ApiError('RequestTooLarge', 'The request body is too large.', `The limit is ${maxBytes} bytes.`, {
      explain: () => ({
        rule: `The body of this operation has at most ${maxBytes} bytes.`,
        facts: { maxBytes, contentLength: body.headers['content-length'] ?? null },
      }),
    })
  if (Number(body.headers['content-length']) > maxBytes) {
    body.resume()
    done(tooLarge())
    return
  }
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  const end: Done = (error, whole) => {
    if (isOver) return
    isOver = true
    done(error, whole)
  }
  // Of a request without a body Node.js makes no stream that would end: see where the server is built.
  if (body.readableEnded) end(null, Buffer.alloc(0))
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) end(tooLarge())
    else if (!isOver) chunks.push(chunk)
  })
  // Most come in one piece, which need not be copied to be one.
  body.on('end', () => end(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
  body.on('error', end)
}
