import type { IncomingMessage } from 'node:http'
import { ApiError } from '../platform/errors/api-error.ts'

type Done = (error: Error | null, bytes?: Buffer) => void

/** Reads a body whole, unless it is too large: then it fails at once, and the rest is dropped as it arrives. */
export function readBody(body: IncomingMessage, mostBytes: number, done: Done): void {
  const tooLarge = () =>
    new ApiError('RequestTooLarge', 'The request body is too large.', `It may have ${mostBytes} bytes at most.`)
  if (Number(body.headers['content-length']) > mostBytes) {
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
    if (bytes > mostBytes) end(tooLarge())
    else if (!isOver) chunks.push(chunk)
  })
  // Most come in one piece, which need not be copied to be one.
  body.on('end', () => end(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
  body.on('error', end)
}
